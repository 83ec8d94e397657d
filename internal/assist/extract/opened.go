package extract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
)

// Opened is a file as far as the offline engine read it, and what a model needs that
// is to complete it.
type Opened struct {
	Found Extraction

	engine    *Engine
	doc       source.Document
	picture   []byte
	noPicture error // why there is none
}

// enough is the confidence from which on nobody else is asked, if nothing essential
// is missing.
const enough Confidence = 70

// IsPicture tells whether only a model can read the file.
func (o *Opened) IsPicture() bool { return o.doc.Format.IsImage() }

// IsPoor tells whether a model may have something to add to a text: where little is
// sure, or something is missing that a document of its type should tell. XML says by
// its elements what there is.
func (o *Opened) IsPoor() bool {
	return !o.IsPicture() && !empty(o.doc) && o.doc.Root == nil &&
		(o.Found.Confidence < enough || slices.Contains(essentials(&o.Found.Document), 0))
}

// Picture is the image without what cameras write into it. An error says why it
// cannot be shown to a model.
func (o *Opened) Picture() (mediaType string, data []byte, err error) {
	return "image/" + string(o.doc.Format), o.picture, o.noPicture
}

// maxShown is how much text of a document a model is shown, in bytes: some ten pages.
const maxShown = 24_000

// Text is the beginning of the document, its cells with bars between them.
func (o *Opened) Text() string {
	var out strings.Builder
	for _, row := range shown(o.reading().rows) {
		for i, c := range row.cells {
			if i > 0 {
				out.WriteString(" | ")
			}
			out.WriteString(c.Text)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func (o *Opened) reading() *reading { return o.engine.reading(o.Found.Document.DocumentType, o.doc) }

// shown are the lines that a model gets to see.
func shown(rows []*row) []*row {
	size := 0
	for i, row := range rows {
		for _, c := range row.cells {
			size += len(c.Text) + len(" | ")
		}
		if size > maxShown {
			return rows[:i]
		}
	}
	return rows
}

const (
	heardNote  = "A configured model read the picture; nothing but its own consistency vouches for it."
	helpedNote = "A configured model named the fields of source provider; each of their values stands in the document."
	unsaidNote = "The configured model had nothing to add."
	lostNote   = "Some of what the configured model said does not stand in the document, or is no such value, and was left out."
	manyNote   = "The configured model named more lines than are read; the others were left out."
)

// Complete fills the gaps of what was read offline with a model's answer by Schema.
// Of a text only what stands in it is taken, and all values are read by the rules
// that hold offline.
func (o *Opened) Complete(answer json.RawMessage) (Extraction, error) {
	var s said
	if len(answer) > maxAnswer {
		return Extraction{}, fmt.Errorf("extract: a model's answer has %d bytes", len(answer))
	}
	if err := json.Unmarshal(answer, &s); err != nil {
		return Extraction{}, fmt.Errorf("extract: a model's answer: %w", err)
	}
	kind, doc := o.Found.Document.DocumentType, o.doc
	m := completing{said: s, sure: standsThere, numbers: map[*cell][][]int{}}
	if o.IsPicture() {
		doc, m.sure = source.Heard(o.doc.Format, s.lines(kind)), unseen
	}
	a := blank(kind, o.doc)
	m.reading = o.engine.reading(kind, doc)
	m.rows = shown(m.reading.rows)
	if o.IsPicture() {
		m.rows = m.reading.rows
	} else {
		o.engine.read(m.reading, &a.Document, doc)
	}
	m.complete(&a.Document)
	m.finish(&a)
	a.Notes = append(a.Notes, m.account(o.IsPicture())...)
	if m.taken > 0 {
		a.Source = Provider
	}
	return a, nil
}

// account says in sentences what the model had a part in.
func (m *completing) account(picture bool) (notes []string) {
	switch {
	case m.taken == 0:
		notes = append(notes, unsaidNote)
	case picture:
		notes = append(notes, heardNote)
	default:
		notes = append(notes, helpedNote)
	}
	if m.lost > 0 {
		notes = append(notes, lostNote)
	}
	if m.cut {
		notes = append(notes, manyNote)
	}
	return notes
}
