package pdfwriter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// weight is the weight of text.
type weight int

const (
	regular weight = iota
	bold
)

// run is a part of a line in one font.
type run struct {
	font *face
	text string
}

// fontFor returns the font for a character, and the character that is shown.
func (w *Writer) fontFor(r rune, in weight) (*face, rune) {
	switch {
	case w.fonts.own[in].has(r):
		return w.fonts.own[in], r
	case w.fonts.other.has(r):
		return w.fonts.other, r
	}
	w.missing[r] = true
	return w.fonts.own[in], replacement
}

// maxNamed is the number of missing characters that a document names.
const maxNamed = 60

// aboutMissing says which characters the fonts lack, by their codes and scripts.
func (w *Writer) aboutMissing() string {
	byScript := map[string][]string{}
	for i, r := range slices.Sorted(maps.Keys(w.missing)) {
		if i == maxNamed {
			byScript["others"] = []string{fmt.Sprintf("%d more", len(w.missing)-maxNamed)}
			break
		}
		script := scriptOf(r)
		byScript[script] = append(byScript[script], fmt.Sprintf("U+%04X", r))
	}
	var texts []string
	for _, script := range slices.Sorted(maps.Keys(byScript)) {
		texts = append(texts, script+" "+strings.Join(byScript[script], ", "))
	}
	return string(replacement) + " stands for a character that the font of this service lacks: " + strings.Join(texts, "; ") +
		". Copied text and screen readers have them. The operator can name a font that has them (pdf-font)."
}

// scriptOf returns the name of the script of a character.
func scriptOf(r rune) string {
	for _, name := range slices.Sorted(maps.Keys(unicode.Scripts)) {
		if unicode.Is(unicode.Scripts[name], r) {
			return name
		}
	}
	return "Unknown"
}

// actual returns a line if the fonts lack some of its characters; otherwise it is empty.
func (w *Writer) actual(line string, in weight) string {
	for _, r := range line {
		if !w.fonts.own[in].has(r) && !w.fonts.other.has(r) {
			return line
		}
	}
	return ""
}

// runs splits a line by font.
func (w *Writer) runs(line string, in weight) (all []run) {
	for _, r := range line {
		font, shown := w.fontFor(r, in)
		if last := len(all) - 1; last >= 0 && all[last].font == font {
			all[last].text += string(shown)
		} else {
			all = append(all, run{font, string(shown)})
		}
	}
	return all
}

// glyph is a character in a weight.
type glyph struct {
	rune
	weight
}

// width returns the width of a character in points, at a size of 1 point.
func (w *Writer) width(r rune, in weight) float64 {
	key := glyph{r, in}
	if known, ok := w.widths[key]; ok {
		return known
	}
	font, shown := w.fontFor(r, in)
	w.use(font, measured)
	width := w.pdf.GetStringWidth(string(shown)) / measured
	w.widths[key] = width
	return width
}

// measured is the size in points at which characters are measured.
const measured = 100.0

// textWidth returns the width of a text in points.
func (w *Writer) textWidth(text string, size float64, in weight) (width float64) {
	for _, r := range text {
		width += w.width(r, in)
	}
	return width * size
}

// lines breaks a text into lines of a width in points: between words, and within a word that is longer than a line.
func (w *Writer) lines(text string, width, size float64, in weight) (all []string) {
	for _, paragraph := range strings.Split(text, "\n") {
		all = append(all, w.wrapped(paragraph, width/size, in)...)
	}
	if len(all) > maxLines {
		all = append(all[:maxLines-1], "…")
	}
	return all
}

// maxLines is the number of lines of one cell or paragraph, fewer than a page has.
const maxLines = 60

// wrapped breaks a paragraph into lines of a width, which is in points at a size of 1 point.
func (w *Writer) wrapped(text string, width float64, in weight) (all []string) {
	var line strings.Builder
	used := 0.0
	end := func() {
		all = append(all, line.String())
		line.Reset()
		used = 0
	}
	space := w.width(' ', in)
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r != '\u00A0' && (unicode.IsSpace(r) || unicode.IsControl(r)) }) {
		needs := w.textWidth(word, 1, in)
		if used > 0 && used+space+needs > width {
			end()
		}
		if used > 0 {
			line.WriteByte(' ')
			used += space
		}
		for _, r := range word {
			if advance := w.width(r, in); used > 0 && used+advance > width {
				end()
			}
			line.WriteRune(r)
			used += w.width(r, in)
		}
	}
	if line.Len() > 0 || all == nil {
		end()
	}
	return all
}

// use selects a font.
func (w *Writer) use(font *face, size float64) {
	if font == w.fonts.other && !w.otherAdded {
		w.pdf.AddUTF8FontFromBytes(font.family, font.style, font.file)
		w.otherAdded = true
	}
	w.pdf.SetFont(font.family, font.style, size)
}

// put writes a line with its base line at y.
func (w *Writer) put(x, y float64, line string, size float64, in weight) {
	if line == "" {
		return
	}
	w.marked(w.actual(line, in), func() {
		for _, part := range w.runs(line, in) {
			w.use(part.font, size)
			w.pdf.Text(x, y, part.text)
			x += w.textWidth(part.text, size, in)
		}
	})
}

// putRight writes a line that ends at x.
func (w *Writer) putRight(x, y float64, line string, size float64, in weight) {
	w.put(x-w.textWidth(line, size, in), y, line, size, in)
}
