package ident_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Any identifier that is parsed is short upper-case ASCII and parses to itself, its methods work, and an error contains
// no part of the input.
func FuzzIdentifiers(f *testing.F) {
	for _, text := range []string{
		"GB123456789000", "xi 123456789000123", "6109 10 00 10", "GMRA00000ABC", "GB", "GBUKIM12345678900020260229120000", "6GB123456789000-A(1)/B-2",
		"MSKU1234565", "26GB0000000000ABC5", "GBFXT", "GB 123 4567 82", "GD001", "HA599", "00445790", "ſı", "ＧＢ１２", "SC123456", "26GB00000000000000000",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for kind, read := range readers {
			once, err := read(text)
			if err != nil {
				if once != "" && kind != "EORI" && kind != "VRN" {
					t.Errorf("%s: %q is refused, and %q", kind, text, once)
				}
				if len(text) > 12 && strings.Contains(err.Error(), text) {
					t.Errorf("%s: the refusal repeats %q", kind, text)
				}
				continue
			}
			if again, err := read(once); err != nil || again != once {
				t.Errorf("%s: %q is read as %q, and that as %q: %v", kind, text, once, again, err)
			}
			if len(once) > 40 || strings.ContainsFunc(once, func(r rune) bool { return r <= ' ' || r > '~' || r >= 'a' && r <= 'z' }) {
				t.Errorf("%s: %q is read as %q", kind, text, once)
			}
		}
		if c, err := ident.ParseCountry(text); err == nil && string(c) != text {
			t.Errorf("%q is read as the country %s", text, c)
		}
		callMethods(text)
	})
}

// callMethods calls all methods of identifiers.
func callMethods(text string) {
	if e, err := ident.ParseEORI(text); err == nil {
		_, _ = e.Country(), e.Digits()
	}
	if u, err := ident.ParseUKIMS(text); err == nil {
		_, _ = u.Holder(), u.Granted()
	}
	if v, err := ident.ParseVRN(text); err == nil {
		_ = v.ValidChecksum()
	}
	if m, err := ident.ParseMRN(text); err == nil {
		_ = m.ValidChecksum()
	}
	if c, err := ident.ParseContainer(text); err == nil {
		_ = c.ValidChecksum()
	}
	if a, err := ident.ParseARC(text); err == nil {
		_ = a.ValidChecksum()
	}
}
