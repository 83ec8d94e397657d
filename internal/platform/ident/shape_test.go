package ident_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// reader reads one kind of identifier as plain text.
type reader func(text string) (string, error)

func read[T ~string](parse func(string) (T, error)) reader {
	return func(text string) (string, error) {
		v, err := parse(text)
		return string(v), err
	}
}

var readers = map[string]reader{
	"EORI":           read(ident.ParseEORI),
	"VRN":            read(ident.ParseVRN),
	"MRN":            read(ident.ParseMRN),
	"ARC":            read(ident.ParseARC),
	"DUCR":           read(ident.ParseDUCR),
	"GMR":            read(ident.ParseGMR),
	"UKIMS":          read(ident.ParseUKIMS),
	"COMMODITY":      read(ident.ParseCommodityCode),
	"COMPANY_NUMBER": read(ident.ParseCompanyNumber),
	"UNLOCODE":       read(ident.ParseUNLOCODE),
	"CONTAINER":      read(ident.ParseContainer),
}

// Well-formed text is read in its normal form: upper case, without spaces.
func TestWellFormed(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"EORI", "GB123456789000", "GB123456789000"},
		{"EORI", " xi 123456789 000 ", "XI123456789000"},
		{"EORI", "GB123456789000123", "GB123456789000123"},
		{"EORI", "FR12345678901234", "FR12345678901234"},
		{"EORI", "IE1234567WA", "IE1234567WA"},
		{"VRN", "GB 123 4567 82", "123456782"},
		{"VRN", "xi123456782", "123456782"},
		{"VRN", "123.456.782-001", "123456782"},
		{"VRN", "GBGD001", "GD001"},
		{"VRN", "HA500", "HA500"},
		{"MRN", "26gb1234567890abc6", "26GB1234567890ABC6"},
		{"ARC", "26GB00000000000123455", "26GB00000000000123455"},
		{"DUCR", "6GB123456789000-INV/2026(1)", "6GB123456789000-INV/2026(1)"},
		{"GMR", "gmri000023kn", "GMRI000023KN"},
		{"UKIMS", "XIUKIM 476993574000 20231115081800", "XIUKIM47699357400020231115081800"},
		{"COMMODITY", "6109 10 00 10", "6109100010"},
		{"COMMODITY", "610910", "610910"},
		{"COMPANY_NUMBER", "sc123456", "SC123456"},
		{"COMPANY_NUMBER", "00000006", "00000006"},
		{"COMPANY_NUMBER", "R0000012", "R0000012"},
		{"COMPANY_NUMBER", "BR001234", "BR001234"},
		{"COMPANY_NUMBER", "IP12345R", "IP12345R"},
		{"COMPANY_NUMBER", "SP1234RS", "SP1234RS"},
		{"UNLOCODE", "GB FXT", "GBFXT"},
		{"UNLOCODE", "XZ222", "XZ222"},
		{"CONTAINER", "csqu 305438 3", "CSQU3054383"},
	} {
		if got, err := readers[c.kind](c.text); err != nil || got != c.want {
			t.Errorf("%s %q was read as %q, %v", c.kind, c.text, got, err)
		}
	}
}

// Malformed text is rejected, and nothing is returned with the error.
func TestMalformed(t *testing.T) {
	for kind, texts := range map[string][]string{
		"EORI":           {"", "GB", "GB12345", "GB1234567890001", "XI12345678900A", "123456789000", "FR1234567890123456", "GB123456789000\x00", "GB12345678900０", "ﬁ123"},
		"VRN":            {"", "12345678", "1234567890", "FR123456782", "GD500", "HA499", "GBGB123456782"},
		"MRN":            {"", "26GB1234567890ABC", "26GB1234567890ABCD", "2GGB1234567890ABC6", "26GB1234567890ABC66", "26GB12345678-0ABC6"},
		"ARC":            {"", "26GB1234567890ABC6", "26GB0000000000012345X", "26GB000000000001234556"},
		"DUCR":           {"", "GB123456789000-1", "6GB123456789000", "6GB123456789000-", "6GB123456789000-12345678901234567890", "6GB123456789000123-12345678901234567", "6GB123456789000-A_B", "6GB12345-INV1"},
		"GMR":            {"", "GMR12345", "GMR1000023KN", "GMRI000023KNX"},
		"UKIMS":          {"", "UKIM123", "FRUKIM47699357400020231115081800", "XIUKIM47699357400020231315081800", "XIUKIM47699357400020230230081800", "XIUKIM4769935740002023111508180"},
		"COMMODITY":      {"", "61091", "61091000101", "6109.10", "ABCDEF", "６１０９１０"},
		"COMPANY_NUMBER": {"", "1234567", "123456789", "XX123456", "SC12345", "SC12345R", "R123456", "ſC123456"},
		"CONTAINER":      {"", "CSQU305438", "CSQA3054383", "CS1U3054383", "CSQU30543830"},
		"UNLOCODE":       {"", "GBFX", "GBFX1", "ZZFXT", "XIBEL", "GBFXTX"},
	} {
		for _, text := range texts {
			if got, err := readers[kind](text); err == nil || got != "" {
				t.Errorf("%s %q was read as %q", kind, text, got)
			}
		}
	}
}

// Long text costs no more than reading it.
func TestLongTextIsRefused(t *testing.T) {
	long := make([]byte, 1<<20)
	for i := range long {
		long[i] = ' '
	}
	for kind, parse := range readers {
		if _, err := parse(string(long)); err == nil {
			t.Errorf("%s was read from a megabyte of spaces", kind)
		}
	}
}
