package pdfwriter

import (
	"errors"
	"fmt"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// Fonts are the fonts of documents: the Go fonts (Latin, Greek and Cyrillic), and a font of the operator for other scripts.
type Fonts struct {
	own   [2]*face // regular and bold
	other *face    // nil for none
}

// face is one font in one weight.
type face struct {
	family, style string
	file          []byte
	glyphs        *sfnt.Font
}

// has reports whether the font has a glyph for a character. Characters above U+FFFF need a format that documents do not have.
func (f *face) has(r rune) bool {
	if f == nil || r > 0xFFFF {
		return false
	}
	glyph, err := f.glyphs.GlyphIndex(nil, r)
	return err == nil && glyph != 0
}

// NewFonts returns the fonts of documents. other is the file of the operator's font; empty for none.
func NewFonts(other []byte) (*Fonts, error) {
	fonts := &Fonts{}
	for i, file := range [][]byte{goregular.TTF, gobold.TTF} {
		glyphs, err := sfnt.Parse(file)
		if err != nil {
			return nil, fmt.Errorf("pdfwriter: %w", err)
		}
		fonts.own[i] = &face{"Go", []string{"", "B"}[i], file, glyphs}
	}
	if len(other) == 0 {
		return fonts, nil
	}
	var err error
	if fonts.other, err = parseFont(other); err != nil {
		return nil, err
	}
	return fonts, fonts.try()
}

// parseFont reads a TrueType font.
func parseFont(file []byte) (*face, error) {
	if len(file) < 4 || string(file[:4]) != "\x00\x01\x00\x00" && string(file[:4]) != "true" {
		return nil, errors.New("it is not a TrueType font (.ttf). Collections (.ttc) and OpenType fonts with PostScript outlines (.otf) cannot be used")
	}
	glyphs, err := sfnt.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("it is not a valid font: %w", err)
	}
	return &face{"Other", "", file, glyphs}, nil
}

// try makes a document with the operator's font, so that a font that cannot be used is found at the start.
func (f *Fonts) try() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it cannot be used: %v", p)
		}
	}()
	w := New(f, Head{Title: "Test"})
	for r := rune(0x20); r < 0xFFFF; r++ {
		if f.other.has(r) {
			w.Paragraph(string(r))
			break
		}
	}
	return w.Write(discard{})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// replacement is shown for a character that no font has.
const replacement = '□'

// errTooLong is the error of a document with more pages than a document may have.
var errTooLong = errors.New("pdfwriter: the document has too many pages")
