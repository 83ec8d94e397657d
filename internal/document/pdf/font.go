package pdf

import (
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// font turns the codes of a string into text and widths, in thousandths of the font size.
type font struct {
	wide      bool // codes have two bytes
	toUnicode *codes
	plain     [256]rune // of codes of one byte
	widths    map[int]float64
	otherwise float64 // width of codes without an entry in widths
	builtin   *[95]float64
}

// Limits of fonts: the number of fonts in a document, and the number of widths of each.
const (
	maxFonts  = 512
	maxWidths = 1 << 17
)

func (f *file) font(d dict) *font {
	t := &font{widths: map[int]float64{}, otherwise: 500}
	if s, ok := f.resolve(d["ToUnicode"]).(stream); ok {
		t.toUnicode = readCodes(f.applyFilters(s))
	}
	if nameOf(f.resolve(d["Subtype"])) == "Type0" {
		t.wide = true
		f.readWide(t, d)
		return t
	}
	f.readPlain(t, d)
	return t
}

// readWide reads the widths of a composite font: runs of "first [w w …]" and "first last w".
func (f *file) readWide(t *font, d dict) {
	t.otherwise = 1000
	below := f.list(d["DescendantFonts"])
	if len(below) == 0 {
		return
	}
	inner, _ := f.resolve(below[0]).(dict)
	if w, ok := f.resolve(inner["DW"]).(float64); ok {
		t.otherwise = w
	}
	runs, _ := f.resolve(inner["W"]).(array)
	left := maxWidths
	for i := 0; i+1 < len(runs) && left > 0; {
		first := toInt(f.resolve(runs[i]))
		if each, ok := f.resolve(runs[i+1]).(array); ok {
			for n, w := range each {
				t.widths[first+n] = number(f.resolve(w))
			}
			i += 2
			continue
		}
		if i+2 >= len(runs) {
			return
		}
		w := number(f.resolve(runs[i+2]))
		for code := max(0, first); code <= min(toInt(f.resolve(runs[i+1])), 0xffff) && left > 0; code++ {
			t.widths[code] = w
			left--
		}
		i += 3
	}
}

func (f *file) readPlain(t *font, d dict) {
	base := string(nameOf(f.resolve(d["BaseFont"])))
	f.readEncoding(t, f.resolve(d["Encoding"]), base)
	switch {
	case strings.Contains(base, "Courier"):
		t.otherwise = 600
	case f.resolve(d["Widths"]) == nil:
		t.builtin = &helvetica
	}
	first := toInt(f.resolve(d["FirstChar"]))
	for i, w := range f.list(d["Widths"]) {
		t.widths[first+i] = number(f.resolve(w))
	}
	if nameOf(f.resolve(d["Subtype"])) == "Type3" { // in units of its own matrix
		if m, ok := matrixOf(f.list(d["FontMatrix"])); ok && m[0] > 0 {
			for code := range t.widths {
				t.widths[code] *= m[0] * 1000
			}
		}
	}
}

// readEncoding reads the meaning of one-byte codes: a table, and differences from it.
func (f *file) readEncoding(t *font, encoding any, base string) {
	named, _ := encoding.(name)
	d, _ := encoding.(dict)
	if d != nil {
		named = nameOf(f.resolve(d["BaseEncoding"]))
	}
	table := charmap.Windows1252
	if named == "MacRomanEncoding" {
		table = charmap.Macintosh
	}
	for i := range t.plain {
		t.plain[i] = table.DecodeByte(byte(i))
	}
	if named == "" && !strings.Contains(base, "+") {
		t.plain['\''], t.plain['`'] = '’', '‘'
	}
	code := 0
	for _, v := range f.list(d["Differences"]) {
		switch v := f.resolve(v).(type) {
		case float64:
			code = toInt(v)
		case name:
			if code >= 0 && code < len(t.plain) {
				if r := glyph(string(v)); r != 0 {
					t.plain[code] = r
				}
			}
			code++
		}
	}
}

// glyphs gives each code of a string with its text and width.
func (t *font) glyphs(s text, yield func(code int, shown string, width float64)) {
	size := 1
	if t.wide {
		size = 2
	}
	for ; len(s) >= size; s = s[size:] {
		code := int(s[0])
		if t.wide {
			code = code<<8 | int(s[1])
		}
		yield(code, t.shown(code), t.width(code))
	}
}

func (t *font) shown(code int) string {
	if t.toUnicode != nil {
		if s, ok := t.toUnicode.text(code); ok {
			return s
		}
	}
	if t.wide {
		return "" // a glyph's number tells nothing
	}
	return string(t.plain[code])
}

func (t *font) width(code int) float64 {
	if w, ok := t.widths[code]; ok {
		return w
	}
	if t.builtin != nil && code >= ' ' && code <= '~' {
		return t.builtin[code-' ']
	}
	return t.otherwise
}

// helvetica are the widths of the characters from space to tilde; other fonts that
// every reader has are close enough to tell a gap from a space.
var helvetica = [95]float64{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}
