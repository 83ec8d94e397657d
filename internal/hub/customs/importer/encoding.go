package importer

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// declaredEncoding is the encoding in the XML declaration of a document.
var declaredEncoding = regexp.MustCompile(`^(<\?xml[^>]*?encoding\s*=\s*["'])([A-Za-z0-9._-]+)(["'])`)

// asUTF8 converts a document in UTF-16 or Windows-1252, which other systems write, to UTF-8. The reader of XML knows the other
// encodings that are permitted, and refuses the rest.
func asUTF8(document []byte) ([]byte, error) {
	if order := utf16Order(document); order != nil {
		return fromUTF16(document, order)
	}
	declared := declaredEncoding.FindSubmatch(document)
	if declared == nil || !bytes.EqualFold(declared[2], []byte("windows-1252")) {
		return document, nil
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(document)
	if err != nil {
		return nil, err
	}
	return declaredEncoding.ReplaceAll(text, []byte("${1}UTF-8$3")), nil
}

// utf16Order returns the byte order of a document in UTF-16 by its mark or its first character; nil for another encoding.
func utf16Order(document []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(document, []byte("\xff\xfe")), bytes.HasPrefix(document, []byte("<\x00")):
		return binary.LittleEndian
	case bytes.HasPrefix(document, []byte("\xfe\xff")), bytes.HasPrefix(document, []byte("\x00<")):
		return binary.BigEndian
	}
	return nil
}

func fromUTF16(document []byte, order binary.ByteOrder) ([]byte, error) {
	broken := apierr.Invalid(apierr.Detail{Field: "body", Message: "is not XML that can be read: the document is not UTF-16"})
	if len(document)%2 != 0 {
		return nil, broken
	}
	units := make([]uint16, len(document)/2)
	for n := range units {
		units[n] = order.Uint16(document[2*n:])
	}
	const mark = 0xfeff
	if units[0] == mark {
		units = units[1:]
	}
	runes := utf16.Decode(units)
	for n, at := 0, 0; n < len(runes); n++ {
		if runes[n] == unicode.ReplacementChar && units[at] != unicode.ReplacementChar {
			return nil, broken // half of a pair
		}
		at += utf16.RuneLen(runes[n])
	}
	return declaredEncoding.ReplaceAll([]byte(string(runes)), []byte("${1}UTF-8$3")), nil
}
