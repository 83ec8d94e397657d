package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// Element is an element of an XML document with its content.
type Element struct {
	Name     safexml.Name
	Attrs    map[string]string // those without a namespace
	Text     string
	Path     string // such as /Invoice/ID, with a number from the second element of a name on
	Children []*Element
}

// maxElements is the number of elements of a document that are read.
const maxElements = 100_000

func readXML(file []byte) (Document, error) {
	r, err := safexml.New(bytes.TrimLeft(bytes.TrimPrefix(file, []byte("\ufeff")), " \t\r\n"))
	if err != nil {
		return Document{}, unreadable(err)
	}
	t := &tree{reader: r}
	if err := t.read(); err != nil {
		return Document{}, unreadable(err)
	}
	switch t.root.Name.Local {
	case "html", "HTML":
		return Document{}, refuse("is a web page")
	case "svg":
		return Document{}, refuse("is a drawing")
	}
	b := &builder{doc: Document{Format: XML, Root: t.root}, cut: t.cut}
	b.page("")
	b.leaves(t.root)
	return b.done(), nil
}

func unreadable(err error) error {
	var e *safexml.Error
	if errors.As(err, &e) {
		return refuse("cannot be read as XML: " + e.Fault())
	}
	return refuse("cannot be read as XML")
}

// tree builds the elements of a document.
type tree struct {
	reader *safexml.Reader
	root   *Element
	open   []*Element
	counts []map[string]int // of names in each open element
	all    int
	cut    bool
}

func (t *tree) read() error {
	for {
		token, err := t.reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case token.Kind == safexml.Start:
			t.enter(token)
		case token.Kind == safexml.End:
			t.open, t.counts = t.open[:len(t.open)-1], t.counts[:len(t.counts)-1]
		default:
			if last := t.open[len(t.open)-1]; len(last.Text) < maxCell {
				last.Text += token.Text
			}
		}
	}
}

func (t *tree) enter(token safexml.Token) {
	e := &Element{Name: token.Name, Path: "/" + token.Name.Local}
	for _, a := range token.Attrs {
		if a.Name.Space == "" && len(a.Value) < maxCell {
			if e.Attrs == nil {
				e.Attrs = map[string]string{}
			}
			e.Attrs[a.Name.Local] = a.Value
		}
	}
	if n := len(t.open); n == 0 {
		t.root = e
	} else {
		above := t.open[n-1]
		t.counts[n-1][token.Name.Local]++
		if count := t.counts[n-1][token.Name.Local]; count > 1 {
			e.Path += fmt.Sprintf("[%d]", count)
		}
		e.Path = above.Path + e.Path
		if t.all++; t.all <= maxElements {
			above.Children = append(above.Children, e)
		} else {
			t.cut = true
		}
	}
	t.open, t.counts = append(t.open, e), append(t.counts, map[string]int{})
}

// leaves makes a line of every element with text: its name in words, and its text.
func (b *builder) leaves(e *Element) {
	if b.cut {
		return
	}
	if len(e.Children) == 0 {
		b.line([]Cell{
			{Text: nameWords(e.Name.Local) + ":", Right: columnWidth - 1, Path: e.Path},
			{Text: e.Text, Left: columnWidth, Right: 2*columnWidth - 1, Path: e.Path, Plain: true},
		}, false)
	}
	for _, child := range e.Children {
		b.leaves(child)
	}
}

// nameWords turns a name such as InvoiceNumber into words.
func nameWords(name string) string {
	var out strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower || r == '_' || r == '-' || r == '.' {
			out.WriteByte(' ')
		}
		if r != '_' && r != '-' && r != '.' {
			out.WriteRune(unicode.ToLower(r))
		}
		lower = unicode.IsLower(r)
	}
	return out.String()
}

// Find returns the first element on a path of names, or nil.
func (e *Element) Find(names ...string) *Element {
	all := e.All(names...)
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// All returns all elements on a path of local names, in order.
func (e *Element) All(names ...string) []*Element {
	if e == nil {
		return nil
	}
	if len(names) == 0 {
		return []*Element{e}
	}
	var found []*Element
	for _, child := range e.Children {
		if child.Name.Local == names[0] {
			found = append(found, child.All(names[1:]...)...)
		}
	}
	return found
}

// TextOf returns the text of an element; "" for nil.
func TextOf(e *Element) string {
	if e == nil {
		return ""
	}
	return strings.TrimSpace(e.Text)
}
