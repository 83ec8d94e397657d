package declare

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// stepPage is the form on one page. It is not in the list of steps.
const stepPage worksheet.Step = "page"

// The user's last choice between the steps and the form on one page.
const (
	entryCookie = "tidewaiter_entry"
	onOnePage   = "page"
	inSteps     = "steps"
	choiceLife  = 365 * 24 * time.Hour
)

// remembers returns the form that the user chose last, or chooses now by the query.
func (d *Declare) remembers(c *page.Context) string {
	chosen := c.R.URL.Query().Get("form")
	if chosen == onOnePage || chosen == inSteps {
		d.remember(c, chosen)
		return chosen
	}
	cookie, err := c.R.Cookie(entryCookie)
	if err != nil || cookie.Value != onOnePage {
		return inSteps
	}
	return onOnePage
}

func (d *Declare) remember(c *page.Context, choice string) {
	c.SetCookie(entryCookie, choice, choiceLife)
}

// newEntry shows the form on one page for a new declaration, with the organisation as client and the transport of its last
// shipment.
func (d *Declare) newEntry(c *page.Context) error {
	f := &entryView{stepView: &stepView{Step: stepPage, Worksheet: worksheet.NewImport("")}}
	return d.showEntry(c, f, func(tx page.Tx) error {
		f.digest = f.Worksheet.Digest()
		if err := d.selectOwnOrganisation(tx, f.Worksheet); err != nil {
			return err
		}
		return d.copyLastShipment(tx, f.Worksheet)
	})
}

// entryPage shows the form on one page as stored; with the query "faults" it also shows errors.
func (d *Declare) entryPage(c *page.Context) error {
	d.remember(c, onOnePage)
	q := c.R.URL.Query()
	from, _ := strconv.Atoi(q.Get("from"))
	f := &entryView{stepView: &stepView{Step: stepPage}, From: from, showFaults: q.Has("faults")}
	return d.showEntry(c, f, func(tx page.Tx) error { return d.openEntry(c, tx, f) })
}

// openEntry sets the worksheet: the one in the path, or a new one.
func (d *Declare) openEntry(c *page.Context, tx page.Tx, f *entryView) (err error) {
	if c.R.PathValue("id") == "" {
		f.Worksheet, f.unsaved = worksheet.NewImport(""), true
	} else if f.Worksheet, err = d.worksheet(c, tx); err != nil {
		return err
	}
	f.digest = f.Worksheet.Digest()
	d.withoutComputed(c, f.Worksheet)
	if f.Worksheet.Purpose() == worksheet.Correction {
		f.Amends, err = d.amends(tx, f.Worksheet)
	}
	return err
}

// submitEntry reads the form and runs the button's action. Buttons that only show something store nothing; all others store the
// input, also with errors.
func (d *Declare) submitEntry(c *page.Context) error {
	c.Label = labelOf
	d.remember(c, onOnePage)
	f := &entryView{stepView: &stepView{Step: stepPage}}
	verb, what, _ := strings.Cut(c.Value("go"), ":")
	switch verb {
	case "check", "find", "use", "":
		f.showFaults, f.checked = verb == "check", true
		return d.showEntry(c, f, func(tx page.Tx) error {
			if err := d.openEntry(c, tx, f); err != nil {
				return err
			}
			f.unsaved = true
			return d.readEntry(c, tx, f)
		})
	}
	next := ""
	err := c.Update(func(tx page.Tx) (err error) {
		f.showFaults, f.unsaved = false, true
		if err := d.openEntry(c, tx, f); err != nil {
			return err
		}
		if err := d.readEntry(c, tx, f); err != nil {
			return err
		}
		if f.moved {
			return apierr.New(apierr.InvalidState, "The goods of this declaration were changed in another window. Check the lines below, then press the button again.")
		}
		if f.Worksheet.ID == "" {
			f.Worksheet.ID = c.IDs.UUID()
		}
		if next, err = d.pressed(c, tx, f, verb, what); err != nil || f.finished {
			return err
		}
		f.digest, f.unsaved = f.Worksheet.Digest(), false
		return d.store(c, tx, f.Worksheet)
	})
	switch {
	case err != nil:
		f.unsaved = true
		if f.Worksheet == nil {
			return err
		}
		if c.R.PathValue("id") == "" {
			f.Worksheet.ID = ""
		}
		return c.Redisplay(err, func() error { return d.showEntry(c, f, func(page.Tx) error { return nil }) })
	case next != "":
		return c.Redirect(next)
	}
	return d.showEntry(c, f, func(page.Tx) error { return nil })
}

// pressed runs a button's action and returns the next page; empty to show the form with its errors.
func (d *Declare) pressed(c *page.Context, tx page.Tx, f *entryView, verb, what string) (next string, err error) {
	s, n := f.Worksheet, buttonIndex(what)
	switch verb {
	case "save", "submit":
		dropEmptyDocuments(s)
		if d.errors(c, f.stepView) != nil || f.refused != nil {
			f.showFaults = true
			return "", nil
		}
		next, err = d.finish(c, tx, f.stepView, verb)
		f.finished = err == nil
		return next, err
	case "add-line":
		n, err = s.AddItem()
		return f.linePath(n), err
	case "copy-line":
		n, err = s.CopyItem(min(n, len(s.Items)-1))
		return f.linePath(n), err
	case "remove-line":
		s.RemoveItem(min(n, len(s.Items)-1))
		return f.linePath(min(n, len(s.Items)-1)), nil
	case "lines":
		return f.linePath(n), nil
	case "line":
		dropEmptyDocuments(s)
		return itemPath(s.ID, min(n, len(s.Items)-1)), nil
	case "details":
		return path(s.ID, worksheet.StepDetails), nil
	case "steps":
		d.remember(c, inSteps)
		return path(s.ID, worksheet.StepGoods), nil
	case "merge":
		s.MergeItems()
		return f.linePath(0), nil
	case "paste":
		return "", d.pasteText(c, f)
	case "take":
		s.Take(what)
		return "", nil
	case "add-document":
		return f.pagePath() + "#documents", s.AddDocument()
	case "add-excise":
		return f.pagePath() + "#documents", d.addExcise(tx, s, what)
	case "add-summary":
		return f.pagePath() + "#documents", d.addSummary(tx, s, what)
	case "remove-document":
		if n < len(s.Documents) {
			s.RemoveDocument(n)
		}
		return f.pagePath() + "#documents", nil
	}
	return "", apierr.New(apierr.NotFound, "This page does not exist.")
}

// errors returns the errors of the worksheet as it is saved.
func (d *Declare) errors(c *page.Context, f *stepView) []apierr.Detail {
	if f.OfTemplate() {
		return d.templateErrors(c, d.complete(c, f.Worksheet))
	}
	return d.complete(c, f.Worksheet).Errors(d.validators(c))
}

// pagePath returns the path of the form on one page.
func (f *entryView) pagePath() string { return path(f.Worksheet.ID, stepPage) }

// linePath returns the path of the form with a line shown.
func (f *entryView) linePath(n int) string {
	return f.pagePath() + "?from=" + strconv.Itoa(n-n%linesShown) + "#" + lineID(n)
}

// entryPath returns the path of the form on one page with a field shown; with none its beginning.
func entryPath(id, field string) string {
	if field == "" {
		return path(id, stepPage)
	}
	at := path(id, stepPage) + "?faults=shown"
	if p := placeOf(field); p.Step == worksheet.StepGoods {
		at += "&from=" + strconv.Itoa(p.Item)
	}
	return at + "#" + url.PathEscape(field)
}
