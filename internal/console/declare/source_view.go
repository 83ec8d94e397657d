package declare

import (
	"cmp"
	"context"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/document/source"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// ReadLines reads the lines of a file. It waits for a free slot.
type ReadLines func(ctx context.Context, org tenant.ID, file []byte) (source.Document, error)

// Limits of what is shown of a file.
const (
	valuesShown = 200 // of values that were found in it
	textShown   = 200 // on one page
)

// sourceView is a file beside the form.
type sourceView struct {
	attachment.Source
	Path   string // of the content
	Kind   string // how the browser shows it: pdf, image or text
	Values []valueView
	Fixed  bool // it belongs to a stored declaration, and cannot be removed
}

// valueView is a value that was found in the file.
type valueView struct {
	worksheet.Taken
	Label  string
	Agrees bool // the field has this value
}

// typeNames are the names of the types of documents.
var typeNames = map[string]string{
	string(extract.Invoice): "invoice", string(extract.BillOfLading): "bill of lading", string(extract.PackingList): "packing list", typeEmail: "e-mail",
}

// TypeName returns the name of the type of the file.
func (v sourceView) TypeName() string { return typeNames[v.DocumentType] }

// Box returns the edges of the text for the script of the page; empty if they are unknown.
func (v valueView) Box() string {
	if v.FoundValue.Box == (extract.Box{}) {
		return ""
	}
	out := ""
	for i, edge := range v.FoundValue.Box {
		if i > 0 {
			out += " "
		}
		out += strconv.Itoa(edge)
	}
	return out
}

// Sources returns the files of the form with the values that were found in them.
func (f *stepView) Sources() []sourceView {
	open := -1
	if f.Step == worksheet.StepGoods || f.Step == worksheet.StepItem {
		open = f.Item
	}
	all := make([]sourceView, len(f.Worksheet.Sources))
	for i, s := range f.Worksheet.Sources {
		all[i] = sourceView{Source: s, Path: filePath(f.Worksheet.ID, s.ID), Kind: kindOf(s.MediaType), Fixed: f.Worksheet.Purpose() != worksheet.New}
		for _, t := range f.Worksheet.FoundIn(s.ID, open, valuesShown) {
			all[i].Values = append(all[i].Values, valueView{t, labelOf(t.Path), t.Value != "" && t.Value == t.FoundValue.Value})
		}
	}
	return all
}

// kindOf returns how a browser shows a file.
func kindOf(mediaType string) string {
	switch mediaType {
	case attachment.PDF:
		return "pdf"
	case attachment.JPEG, attachment.PNG:
		return "image"
	}
	return "text"
}

func filePath(id, file string) string { return "/declarations/form/" + id + "/files/" + file }

// file sends the content of a file.
func (d *Declare) file(c *page.Context) error {
	a, content, err := d.content(c)
	if err != nil {
		return err
	}
	return c.SendAttachment(&a, content)
}

// content reads a file of the worksheet in the path.
func (d *Declare) content(c *page.Context) (a attachment.Attachment, content []byte, err error) {
	err = c.View(func(tx page.Tx) error {
		s, err := d.worksheet(c, tx)
		if err != nil {
			return err
		}
		if _, err := sourceOf(s, c.R.PathValue("file")); err != nil {
			return err
		}
		if a, err = tx.Attachment(s.ID, c.R.PathValue("file")); err != nil {
			return err
		}
		content, err = attachment.Content(tx, &a)
		return err
	})
	return a, content, err
}

// textView is the data of the page with the lines of a file.
type textView struct {
	Name, Back string
	Path       string
	Pages      []textPage
	Shown      int // lines
	More       int // the first line of the next page; 0 for none
	Notes      []string
}

type textPage struct {
	Name  string
	Lines []textLine
}

type textLine struct {
	Number int
	Cells  []source.Cell
}

// fileText shows the lines of a file.
func (d *Declare) fileText(c *page.Context) error {
	a, content, err := d.content(c)
	if err != nil {
		return err
	}
	if err := c.TakeFromBudget(d.AssistBudget); err != nil {
		return err
	}
	doc, err := d.Lines(c.R.Context(), c.Session.Org, content)
	if reason, is := source.Reason(err); is {
		return apierr.New(apierr.InvalidState, "The file %s.", reason)
	}
	if err != nil {
		return err
	}
	from, _ := strconv.Atoi(c.R.URL.Query().Get("from"))
	v := textOf(doc, max(from, 0))
	v.Name, v.Back, v.Path = a.FileName, path(c.ID(), worksheet.StepBasics), filePath(c.ID(), a.ID)
	return c.Show("declare-text", a.FileName, v)
}

// textOf returns the lines of a document from one of them on.
func textOf(doc source.Document, from int) (v textView) {
	v.Notes = doc.Notes
	at := 0
	for n, p := range doc.Pages {
		shown := textPage{Name: cmp.Or(p.Name, "Page "+strconv.Itoa(n+1))}
		for number, line := range p.Lines {
			if at++; at <= from {
				continue
			}
			if v.Shown == textShown {
				v.More = at - 1
				break
			}
			v.Shown++
			shown.Lines = append(shown.Lines, textLine{number + 1, line.Cells})
		}
		if shown.Lines != nil {
			v.Pages = append(v.Pages, shown)
		}
		if v.More > 0 {
			break
		}
	}
	return v
}
