package declarations

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// maxTemplateChoices is the number of templates, and of shipments, that the form offers.
const maxTemplateChoices = 200

// choice is an option of a form.
type choice struct{ ID, Name string }

// fromTemplateView is the data of the form that makes a declaration from a template.
type fromTemplateView struct {
	Templates, Shipments         []choice
	Template, Shipment, OwnLabel string // submitted values
}

// chooseTemplate shows the form that makes a declaration from a template.
func (d *Declarations) chooseTemplate(c *page.Context) error {
	v := fromTemplateView{Template: c.Value("template"), Shipment: c.Value("shipmentId"), OwnLabel: c.Value("reference")}
	if v.Template == "" {
		v.Template = c.R.URL.Query().Get("template")
	}
	err := c.View(func(tx page.Tx) (err error) {
		if v.Templates, err = d.choices(tx, template.Kind, "name"); err != nil {
			return err
		}
		v.Shipments, err = d.choices(tx, customs.Shipments.Kind, "serviceReference", "reference", "counterpartyName")
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("declarations-template", "New declaration from a template", v)
}

// choices returns the latest records of a kind that are not archived, each with members that identify it and its client.
func (d *Declarations) choices(tx page.Tx, kind string, named ...string) ([]choice, error) {
	found, err := tx.Filings(filing.Query{Kind: kind, Status: d.Filings.Types[kind].Lifecycle.Listed(), Limit: maxTemplateChoices})
	if err != nil {
		return nil, err
	}
	clients := make([]string, len(found))
	all := make([]choice, len(found))
	for n := range found {
		members := map[string]any{}
		if err := json.Unmarshal(found[n].AppendBrief(nil), &members); err != nil {
			return nil, err
		}
		client, _ := members["clientId"].(string)
		clients[n] = strings.ToLower(client)
		all[n] = choice{ID: found[n].ID}
		for _, name := range named {
			if text, _ := members[name].(string); text != "" {
				all[n].Name += text + " · "
			}
		}
	}
	names, err := clientNames(tx, clients)
	for n := range all {
		all[n].Name += names[clients[n]]
	}
	return all, err
}

// fromTemplate makes a declaration from a template.
func (d *Declarations) fromTemplate(c *page.Context) error {
	patch := map[string]string{"shipmentId": c.Value("shipmentId")}
	if reference := c.Value("reference"); reference != "" {
		patch["reference"] = reference
	}
	var f filing.Filing
	err := c.Update(func(tx page.Tx) (err error) {
		for field, value := range map[string]string{"template": c.Value("template"), "shipmentId": patch["shipmentId"]} {
			if value == "" {
				return apierr.Invalid(apierr.Detail{Field: field, Message: "must be selected"})
			}
		}
		raw, err := json.Marshal(patch)
		if err != nil {
			return err
		}
		body, err := template.Fill(tx, c.Value("template"), raw)
		if err != nil {
			return err
		}
		f, err = d.create(c, tx, body, "")
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return d.chooseTemplate(c) })
	}
	return c.RedirectWithNotice("/declarations/"+f.ID, "declaration-from-template")
}

// create creates a declaration whose body was not made by the form. Masked access codes are those of another record.
func (d *Declarations) create(c *page.Context, tx page.Tx, body json.RawMessage, codesFrom string) (filing.Filing, error) {
	if details := d.CheckBody(body); details != nil {
		return filing.Filing{}, apierr.Invalid(details...)
	}
	in, err := d.Customs.Type.Parse(body, c.Now())
	if err != nil {
		return filing.Filing{}, err
	}
	return d.Filings.Create(tx, c.Call(), d.Customs.Type, in.KeepSecretsFrom(codesFrom))
}

// newTemplateView is the data of the form that makes a template of a declaration.
type newTemplateView struct {
	Declarations      []choice
	Declaration, Name string // submitted values
}

// chooseForTemplate shows the form that makes a template of one of the latest declarations, of one client if the query names it.
func (d *Declarations) chooseForTemplate(c *page.Context) error {
	v := newTemplateView{Declaration: c.Value("declaration"), Name: c.Value("template-name")}
	client := strings.ToLower(c.R.URL.Query().Get("clientId"))
	err := c.View(func(tx page.Tx) error {
		found, err := tx.Select(filing.Selection{Kind: customs.DeclarationKind, ClientID: client, Limit: maxTemplateChoices})
		if err != nil {
			return err
		}
		ids := make([]string, len(found))
		for n := range found {
			ids[n] = found[n].ID
		}
		names, err := About(tx, ids)
		for _, id := range ids {
			v.Declarations = append(v.Declarations, choice{id, names[id]})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("declarations-new-template", "New template", v)
}

// newTemplate makes a template of the chosen declaration.
func (d *Declarations) newTemplate(c *page.Context) error {
	if !ident.IsUUID(c.Value("declaration")) {
		err := apierr.Invalid(apierr.Detail{Field: "declaration", Message: "must be selected"})
		return c.Redisplay(err, func() error { return d.chooseForTemplate(c) })
	}
	return d.makeTemplate(c, c.Value("declaration"), d.chooseForTemplate)
}

// saveTemplate makes a template of a declaration, on its page.
func (d *Declarations) saveTemplate(c *page.Context) error {
	return d.makeTemplate(c, c.ID(), d.detail)
}

// makeTemplate makes a template of a declaration, without what belongs to one consignment. The form is shown again if it has errors.
func (d *Declarations) makeTemplate(c *page.Context, id string, form func(*page.Context) error) error {
	var made filing.Filing
	err := c.Update(func(tx page.Tx) error {
		f, err := tx.Filing(customs.DeclarationKind, id)
		if err != nil {
			return err
		}
		body, err := templateOf(tx, &f, c.Value("template-name"))
		if err != nil {
			return err
		}
		kind := d.Filings.Types[template.Kind]
		in, err := kind.Parse(body, c.Now())
		if err != nil {
			return err
		}
		made, err = d.Filings.Create(tx, c.Call(), kind, in)
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return form(c) })
	}
	return c.RedirectWithNotice("/templates/"+made.ID, "template-saved")
}

// templateOf returns the body of a template with the members of a declaration.
func templateOf(tx page.Tx, f *filing.Filing, name string) (json.RawMessage, error) {
	if name == "" || utf8.RuneCountInString(name) > maxTemplateName {
		return nil, apierr.Invalid(apierr.Detail{Field: "template-name", Message: fmt.Sprintf("must have 1 to %d characters", maxTemplateName)})
	}
	copied, err := customs.CopyOf(f.Body)
	if err != nil {
		return nil, err
	}
	t := template.Template{Name: name}
	var of struct{ ShipmentID, ClientID string }
	if err := json.Unmarshal(copied, &of); err != nil {
		return nil, err
	}
	shipment, err := tx.Filing(customs.Shipments.Kind, of.ShipmentID)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(shipment.Body, &of); err != nil {
		return nil, err
	}
	t.ClientID = of.ClientID
	if err := json.Unmarshal(copied, &t.Body); err != nil {
		return nil, err
	}
	delete(t.Body, "shipmentId")
	template.DropAccessCodes(t.Body)
	if copied, err = json.Marshal(t.Body); err == nil && len(copied) > filing.MaxFreeForm {
		return nil, apierr.New(apierr.InvalidState, "The declaration is too large for a template, which has at most %d kB.", filing.MaxFreeForm>>10)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(t)
}

// maxTemplateName is the maximum length of the name of a template.
const maxTemplateName = 200
