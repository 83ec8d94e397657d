package extract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
)

// Opened is a file with the offline engine's result, and what a model needs to complete it.
type Opened struct {
	Found Extraction

	engine    *Engine
	doc       source.Document
	picture   []byte
	noPicture error // why there is no picture
}

// enough is the confidence from which on no model is asked, unless essential fields are
// missing.
const enough Confidence = 70

// IsPicture reports whether only a model can read the file.
func (o *Opened) IsPicture() bool { return o.doc.Format.IsImage() }

// IsPoor reports whether a model may improve the result of a text: the confidence is low or an
// essential field is missing. It is false for XML, whose elements name their content.
func (o *Opened) IsPoor() bool {
	return !o.IsPicture() && !empty(o.doc) && o.doc.Root == nil &&
		(o.Found.Confidence < enough || slices.Contains(essentials(&o.Found.Document), 0))
}

// Picture returns the image without the metadata of cameras. An error says why it cannot be
// sent to a model.
func (o *Opened) Picture() (mediaType string, data []byte, err error) {
	return "image/" + string(o.doc.Format), o.picture, o.noPicture
}

// maxShown is the largest part of a document's text in bytes that a model gets: about ten
// pages.
const maxShown = 24_000

// Text returns the beginning of the document, with bars between its cells.
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

// shown returns the lines that a model gets.
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
	pictureNote   = "A configured model read the picture. The service could only check that the values are consistent."
	textNote      = "A configured model found the fields with the source provider; each of their values is in the document."
	noAnswerNote  = "The configured model had nothing to add."
	droppedNote   = "Some values from the configured model are not in the document or not valid, and were left out."
	truncatedNote = "The configured model named too many lines; the last ones were left out."
)

// Complete fills the gaps of the offline result with a model's answer by Schema. From a text
// it takes only values that are in it, and it reads all values by the offline rules.
func (o *Opened) Complete(answer json.RawMessage) (Extraction, error) {
	var s modelAnswer
	if len(answer) > maxAnswer {
		return Extraction{}, fmt.Errorf("extract: a model's answer is too long: %d bytes", len(answer))
	}
	if err := json.Unmarshal(answer, &s); err != nil {
		return Extraction{}, fmt.Errorf("extract: a model's answer: %w", err)
	}
	kind, doc := o.Found.Document.DocumentType, o.doc
	m := completion{answer: s, sure: inText, numbers: map[*cell][][]int{}}
	if o.IsPicture() {
		doc, m.sure = source.FromLines(o.doc.Format, s.lines(kind)), fromPicture
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
	a.Notes = append(a.Notes, m.notes(o.IsPicture())...)
	if m.taken > 0 {
		a.Source = Provider
	}
	return a, nil
}

// notes says in sentences what the model contributed.
func (m *completion) notes(picture bool) (notes []string) {
	switch {
	case m.taken == 0:
		notes = append(notes, noAnswerNote)
	case picture:
		notes = append(notes, pictureNote)
	default:
		notes = append(notes, textNote)
	}
	if m.dropped > 0 {
		notes = append(notes, droppedNote)
	}
	if m.truncated {
		notes = append(notes, truncatedNote)
	}
	return notes
}
