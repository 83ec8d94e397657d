package source

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"
)

// Error says in a few words why a file cannot be read, such as "is encrypted".
type Error struct{ reason string }

func (e *Error) Error() string { return e.reason }

func refuse(reason string) error { return &Error{reason} }

// Reason returns the words of an Error.
func Reason(err error) (string, bool) {
	var e *Error
	if errors.As(err, &e) {
		return e.reason, true
	}
	return "", false
}

// Read reads a file of any supported format. Errors of the file are *Error.
func Read(ctx context.Context, file []byte) (Document, error) {
	if len(file) == 0 {
		return Document{}, refuse("is empty")
	}
	if len(file) > MaxFile {
		return Document{}, refuse("is larger than 20 MB")
	}
	format, foreign := sniff(file)
	if foreign != "" {
		return Document{}, refuse("is " + foreign + "; send a PDF, text, CSV, XML or XLSX file, or a PNG or JPEG image")
	}
	switch format {
	case PNG, JPEG:
		return Document{Format: format, PageCount: 1}, nil
	case PDF:
		return readPDF(ctx, file)
	case XLSX:
		return readXLSX(ctx, file)
	case XML:
		return readXML(file)
	}
	return readText(file)
}

// readText reads a table of cells or a text of lines.
func readText(file []byte) (Document, error) {
	text, err := decode(file)
	if err != nil {
		return Document{}, err
	}
	if strings.TrimSpace(text) == "" {
		return Document{}, refuse("is empty")
	}
	if looksLikeXML(text) {
		return readXML([]byte(text))
	}
	if comma, ok := delimiter(text); ok {
		return readCSV(text, comma), nil
	}
	return readLines(text), nil
}

// beginnings are the first bytes of supported formats and of other known ones.
var beginnings = []struct {
	bytes   string
	format  Format
	foreign string
}{
	{bytes: "%PDF-", format: PDF},
	{bytes: "\x89PNG\r\n\x1a\n", format: PNG},
	{bytes: "\xff\xd8\xff", format: JPEG},
	{bytes: "PK\x03\x04", format: XLSX},
	{bytes: "PK\x05\x06", foreign: "an empty archive"},
	{bytes: "\xd0\xcf\x11\xe0", foreign: "an encrypted workbook, a workbook from before Excel 2007, or a Word document; save it as XLSX without a password"},
	{bytes: "GIF8", foreign: "a GIF image"},
	{bytes: "II*\x00", foreign: "a TIFF image"},
	{bytes: "MM\x00*", foreign: "a TIFF image"},
	{bytes: "BM", foreign: "a bitmap"},
	{bytes: "\x1f\x8b", foreign: "a compressed file"},
	{bytes: "7z\xbc\xaf\x27\x1c", foreign: "a compressed file"},
	{bytes: "Rar!\x1a\x07", foreign: "a compressed file"},
	{bytes: "\x7fELF", foreign: "a program"},
	{bytes: "MZ", foreign: "a program"},
	{bytes: "{\\rtf", foreign: "a rich text document"},
}

// firstBytes is the part of a file in which a PDF's mark may be: readers have always accepted
// it late.
const firstBytes = 1024

// sniff recognises the format by the content; foreign names the kind of file if it is not
// supported.
func sniff(file []byte) (format Format, foreign string) {
	for _, b := range beginnings {
		if !bytes.HasPrefix(file, []byte(b.bytes)) {
			continue
		}
		if b.foreign != "" && len(b.bytes) == 2 && utf8.Valid(file) {
			continue // words may begin so too
		}
		return b.format, b.foreign
	}
	if bytes.Contains(file[:min(len(file), firstBytes)], []byte("%PDF-")) {
		return PDF, ""
	}
	if looksLikeXML(string(file[:min(len(file), firstBytes)])) {
		return XML, ""
	}
	return Text, ""
}

// looksLikeXML reports whether a text begins like XML or a web page.
func looksLikeXML(text string) bool {
	text = strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	if len(text) < 2 || text[0] != '<' {
		return false
	}
	c := text[1]
	return c == '?' || c == '!' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}
