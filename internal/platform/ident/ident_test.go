package ident_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// An EORI has its country, and a trader's GB and XI EORI have the same digits.
func TestEORIParts(t *testing.T) {
	for text, uk := range map[ident.EORI]bool{"GB123456789000": true, "XI123456789000": true, "IE1234567WA": false} {
		if text.IsUK() != uk || string(text.Country())+text.Digits() != string(text) {
			t.Errorf("%s: UK %v, %s and %s", text, text.IsUK(), text.Country(), text.Digits())
		}
	}
}

// An authorisation has its holder and its date.
func TestUKIMSParts(t *testing.T) {
	u, err := ident.ParseUKIMS("XIUKIM47699357400020231115081800")
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2023, 11, 15, 8, 18, 0, 0, time.UTC); !u.Granted().Equal(want) {
		t.Errorf("granted %s", u.Granted())
	}
	if u.Holder() != "476993574000" {
		t.Errorf("held by %s", u.Holder())
	}
}

// A commodity code has its chapter and heading, a UN/LOCODE its country.
func TestParts(t *testing.T) {
	if c := ident.CommodityCode("6109100010"); c.Chapter() != "61" || c.Heading() != "6109" {
		t.Errorf("%s and %s", c.Chapter(), c.Heading())
	}
	if c := ident.UNLOCODE("GBFXT").Country(); c != "GB" {
		t.Errorf("Felixstowe is in %s", c)
	}
}

// A DUCR consists of year, exporter and reference, and is never longer than CDS accepts.
func TestNewDUCR(t *testing.T) {
	for _, c := range []struct {
		exporter  ident.EORI
		reference string
		want      ident.DUCR
	}{
		{"GB123456789000", "INV-1", "6GB123456789000-INV-1"},
		{"GB123456789000", "1234567890123456789", "6GB123456789000-1234567890123456789"},
		{"GB123456789000123", "1234567890123456", "6GB123456789000123-1234567890123456"},
		{"GB123456789000123", "12345678901234567", ""},
		{"GB123456789000", "", ""},
		{"GB123456789000", "A B_C", ""},
	} {
		got, err := ident.NewDUCR(2026, c.exporter, c.reference)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %q became %q, %v", c.exporter, c.reference, got, err)
		}
	}
}

// The 249 codes of ISO 3166-1 and XI are countries, in capitals, and nothing else is.
func TestCountries(t *testing.T) {
	count := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if _, err := ident.ParseCountry(string(a) + string(b)); err == nil {
				count++
			}
		}
	}
	if count != 250 {
		t.Errorf("%d countries", count)
	}
	for _, code := range strings.Fields("GB IE US CN TW HK GG JE IM AX BQ CW SX SS PS EH ZW XI") {
		if c, err := ident.ParseCountry(code); err != nil || string(c) != code {
			t.Errorf("%s: %q, %v", code, c, err)
		}
	}
	for _, text := range []string{"", "G", "gb", "GBR", " GB", "UK", "EU", "EL", "XK", "ZZ", "QU", "AN", "é", "G1"} {
		if c, err := ident.ParseCountry(text); err == nil {
			t.Errorf("%q was read as %q", text, c)
		}
	}
}

// Every country has one name. It is found in any case by this name, by other common names, and by its code.
func TestCountryNames(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range ident.Countries() {
		if _, err := ident.ParseCountry(string(c)); err != nil || c.Name() == "" || seen[c.Name()] {
			t.Errorf("%s is called %q: %v", c, c.Name(), err)
		}
		seen[c.Name()] = true
		for _, text := range []string{c.Name(), strings.ToUpper(c.Name()), strings.ToLower(string(c))} {
			if got, known := ident.FindCountry(text); !known || got != c {
				t.Errorf("%q is %q", text, got)
			}
		}
	}
	if len(seen) != 250 {
		t.Errorf("%d countries have names", len(seen))
	}
	for text, want := range map[string]ident.Country{"UK": "GB", "usa": "US", "Holland": "NL", "Ivory Coast": "CI", "Turkey": "TR", "Viet Nam": "VN", "": "", "Atlantis": "", "EU": ""} {
		if got, _ := ident.FindCountry(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
	if ident.Country("ZZ").Name() != "" {
		t.Error("ZZ has a name")
	}
}
