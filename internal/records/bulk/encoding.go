package bulk

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Marks at the beginning of a text, which tell how it is encoded.
var (
	markUTF8    = []byte("\xef\xbb\xbf")
	markUTF16LE = []byte("\xff\xfe")
	markUTF16BE = []byte("\xfe\xff")
)

// decoded is a file as UTF-8. A file without a mark is UTF-8 when it can be, UTF-16
// when every other byte is zero, and Windows-1252, as spreadsheets write it, else.
func decoded(file []byte) (string, error) {
	switch {
	case bytes.HasPrefix(file, markUTF8) && utf8.Valid(file):
		return string(file[len(markUTF8):]), nil
	case bytes.HasPrefix(file, markUTF16LE):
		return from(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), file)
	case bytes.HasPrefix(file, markUTF16BE):
		return from(unicode.UTF16(unicode.BigEndian, unicode.UseBOM), file)
	case zeros(file, 1) && !zeros(file, 0):
		return from(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), file)
	case zeros(file, 0) && !zeros(file, 1):
		return from(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), file)
	case utf8.Valid(file):
		return string(file), nil
	}
	return from(charmap.Windows1252, file)
}

func from(e encoding.Encoding, file []byte) (string, error) {
	var text strings.Builder
	text.Grow(length(file))
	w := transform.NewWriter(&text, e.NewDecoder())
	if _, err := w.Write(file); err != nil {
		return "", err
	}
	err := w.Close()
	return text.String(), err
}

// length is about how long a file will be in UTF-8, and never less for Windows-1252:
// a character beyond ASCII takes two bytes more, at most.
func length(file []byte) int {
	beyond := 0
	for _, b := range file {
		if b >= utf8.RuneSelf {
			beyond++
		}
	}
	return len(file) + 2*beyond
}

// glimpse is how much of a file is looked at to guess what it is.
const glimpse = 4 << 10

// zeros tells whether most bytes at even (0) or odd (1) places are zero.
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

// beginnings are how files begin that are no tables, and what to say of them.
var beginnings = []struct{ bytes, is string }{
	{"\x89PNG\r\n\x1a\n", "a PNG image"},
	{"\xff\xd8\xff", "a JPEG image"},
	{"GIF87a", "a GIF image"},
	{"GIF89a", "a GIF image"},
	{"II*\x00", "a TIFF image"},
	{"MM\x00*", "a TIFF image"},
	{"%PDF-", "a PDF document"},
	{"PK\x03\x04", "an Excel workbook or another archive: save the sheet as CSV"},
	{"\xd0\xcf\x11\xe0", "an old Excel workbook or Word document: save the sheet as CSV"},
	{"\x1f\x8b", "a compressed file"},
	{"7z\xbc\xaf\x27\x1c", "a compressed file"},
	{"Rar!\x1a\x07", "a compressed file"},
	{"\x7fELF", "a program"},
	{"MZ\x90\x00", "a program"},
	{"{\\rtf", "a text document"},
	{"<!DOCTYPE", "a web page"},
	{"<html", "a web page"},
	{"<?xml", "an XML document"},
}

// foreign says what a file is that cannot be a table, or nothing.
func foreign(file []byte) string {
	for _, b := range beginnings {
		if bytes.HasPrefix(file, []byte(b.bytes)) {
			return b.is
		}
	}
	return ""
}
