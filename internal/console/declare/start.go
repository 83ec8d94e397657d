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

func (d *Declare) start(v *page.Visit) error {
	return d.showStart(v, worksheet.Start(""))
}

func (d *Declare) showStart(v *page.Visit, s *worksheet.Sheet) error {
	b := beginning{form: &form{Sheet: s, Step: worksheet.What}}
	err := v.View(func(tx page.Tx) (err error) {
		if b.Unfinished, err = tx.Worksheets(v.Session.UserID); err != nil {
			return err
		}
		return d.gather(v, tx, b.form)
	})
	if err != nil {
		return err
	}
	d.compose(v, b.form)
	return v.Show("declare-start", "New declaration", b)
}

// begin makes a worksheet of the first step.
func (d *Declare) begin(v *page.Visit) error {
	v.Label = worksheet.Label
	f := &form{Step: worksheet.What, Sheet: worksheet.Start(v.IDs.UUID())}
	next := ""
	err := v.Update(func(tx page.Tx) error {
		if err := d.take(v, tx, f); err != nil {
			return err
		}
		if next = d.onwards(v, f); next == "" || v.Value("go") == "find" {
			next = ""
			return nil
		}
		if err := d.usual(tx, f.Sheet); err != nil {
			return err
		}
		return tx.KeepWorksheet(v.Session.UserID, f.Sheet)
	})
	if err != nil {
		return v.Again(err, func() error { return d.showStart(v, f.Sheet) })
	}
	if next == "" {
		f.Sheet.ID = ""
		return d.showStart(v, f.Sheet)
	}
	return v.Done(next, "")
}

// upload reads a document and makes a worksheet of what it says.
func (d *Declare) upload(v *page.Visit) error {
	v.Label = labelOfUpload
	in := extract.Request{DocumentType: extract.DocumentType(v.Value("documentType"))}
	err := d.readFile(v, &in)
	var found extract.Extraction
	if err == nil {
		found, err = d.Read(v.R.Context(), v.Session.Org, in)
	}
	if err != nil {
		return v.Again(err, func() error { return d.showStart(v, worksheet.Start("")) })
	}
	s := worksheet.Start(v.IDs.UUID())
	s.Fill(found)
	err = v.Update(func(tx page.Tx) error {
		if err := d.recognise(v, tx, s); err != nil {
			return err
		}
		return tx.KeepWorksheet(v.Session.UserID, s)
	})
	if err != nil {
		return v.Again(err, func() error { return d.showStart(v, worksheet.Start("")) })
	}
	return v.Done(path(s.ID, worksheet.What), "document-read")
}

// readFile takes the document out of the form, and a request from the helpers' budget.
func (d *Declare) readFile(v *page.Visit, in *extract.Request) error {
	if !slices.Contains(extract.Types, in.DocumentType) {
		return apierr.Invalid(apierr.Detail{Field: "documentType", Message: "must be one of the choices"})
	}
	if v.File == nil {
		return apierr.Invalid(apierr.Detail{Field: "file", Message: "is not chosen yet"})
	}
	in.File = v.File.Content
	return v.Spend(d.Helpers)
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
func (d *Declare) edit(v *page.Visit) error {
	var s *worksheet.Sheet
	field := v.R.URL.Query().Get("field")
	err := v.View(func(tx page.Tx) (err error) {
		if s, err = d.sheet(v, tx); err != nil || s.Purpose() != worksheet.Correction {
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
		return v.Done(path(s.ID, worksheet.Check), "")
	}
	f := form{Sheet: s}
	return v.Done(f.Place(field), "")
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
func (d *Declare) askDiscard(v *page.Visit) error {
	var s *worksheet.Sheet
	err := v.View(func(tx page.Tx) (err error) { s, err = d.sheet(v, tx); return err })
	if err != nil {
		return err
	}
	text := []string{"What you typed of “" + s.Title() + "” is lost. Nothing of it has been filed."}
	if s.Purpose() == worksheet.Correction {
		text = []string{"What you changed since you opened the declaration is lost. The declaration itself stays as it is stored."}
	}
	return v.Ask(page.Question{
		Title: "Throw this away?", Text: text, Action: "/declarations/form/" + s.ID + "/discard", Button: "Throw it away", Back: path(s.ID, worksheet.Check),
	})
}

func (d *Declare) discard(v *page.Visit) error {
	back := "/declarations/new"
	err := v.Update(func(tx page.Tx) error {
		s, err := d.sheet(v, tx)
		if err != nil {
			return err
		}
		if s.Purpose() == worksheet.Correction {
			back = "/declarations/" + s.ID
		}
		_, err = tx.DropWorksheet(v.Session.UserID, s.ID)
		return err
	})
	if err != nil {
		return err
	}
	return v.Done(back, "worksheet-discarded")
}
