package declare

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// startView is the data of the page on which a new declaration starts.
type startView struct {
	*stepView
	Unfinished []worksheet.Entry
	Templates  []clientTemplates
}

func (d *Declare) start(c *page.Context) error {
	if d.remembers(c) == onOnePage {
		return d.newEntry(c)
	}
	return d.showStart(c, worksheet.NewImport(""))
}

func (d *Declare) showStart(c *page.Context, s *worksheet.Worksheet) error {
	b := startView{stepView: &stepView{Worksheet: s, Step: worksheet.StepBasics}}
	err := c.View(func(tx page.Tx) (err error) {
		if b.Unfinished, err = tx.Worksheets(c.Session.UserID); err != nil {
			return err
		}
		if b.Templates, err = templatesByClient(tx); err != nil {
			return err
		}
		return d.load(c, tx, b.stepView)
	})
	if err != nil {
		return err
	}
	d.buildQuestions(c, b.stepView)
	return c.Show("declare-start", "New declaration", b)
}

// begin creates a worksheet from the first step.
func (d *Declare) begin(c *page.Context) error {
	c.Label = worksheet.Label
	f := &stepView{Step: worksheet.StepBasics, Worksheet: worksheet.NewImport(c.IDs.UUID())}
	next := ""
	err := c.Update(func(tx page.Tx) error {
		if err := d.readStep(c, tx, f); err != nil {
			return err
		}
		if next = d.nextPage(c, f); next == "" || c.Value("go") == "find" {
			next = ""
			return nil
		}
		if err := d.copyLastShipment(tx, f.Worksheet); err != nil {
			return err
		}
		return d.store(c, tx, f.Worksheet)
	})
	if err != nil {
		return c.Redisplay(err, func() error { return d.showStart(c, f.Worksheet) })
	}
	if next == "" {
		f.Worksheet.ID = ""
		return d.showStart(c, f.Worksheet)
	}
	return c.Redirect(next)
}

// upload reads documents and creates a worksheet from them.
func (d *Declare) upload(c *page.Context) error {
	c.Label = labelOfUpload
	all, notes, err := d.readGiven(c)
	s := worksheet.NewImport(c.IDs.UUID())
	if err == nil {
		err = c.Update(func(tx page.Tx) error {
			if err := d.keep(c, tx, s, all, notes); err != nil {
				return err
			}
			if err := d.matchClient(c, tx, s); err != nil {
				return err
			}
			return d.store(c, tx, s)
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error { return d.showStart(c, worksheet.NewImport("")) })
	}
	return c.RedirectWithNotice(path(s.ID, d.formOf(c)), "document-read")
}

// formOf returns the form that shows what was read from documents: the one on one page, unless the user chose the steps or was at one.
func (d *Declare) formOf(c *page.Context) worksheet.Step {
	if cookie, err := c.R.Cookie(entryCookie); c.Value("at") != "" || err == nil && cookie.Value == inSteps {
		return stepOf(c)
	}
	return stepPage
}

// labelOfUpload returns the label of a field of the upload form or of the worksheet.
func labelOfUpload(field string) string {
	switch field {
	case "file":
		return "The document"
	case "documentType":
		return "The document type"
	}
	return worksheet.Label(field)
}

// edit redirects to the form of a stored declaration: to the field in the query, to the first
// field with an error from customs, or to the last step.
func (d *Declare) edit(c *page.Context) error {
	var s *worksheet.Worksheet
	field := c.R.URL.Query().Get("field")
	err := c.View(func(tx page.Tx) (err error) {
		if s, err = d.worksheet(c, tx); err != nil || s.Purpose() != worksheet.Correction {
			return err
		}
		if field == "" {
			field, err = d.firstRejected(tx, s.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	if s.Purpose() != worksheet.Correction {
		return apierr.Missing()
	}
	if at := placeOf(field); d.remembers(c) == onOnePage && at.Section == "" {
		return c.Redirect(entryPath(s.ID, field))
	}
	if field == "" {
		return c.Redirect(path(s.ID, worksheet.StepCheck))
	}
	f := stepView{Worksheet: s}
	return c.Redirect(f.FieldURL(field))
}

// firstRejected returns the first field of the form with an error from customs.
func (d *Declare) firstRejected(tx page.Tx, id string) (string, error) {
	errors, err := d.Explain(tx, id)
	for _, e := range errors {
		if placeOf(e.Field).Step != worksheet.StepCheck {
			return e.Field, err
		}
	}
	return "", err
}

// copyLastShipment copies transport mode and port from the client's last shipment.
func (d *Declare) copyLastShipment(tx page.Tx, s *worksheet.Worksheet) error {
	journeys, err := d.shipmentChoices(tx, s)
	if err != nil || len(journeys) < 2 {
		return err
	}
	f, err := tx.Filing(d.Shipments.Kind, journeys[1].Value)
	if err != nil {
		return err
	}
	last, err := worksheet.ParsePart(worksheet.ShipmentFields, f.Body)
	for _, name := range []string{"transportMode", "portOfEntry"} {
		s.Shipment.Set(name, last.Get(name))
	}
	return err
}

// confirmDiscard shows a confirmation page before the input is discarded.
func (d *Declare) confirmDiscard(c *page.Context) error {
	var s *worksheet.Worksheet
	err := c.View(func(tx page.Tx) (err error) { s, err = d.worksheet(c, tx); return err })
	if err != nil {
		return err
	}
	text := []string{"Your input for “" + s.Title() + "” will be lost. It was not filed."}
	back := path(s.ID, worksheet.StepCheck)
	switch {
	case s.Template:
		text, back = []string{"Your changes since you opened the template will be lost. The stored template is not changed."}, path(s.ID, stepPage)
	case s.Purpose() == worksheet.Correction:
		text = []string{"Your changes since you opened the declaration will be lost. The stored declaration is not changed."}
	}
	return c.Confirm(page.Confirmation{
		Title: "Discard your input?", Text: text, Action: "/declarations/form/" + s.ID + "/discard", Button: "Discard", Back: back,
	})
}

func (d *Declare) discard(c *page.Context) error {
	back := "/declarations/new"
	err := c.Update(func(tx page.Tx) error {
		s, err := d.worksheet(c, tx)
		if err != nil {
			return err
		}
		switch {
		case s.Template:
			back = "/templates/" + s.ID
		case s.Purpose() == worksheet.Correction:
			back = "/declarations/" + s.ID
		}
		_, err = tx.DropWorksheet(c.Session.UserID, s.ID)
		return err
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(back, "worksheet-discarded")
}
