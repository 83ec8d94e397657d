// Package pdf reads the text of untrusted PDF files: the characters of each page and their
// positions. It supports the parts of ISO 32000-1 that concern text: cross-reference tables
// and streams, object streams, the filters used for text, simple and composite fonts, and
// forms. It runs no script, opens no attachment and follows no link.
//
// Time and memory are limited for any input: decompressed bytes, objects, operators and
// characters are counted over the whole file, cycles of references and forms end, and the
// context is checked.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// Reasons why a file cannot be read.
var (
	ErrNoPDF     = errors.New("is not a PDF document")
	ErrEncrypted = errors.New("is encrypted; save it without a password and send it again")
	ErrDamaged   = errors.New("is a damaged PDF document without readable pages")
)

// Limits of a document.
const (
	// MaxPages is the number of pages that are read; further pages are only counted.
	MaxPages     = 200
	maxPageNodes = 20_000
	maxPageDepth = 32
	maxContents  = 1000 // streams of one page
)

// Document is the properties of a file besides its pages.
type Document struct {
	Pages   int  // including those that were not read
	Scripts bool // it contains scripts, which were not run
	Cut     bool // a limit was reached
}

// Read calls page with the characters of each page, in the order of drawing.
func Read(ctx context.Context, data []byte, page func(glyphs []Glyph)) (Document, error) {
	w := &walk{page: page}
	return w.read(ctx, data)
}

// read walks through the pages of a file.
func (w *walk) read(ctx context.Context, data []byte) (d Document, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w (%v)", ErrDamaged, p)
		}
	}()
	if at := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-")); at < 0 {
		return d, ErrNoPDF
	}
	f := open(ctx, data)
	if f.encrypted() {
		return d, ErrEncrypted
	}
	w.file, w.fonts, w.seen = f, map[any]*font{}, map[ref]bool{}
	w.node(f.catalogue()["Pages"], dict{}, 0)
	d = Document{Pages: w.pages, Scripts: f.scripted(), Cut: w.cut || f.exhausted || f.room <= 0 || w.pages > MaxPages}
	switch {
	case ctx.Err() != nil && w.pages == 0:
		return d, fmt.Errorf("pdf: %w", ctx.Err())
	case w.pages == 0:
		return d, ErrDamaged
	}
	d.Cut = d.Cut || ctx.Err() != nil
	return d, nil
}

// walk is the walk through the tree of pages.
type walk struct {
	file  *file
	page  func([]Glyph)
	fonts map[any]*font
	seen  map[ref]bool
	nodes int
	pages int
	cut   bool
	scan  func(Scan) // gets the pictures of pages without text; may be nil
	scans int
}

// inherited are the attributes that a page inherits (ISO 32000-1, 7.7.3.4).
var inherited = []name{"Resources", "Rotate"}

func (w *walk) node(v any, above dict, depth int) {
	if r, ok := v.(ref); ok {
		if w.seen[r] {
			return
		}
		w.seen[r] = true
	}
	d, ok := w.file.resolve(v).(dict)
	if w.nodes++; !ok || w.nodes > maxPageNodes || depth > maxPageDepth {
		return
	}
	own := dict{}
	for _, key := range inherited {
		if own[key] = above[key]; d[key] != nil {
			own[key] = d[key]
		}
	}
	kids, hasKids := w.file.resolve(d["Kids"]).(array)
	if !hasKids {
		w.leaf(d, own)
		return
	}
	for _, kid := range kids {
		w.node(kid, own, depth+1)
	}
}

func (w *walk) leaf(d, own dict) {
	if w.pages++; w.pages > MaxPages || w.file.ctx.Err() != nil {
		return
	}
	resources, _ := w.file.resolve(own["Resources"]).(dict)
	p := newPainter(w.file, w.fonts, rotation(toInt(w.file.resolve(own["Rotate"]))))
	var content []byte
	for i, v := range w.file.list(d["Contents"]) {
		if s, ok := w.file.resolve(v).(stream); ok && i < maxContents && len(content) < maxStream {
			content = append(append(content, w.file.applyFilters(s)...), '\n')
		}
	}
	p.run(content, resources, 0)
	w.cut = w.cut || p.cut
	w.page(p.glyphs)
	if w.scan != nil && len(p.glyphs) == 0 {
		w.scanned(p)
	}
}

// scripted reports whether the document would run a script when it is opened.
func (f *file) scripted() bool {
	root := f.catalogue()
	names, _ := f.resolve(root["Names"]).(dict)
	action, _ := f.resolve(root["OpenAction"]).(dict)
	kind := nameOf(f.resolve(action["S"]))
	return names["JavaScript"] != nil || root["AA"] != nil || kind == "JavaScript" || kind == "Launch" ||
		bytes.Contains(f.data, []byte("/JavaScript"))
}
