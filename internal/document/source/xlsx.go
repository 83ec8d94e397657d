package source

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// Limits of a workbook, which is a ZIP archive.
const (
	maxEntries  = 2000
	maxPart     = 16 << 20 // bytes of one part, decompressed
	maxUnpacked = 48 << 20 // bytes of all parts that are read
	maxSheets   = 20
	maxStrings  = 200_000
)

// workbook reads the parts of a workbook (ECMA-376, SpreadsheetML).
type workbook struct {
	ctx      context.Context
	parts    map[string]*zip.File
	left     int // bytes that may still be decompressed
	strings  []string
	dates    []bool // by style
	from1904 bool
	lost     bool // a text was cut or left out
	builder  *builder
}

var errTooMuch = refuse("is too large when decompressed")

func readXLSX(ctx context.Context, file []byte) (Document, error) {
	w, err := newWorkbook(ctx, file)
	if err != nil {
		return Document{}, err
	}
	if err := w.failure(w.read()); err != nil {
		return Document{}, err
	}
	return w.builder.done(), nil
}

// newWorkbook opens a workbook without reading its parts.
func newWorkbook(ctx context.Context, file []byte) (*workbook, error) {
	if bytes.Count(file, []byte("PK\x01\x02")) > maxEntries {
		return nil, refuse("is an archive with too many parts for a workbook")
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, refuse("is a damaged archive")
	}
	w := &workbook{ctx: ctx, parts: map[string]*zip.File{}, left: maxUnpacked, builder: &builder{doc: Document{Format: XLSX}}}
	for _, part := range archive.File {
		if part.Flags&1 != 0 {
			return nil, refuse("is an encrypted archive")
		}
		w.parts[strings.TrimPrefix(part.Name, "/")] = part
	}
	if w.parts["xl/workbook.xml"] == nil {
		return nil, refuse("is an archive and no workbook; send an XLSX file")
	}
	return w, nil
}

// failure returns the error of a workbook that cannot be read.
func (w *workbook) failure(err error) error {
	if _, ok := Reason(err); err == nil || ok || w.ctx.Err() != nil {
		return err
	}
	return unreadable(err)
}

func (w *workbook) read() error {
	if w.parts["xl/vbaProject.bin"] != nil {
		w.builder.doc.Notes = append(w.builder.doc.Notes, "The workbook carries macros; they were not run.")
	}
	if err := errors.Join(w.readStrings(), w.readStyles()); err != nil {
		return err
	}
	sheets, err := w.sheets()
	if err != nil {
		return err
	}
	if len(sheets) > maxSheets {
		w.builder.cut, sheets = true, sheets[:maxSheets]
	}
	for _, s := range sheets {
		w.builder.page(s.name)
		if err := w.readSheet(s.part); err != nil {
			return err
		}
	}
	return nil
}

// open opens a part; nil if it does not exist.
func (w *workbook) open(name string) (*safexml.Reader, error) {
	part := w.parts[name]
	if part == nil {
		return nil, nil
	}
	if part.UncompressedSize64 > maxPart {
		return nil, errTooMuch
	}
	r, err := part.Open()
	if err != nil {
		return nil, refuse("is a damaged archive")
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxPart+1))
	if err != nil {
		return nil, refuse("is a damaged archive")
	}
	if w.left -= len(data); len(data) > maxPart || w.left < 0 {
		return nil, errTooMuch
	}
	return safexml.New(data)
}

// each calls fn for every token of a part.
func (w *workbook) each(name string, fn func(safexml.Token)) error {
	r, err := w.open(name)
	if r == nil {
		return err
	}
	for n := 0; !w.builder.cut; n++ {
		token, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case n%4096 == 0 && w.ctx.Err() != nil:
			return refuse("takes too long to read")
		}
		fn(token)
	}
	return nil
}

// readStrings reads the shared strings.
func (w *workbook) readStrings() error {
	var text strings.Builder
	inText, phonetic := false, false
	return w.each("xl/sharedStrings.xml", func(t safexml.Token) {
		switch {
		case t.Kind == safexml.Start && t.Name.Local == "si":
			text.Reset()
		case t.Kind == safexml.End && t.Name.Local == "si":
			if len(w.strings) < maxStrings {
				w.strings = append(w.strings, tidy(text.String()))
			} else {
				w.lost = true
			}
			w.lost = w.lost || text.Len() >= wholeCell
		case t.Name.Local == "rPh" && t.Kind != safexml.Text:
			phonetic = t.Kind == safexml.Start
		case t.Kind == safexml.Start && t.Name.Local == "t":
			inText = !phonetic
		case t.Kind == safexml.End && t.Name.Local == "t":
			inText = false
		case t.Kind == safexml.Text && inText && text.Len() < maxCell:
			text.WriteString(t.Text)
		}
	})
}

type sheet struct{ name, part string }

// sheets returns the visible sheets in the order of the workbook.
func (w *workbook) sheets() (sheets []sheet, err error) {
	targets := map[string]string{}
	err = w.each("xl/_rels/workbook.xml.rels", func(t safexml.Token) {
		if t.Kind == safexml.Start && t.Name.Local == "Relationship" {
			target := t.Attr("Target")
			if !strings.HasPrefix(target, "/") {
				target = "/xl/" + target
			}
			targets[t.Attr("Id")] = strings.TrimPrefix(path.Clean(target), "/")
		}
	})
	if err != nil {
		return nil, err
	}
	err = w.each("xl/workbook.xml", func(t safexml.Token) {
		switch {
		case t.Kind != safexml.Start:
		case t.Name.Local == "workbookPr":
			w.from1904 = t.Attr("date1904") == "1" || t.Attr("date1904") == "true"
		case t.Name.Local == "sheet" && t.Attr("state") == "":
			for _, a := range t.Attrs {
				if a.Name.Local == "id" && a.Name.Space != "" {
					sheets = append(sheets, sheet{tidy(t.Attr("name")), targets[a.Value]})
				}
			}
		}
	})
	return sheets, err
}
