package declare

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// nameField is the field of the name of a template.
const nameField = "template-name"

// templateSteps are the pages besides the form on one page that have members of a template.
var templateSteps = []worksheet.Step{worksheet.StepDetails, worksheet.StepGoods, worksheet.StepItem}

// OfTemplate reports whether the form changes a template.
func (f *stepView) OfTemplate() bool { return f.Worksheet.Template }

// GoodsOnly reports whether the form has neither client nor shipment: an amendment changes none, and a template has none.
func (f *stepView) GoodsOnly() bool { return f.Amends || f.OfTemplate() }

// ofTemplate returns a new worksheet with the members of a stored template.
func (d *Declare) ofTemplate(tx page.Tx, id string) (s worksheet.Worksheet, err error) {
	f, err := tx.Filing(template.Kind, id)
	if err != nil {
		return s, err
	}
	if f.Status == lifecycle.Archived {
		return s, apierr.New(apierr.InvalidState, "The template is archived. Unarchive it to change it.")
	}
	var t template.Template
	if err := json.Unmarshal(f.Body, &t); err != nil {
		return s, err
	}
	body, err := json.Marshal(t.Body)
	if err != nil {
		return s, err
	}
	client, err := tx.Filing(d.Clients.Kind, strings.ToLower(t.ClientID))
	if err != nil {
		return s, err
	}
	if s, err = worksheet.FromRecords(body, json.RawMessage("{}"), client.Body); err != nil {
		return s, err
	}
	s.ID, s.BaseVersion, s.Template, s.TemplateName = f.ID, f.Version, true, t.Name
	s.ClientID, s.StoredClient = client.ID, s.Client.Copy()
	if s.Items == nil {
		s.Items = []worksheet.Part{{}}
	}
	return s, nil
}

// saveTemplate stores the members of a template, and deletes the worksheet. What the form does not have stays: its recurrence, and a
// shipment and labels of its drafts.
func (d *Declare) saveTemplate(c *page.Context, tx page.Tx, s *worksheet.Worksheet) (string, error) {
	f, err := tx.Filing(template.Kind, s.ID)
	if err != nil {
		return "", err
	}
	if f.Version != s.BaseVersion {
		return "", apierr.New(apierr.InvalidState, "Another user has changed this template in the meantime. Discard your changes and start again from the present version.")
	}
	var t template.Template
	if err := json.Unmarshal(f.Body, &t); err != nil {
		return "", err
	}
	changed, err := templateMembers(s)
	if err != nil {
		return "", err
	}
	for name, value := range t.Body {
		if worksheet.Separate(name) {
			changed[name] = value
		}
	}
	t.Name, t.Body = s.TemplateName, changed
	body, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	in := saver{d, tx, c.Call(), s}
	if err := in.amend(d.templates(), &f, body); err != nil {
		return "", err
	}
	_, err = tx.DropWorksheet(c.Session.UserID, s.ID)
	return "/templates/" + f.ID + "?done=template-changed", err
}

func templateMembers(s *worksheet.Worksheet) (members filing.FreeForm, err error) {
	err = json.Unmarshal(s.TemplateBody(), &members)
	return members, err
}

func (d *Declare) templates() *filing.Type { return d.Filings.Types[template.Kind] }

// templateErrors returns what is wrong with the members of a template, by field of the form. All may be left out.
func (d *Declare) templateErrors(c *page.Context, s *worksheet.Worksheet) []apierr.Detail {
	members, err := templateMembers(s)
	if err != nil {
		return []apierr.Detail{{Field: "items", Message: "cannot be read"}}
	}
	body, err := json.Marshal(template.Template{ClientID: placeholderID, Name: s.TemplateName, Body: members})
	if err != nil {
		return []apierr.Detail{{Field: "items", Message: "cannot be read"}}
	}
	details := d.checker(c, d.templates())(body)
	for n := range details {
		if details[n].Field == "name" {
			details[n].Field = nameField
		}
		details[n].Field = strings.TrimPrefix(details[n].Field, "body.")
	}
	return slices.Clip(details)
}

// readTemplateName reads the name of the template.
func readTemplateName(c *page.Context, s *worksheet.Worksheet) {
	if s.Template && c.R.PostForm.Has(nameField) {
		s.TemplateName = strings.TrimSpace(c.Value(nameField))
	}
}
