package declare

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// beginning is the page on which a declaration begins.
type beginning struct {
	*form
	Unfinished []worksheet.Entry
}

func (d *Declare) start(c *page.Context) error {
	return d.showStart(c, worksheet.Start(""))
}

func (d *Declare) showStart(c *page.Context, s *worksheet.Sheet) error {
	b := beginning{form: &form{Sheet: s, Step: worksheet.What}}
	err := c.View(func(tx page.Tx) (err error) {
		if b.Unfinished, err = tx.Worksheets(c.Session.UserID); err != nil {
			return err
		}
		return d.gather(c, tx, b.form)
	})
	if err != nil {
		return err
	}
	d.compose(c, b.form)
	return c.Show("declare-start", "New declaration", b)
}

// begin makes a worksheet of the first step.
func (d *Declare) begin(c *page.Context) error {
	c.Label = worksheet.Label
	f := &form{Step: worksheet.What, Sheet: worksheet.Start(c.IDs.UUID())}
	next := ""
	err := c.Update(func(tx page.Tx) error {
		if err := d.take(c, tx, f); err != nil {
			return err
		}
		if next = d.onwards(c, f); next == "" || c.Value("go") == "find" {
			next = ""
			return nil
		}
		if err := d.usual(tx, f.Sheet); err != nil {
			return err
		}
		return tx.SaveWorksheet(c.Session.UserID, f.Sheet)
	})
	if err != nil {
		return c.Redisplay(err, func() error { return d.showStart(c, f.Sheet) })
	}
	if next == "" {
		f.Sheet.ID = ""
		return d.showStart(c, f.Sheet)
	}
	return c.Redirect(next)
}

// upload reads a document and makes a worksheet of what it says.
func (d *Declare) upload(c *page.Context) error {
	c.Label = labelOfUpload
	in := extract.Request{DocumentType: extract.DocumentType(c.Value("documentType"))}
	err := d.readFile(c, &in)
	var found extract.Extraction
	if err == nil {
		found, err = d.Read(c.R.Context(), c.Session.Org, in)
	}
	if err != nil {
		return c.Redisplay(err, func() error { return d.showStart(c, worksheet.Start("")) })
	}
	s := worksheet.Start(c.IDs.UUID())
	s.Fill(found)
	err = c.Update(func(tx page.Tx) error {
		if err := d.recognise(c, tx, s); err != nil {
			return err
		}
		return tx.SaveWorksheet(c.Session.UserID, s)
	})
	if err != nil {
		return c.Redisplay(err, func() error { return d.showStart(c, worksheet.Start("")) })
	}
	return c.RedirectWithNotice(path(s.ID, worksheet.What), "document-read")
}

// readFile takes the document out of the form, and a request from the helpers' budget.
func (d *Declare) readFile(c *page.Context, in *extract.Request) error {
	if !slices.Contains(extract.Types, in.DocumentType) {
		return apierr.Invalid(apierr.Detail{Field: "documentType", Message: "must be one of the choices"})
	}
	if c.File == nil {
		return apierr.Invalid(apierr.Detail{Field: "file", Message: "is not chosen yet"})
	}
	in.File = c.File.Content
	return c.TakeFromBudget(d.Helpers)
}

// labelOfUpload calls the fields of the upload, too, by their names.
func labelOfUpload(field string) string {
	switch field {
	case "file":
		return "The document"
	case "documentType":
		return "What the document is"
	}
	return worksheet.Label(field)
}

// edit leads to the form of a stored declaration: to the field that the address names,
// to the first that customs found wrong, or to the last step.
func (d *Declare) edit(c *page.Context) error {
	var s *worksheet.Sheet
	field := c.R.URL.Query().Get("field")
	err := c.View(func(tx page.Tx) (err error) {
		if s, err = d.sheet(c, tx); err != nil || s.Purpose() != worksheet.Correction {
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
	if field == "" {
		return c.Redirect(path(s.ID, worksheet.Check))
	}
	f := form{Sheet: s}
	return c.Redirect(f.Place(field))
}

// firstRejected is the first field that customs found wrong, and that is asked for here.
func (d *Declare) firstRejected(tx page.Tx, id string) (string, error) {
	errors, err := d.Explain(tx, id)
	for _, e := range errors {
		if step, _ := worksheet.At(e.Field); step != worksheet.Check {
			return e.Field, err
		}
	}
	return "", err
}

// usual fills in what was usual the last time.
func (d *Declare) usual(tx page.Tx, s *worksheet.Sheet) error {
	journeys, err := d.journeys(tx, s)
	if err != nil || len(journeys) < 2 {
		return err
	}
	f, err := tx.Filing(d.Shipments.Kind, journeys[1].Value)
	if err != nil {
		return err
	}
	last, err := worksheet.PartOf(worksheet.ShipmentFields, f.Body)
	for _, name := range []string{"transportMode", "portOfEntry"} {
		s.Shipment.Set(name, last.Get(name))
	}
	return err
}

// askDiscard asks before what was typed is thrown away.
func (d *Declare) askDiscard(c *page.Context) error {
	var s *worksheet.Sheet
	err := c.View(func(tx page.Tx) (err error) { s, err = d.sheet(c, tx); return err })
	if err != nil {
		return err
	}
	text := []string{"What you typed of “" + s.Title() + "” is lost. Nothing of it has been filed."}
	if s.Purpose() == worksheet.Correction {
		text = []string{"What you changed since you opened the declaration is lost. The declaration itself stays as it is stored."}
	}
	return c.Confirm(page.Confirmation{
		Title: "Throw this away?", Text: text, Action: "/declarations/form/" + s.ID + "/discard", Button: "Throw it away", Back: path(s.ID, worksheet.Check),
	})
}

func (d *Declare) discard(c *page.Context) error {
	back := "/declarations/new"
	err := c.Update(func(tx page.Tx) error {
		s, err := d.sheet(c, tx)
		if err != nil {
			return err
		}
		if s.Purpose() == worksheet.Correction {
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
