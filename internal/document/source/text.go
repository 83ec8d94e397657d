package source

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// decode returns a text as UTF-8. Without a byte order mark it is UTF-16 if every other byte
// is zero, otherwise UTF-8 if it is valid, otherwise Windows-1252. A file with control
// characters that texts do not have is not a text.
func decode(file []byte) (string, error) {
	text, err := string(file), error(nil)
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xfe")) || zeros(file, 1) && !zeros(file, 0):
		text, err = from(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), file)
	case bytes.HasPrefix(file, []byte("\xfe\xff")) || zeros(file, 0) && !zeros(file, 1):
		text, err = from(unicode.UTF16(unicode.BigEndian, unicode.UseBOM), file)
	case !utf8.Valid(file):
		text, err = from(charmap.Windows1252, file)
	}
	if err != nil || binary(text) {
		return "", refuse("has an unsupported format; send a PDF, text, CSV, XML or XLSX file, or a PNG or JPEG image")
	}
	return strings.TrimPrefix(text, "\ufeff"), nil
}

func from(e encoding.Encoding, file []byte) (string, error) {
	out, err := e.NewDecoder().Bytes(file)
	return string(out), err
}

// glimpse is the number of bytes of a file that are used to recognise its kind.
const glimpse = 8 << 10

// zeros reports whether most bytes at even (0) or odd (1) positions are zero.
func zeros(file []byte, first int) bool {
	file = file[:min(len(file), glimpse)]
	zero, all := 0, 0
	for i := first; i < len(file); i += 2 {
		if all++; file[i] == 0 {
			zero++
		}
	}
	return all > 0 && zero*2 > all
}

// binary reports whether more than one character in a hundred is a control character.
func binary(text string) bool {
	text = text[:min(len(text), glimpse)]
	controls := 0
	for _, r := range text {
		if r < ' ' && !strings.ContainsRune("\t\n\r\f\v", r) || r == 0x7f || r >= 0x80 && r < 0xa0 {
			controls++
		}
	}
	return controls*100 > len(text)
}

// Lines of a text: a form feed begins a page; two spaces or a tab begin a cell.
const (
	charWidth = 10
	tabStop   = 8
)

func readLines(text string) Document {
	b := &builder{doc: Document{Format: Text}}
	for page := range strings.SplitSeq(text, "\f") {
		b.page("")
		blank := false
		for line := range strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(page), "\n") {
			if strings.TrimSpace(line) == "" || isRule(line) {
				blank = true
				continue
			}
			b.line(cellsOf(line), blank)
			if blank = false; b.cut {
				return b.done()
			}
		}
	}
	return b.done()
}

// isRule reports whether a line consists of dashes and the like.
func isRule(line string) bool {
	return strings.Trim(line, "-=_*+|~#. \t─━═│┌┐└┘├┤┬┴┼") == ""
}

// maxLine is the number of bytes of a line that are read.
const maxLine = 64 << 10

// cellsOf splits a line at bars, tabs and double spaces.
func cellsOf(line string) (cells []Cell) {
	line = line[:min(len(line), maxLine)]
	column, spaces, from := 0, 2, 0
	for at, r := range line {
		switch r {
		case '\t':
			column += tabStop - column%tabStop
			spaces = 2
			continue
		case '|', '│', '║':
			column++
			spaces = 2
			continue
		case ' ', '\u00a0':
			column++
			spaces++
			continue
		}
		if spaces >= 2 {
			cells, from = append(cells, Cell{Left: column * charWidth}), at
		}
		spaces = 0
		column++
		last := &cells[len(cells)-1]
		last.Text, last.Right = line[from:at+max(1, utf8.RuneLen(r))], column*charWidth
	}
	return cells
}
