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

// Byte order marks.
var (
	markUTF8    = []byte("\xef\xbb\xbf")
	markUTF16LE = []byte("\xff\xfe")
	markUTF16BE = []byte("\xfe\xff")
)

// decodeText converts a file to UTF-8. A file without a byte order mark is UTF-8 if valid, UTF-16 if
// every other byte is zero, and otherwise Windows-1252, which spreadsheets write.
func decodeText(file []byte) (string, error) {
	switch {
	case bytes.HasPrefix(file, markUTF8) && utf8.Valid(file):
		return string(file[len(markUTF8):]), nil
	case bytes.HasPrefix(file, markUTF16LE):
		return decodeWith(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), file)
	case bytes.HasPrefix(file, markUTF16BE):
		return decodeWith(unicode.UTF16(unicode.BigEndian, unicode.UseBOM), file)
	case mostlyZero(file, 1) && !mostlyZero(file, 0):
		return decodeWith(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), file)
	case mostlyZero(file, 0) && !mostlyZero(file, 1):
		return decodeWith(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), file)
	case utf8.Valid(file):
		return string(file), nil
	}
	return decodeWith(charmap.Windows1252, file)
}

func decodeWith(e encoding.Encoding, file []byte) (string, error) {
	var text strings.Builder
	text.Grow(decodedLength(file))
	w := transform.NewWriter(&text, e.NewDecoder())
	if _, err := w.Write(file); err != nil {
		return "", err
	}
	err := w.Close()
	return text.String(), err
}

// decodedLength estimates the length in UTF-8. It is never too short for Windows-1252, where a character
// beyond ASCII takes up to three bytes.
func decodedLength(file []byte) int {
	beyond := 0
	for _, b := range file {
		if b >= utf8.RuneSelf {
			beyond++
		}
	}
	return len(file) + 2*beyond
}

// sniffLength is the number of bytes that are examined to detect the encoding.
const sniffLength = 4 << 10

// mostlyZero reports whether most bytes at even (first=0) or odd (first=1) offsets are zero.
func mostlyZero(file []byte, first int) bool {
	file = file[:min(len(file), sniffLength)]
	zero, all := 0, 0
	for i := first; i < len(file); i += 2 {
		if all++; file[i] == 0 {
			zero++
		}
	}
	return all > 0 && zero*2 > all
}

// fileSignatures are the first bytes of other file types, with a description.
var fileSignatures = []struct{ bytes, is string }{
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

// otherFileType describes a file that cannot be a table; "" if it can.
func otherFileType(file []byte) string {
	for _, b := range fileSignatures {
		if bytes.HasPrefix(file, []byte(b.bytes)) {
			return b.is
		}
	}
	return ""
}
