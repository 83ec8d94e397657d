package safexml_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// standard returns the names and text of a document as encoding/xml reads them.
func standard(data []byte) (string, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var out strings.Builder
	depth := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			out.WriteString("{" + token.Name.Space + "}" + token.Name.Local + "(")
		case xml.EndElement:
			depth--
			out.WriteString(")")
		case xml.CharData:
			if depth > 0 {
				out.Write(token)
			}
		}
	}
}

// plain reports whether the standard library has the same rules for a document: names in
// ASCII, and no other encoding.
func plain(data []byte) bool {
	return bytes.IndexFunc(data, func(c rune) bool { return c > unicode.MaxASCII }) < 0
}

// No input makes the reader panic, and encoding/xml reads every document that it accepts, with
// the same names and text.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		`<a xmlns="u" xmlns:p="v"><p:b>1 &amp; 2</p:b><![CDATA[x]]><!-- c --></a>`,
		`<?xml version="1.0" encoding="UTF-8"?><a>&#65;</a>`,
		`<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`,
		`<a><b></a>`, `<a b='1' c="2"/>`, "<a>\r\n</a>", `<?p i?><a/>`,
	} {
		f.Add([]byte(seed))
	}
	samples, _ := filepath.Glob("../../../../shared/customs/minimal/*.xml")
	for _, path := range samples {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ours, err := sketch(data, func(safexml.Attr) string { return "" })
		if err != nil || !plain(data) {
			return
		}
		other, err := standard(data)
		if err != nil {
			t.Fatalf("taken here as %q, but: %v", ours, err)
		}
		if ours != other {
			t.Fatalf("here %q, there %q", ours, other)
		}
	})
}
