// Package repeat is the page on which a template is made to repeat, with its next dates before anything is saved.
package repeat

import (
	"embed"
	"encoding/json"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

//go:embed pages assets
var files embed.FS

// path is the pattern of the page.
const path = "/templates/{id}/repeat"

// Repeat is the area, with the services that it uses.
type Repeat struct {
	Filings *filing.Service
}

// Area returns the area's routes, page and texts.
func (a *Repeat) Area() page.Area {
	return page.Area{
		Name: "repeat", Pages: files, Assets: files,
		Routes: []page.Route{page.Get(path, page.ForMember, a.form), page.Post(path, page.ForMember, a.save)},
		Notices: map[string]string{
			"repeats":       "The template repeats. Each draft appears in the inbox; nothing is submitted by itself.",
			"repeats-ended": "The template makes no more drafts by itself.",
		},
	}
}

// labels are the names of fields in errors.
var labels = map[string]string{
	"recurrence.frequency": "The frequency", "recurrence.interval": "The number of weeks or months", "recurrence.weekdays": "The days of the week",
	"recurrence.dayOfMonth": "The day of the month", "recurrence.startsOn": "The first day", "recurrence.endsOn": "The last day",
	"recurrence.count": "The number of dates", "recurrence.time": "The time", "recurrence.shipmentId": "The shipment",
}

func labelOf(field string) string {
	if label, ok := labels[field]; ok {
		return label
	}
	return field
}

// form shows the recurrence of a template.
func (a *Repeat) form(c *page.Context) error {
	f, t, err := a.read(c)
	if err != nil {
		return err
	}
	e := entered{StartsOn: c.Now().In(calendar.London()).Format(dayFormat), Time: "06:00", Frequency: template.Weekly, Interval: "1", Weekdays: []string{"MONDAY"}}
	if t.Recurrence != nil {
		e = enteredOf(t.Recurrence)
	}
	return a.show(c, f, t, e, nil)
}

// read reads the template.
func (a *Repeat) read(c *page.Context) (f filing.Filing, t template.Template, err error) {
	err = c.View(func(tx page.Tx) error { f, err = tx.Filing(template.Kind, c.ID()); return err })
	if err == nil {
		err = json.Unmarshal(f.Body, &t)
	}
	return f, t, err
}

// Values of the buttons.
const (
	previewButton = "preview"
	endButton     = "end"
)

// save stores or ends a recurrence, or shows its next dates.
func (a *Repeat) save(c *page.Context) error {
	c.Label = labelOf
	f, t, err := a.read(c)
	if err != nil {
		return err
	}
	if c.Value("do") == endButton {
		if err := a.replace(c, f.ID, json.RawMessage(`{"recurrence":null}`)); err != nil {
			return err
		}
		return c.RedirectWithNotice("/templates/"+f.ID, "repeats-ended")
	}
	e := readEntered(c)
	r, err := e.recurrence()
	var dates []string
	if err == nil {
		dates, err = preview(&f, r, c)
	}
	if err == nil && c.Value("do") == previewButton {
		return a.show(c, f, t, e, dates)
	}
	if err == nil {
		var patch json.RawMessage
		if patch, err = json.Marshal(map[string]any{"recurrence": r}); err == nil {
			err = a.replace(c, f.ID, patch)
		}
	}
	if err != nil {
		return c.Redisplay(err, func() error { return a.show(c, f, t, e, nil) })
	}
	return c.RedirectWithNotice("/templates/"+f.ID, "repeats")
}

// preview returns the next dates of a recurrence, none if it is paused.
func preview(f *filing.Filing, r template.Recurrence, c *page.Context) ([]string, error) {
	dates, details := template.Preview(f, r, c.Now())
	if details != nil && (dates == nil || c.Value("do") != previewButton) {
		return nil, apierr.Invalid(details...)
	}
	return append([]string{}, dates...), nil
}

// replace changes the template, unless another user has changed it in the meantime. A template without an assignee is given to
// the user, who then gets the drafts.
func (a *Repeat) replace(c *page.Context, id string, patch json.RawMessage) error {
	return c.Update(func(tx page.Tx) error {
		f, err := tx.Filing(template.Kind, id)
		if err != nil {
			return err
		}
		if strconv.FormatInt(f.Version, 10) != c.Value("version") {
			return apierr.New(apierr.InvalidState, "Another user has changed this template in the meantime, so nothing was saved. Open the page again.")
		}
		kind := a.Filings.Types[template.Kind]
		if filing.AssigneeOf(f.Added) == "" {
			if _, err := a.Filings.Assign(tx, c.Call(), kind, id, nil, c.Session.UserID); err != nil {
				return err
			}
		}
		body, err := filing.Patch(f.Body, patch)
		if err != nil {
			return err
		}
		in, err := kind.Parse(body, c.Now())
		if err != nil {
			return err
		}
		_, err = a.Filings.Transition(tx, c.Call(), kind, id, lifecycle.Amend, filing.TransitionData{Input: &in})
		return err
	})
}
