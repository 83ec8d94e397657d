package pdfwriter

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// Tags say what the texts of a document are, so that a screen reader can read it: headings, paragraphs, lists and tables, in their
// order. The library that encodes documents has none, so the writer marks the texts in the pages, and appends the tree of tags.

// tag is a type of structure element of PDF.
type tag string

const (
	document  tag = "Document"
	title     tag = "H1"
	section   tag = "H2"
	paragraph tag = "P"
	list      tag = "L"
	listItem  tag = "LI"
	label     tag = "Lbl"
	body      tag = "LBody"
	tableTag  tag = "Table"
	rowTag    tag = "TR"
	columnTag tag = "TH"
	cellTag   tag = "TD"
)

// element is a structure element.
type element struct {
	tag    tag
	parent *element
	kids   []kid
	object int // number of its object in the file
}

// kid is an element, or a marked text on a page.
type kid struct {
	element    *element // nil for a text
	page, mark int
}

// tags are the structure of a document that is being written.
type tags struct {
	root  *element
	open  *element     // nil while what is drawn is decoration, or repeated on each page
	marks [][]*element // by page and mark
}

func newTags() tags {
	root := &element{tag: document}
	return tags{root: root, open: root}
}

// in opens an element, calls draw, and closes it.
func (t *tags) in(what tag, draw func()) *element {
	if t.open == nil {
		draw()
		return nil
	}
	e := &element{tag: what, parent: t.open}
	t.open.kids = append(t.open.kids, kid{element: e})
	t.within(e, draw)
	return e
}

// within calls draw with an open element; nil for decoration.
func (t *tags) within(e *element, draw func()) {
	before := t.open
	t.open = e
	draw()
	t.open = before
}

// begin returns what begins a text on a page in its content; every text ends with endMark.
func (t *tags) begin(page int) string {
	if t.open == nil {
		return "/Artifact BMC"
	}
	for len(t.marks) <= page {
		t.marks = append(t.marks, nil)
	}
	mark := len(t.marks[page])
	t.marks[page] = append(t.marks[page], t.open)
	t.open.kids = append(t.open.kids, kid{page: page, mark: mark})
	return fmt.Sprintf("/%s <</MCID %d>> BDC", t.open.tag, mark)
}

const endMark = "EMC"

// marked draws a text, with its characters if the font lacks some of them.
func (w *Writer) marked(actual string, draw func()) {
	w.pdf.RawWriteStr(w.tags.begin(w.pdf.PageNo()))
	if actual != "" {
		w.pdf.RawWriteStr("/Span <</ActualText <" + hexText(actual) + ">>> BDC")
	}
	draw()
	if actual != "" {
		w.pdf.RawWriteStr(endMark)
	}
	w.pdf.RawWriteStr(endMark)
}

// decorated draws lines and boxes, which a screen reader leaves out.
func (w *Writer) decorated(draw func()) {
	w.tags.within(nil, func() { w.marked("", draw) })
}

// hexText returns a text in UTF-16 with a byte order mark, in hexadecimal digits.
func hexText(text string) string {
	var out strings.Builder
	out.WriteString("FEFF")
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&out, "%04X", unit)
	}
	return out.String()
}
