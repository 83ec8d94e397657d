package ident_test

import (
	"encoding/csv"
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// checked reads an identifier and reports whether its check digits are right.
var checked = map[string]func(text string) bool{
	"VRN": func(text string) bool { v, err := ident.ParseVRN(text); return err == nil && v.ValidChecksum() },
	"MRN": func(text string) bool { m, err := ident.ParseMRN(text); return err == nil && m.ValidChecksum() },
	"ARC": func(text string) bool { a, err := ident.ParseARC(text); return err == nil && a.ValidChecksum() },
	"CONTAINER": func(text string) bool {
		c, err := ident.ParseContainer(text)
		return err == nil && c.ValidChecksum()
	},
}

// Right and wrong check digits are distinguished, with both algorithms of the VRN.
func TestCheckDigits(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       bool
	}{
		{"VRN", "123456782", true},  // modulo 97
		{"VRN", "980780684", true},  // modulo 97
		{"VRN", "234567889", true},  // remainder 42
		{"VRN", "432198792", true},  // remainder 42
		{"VRN", "345678967", true},  // remainder 55
		{"VRN", "012345662", false}, // remainder 42 in a range that begins with 0
		{"VRN", "802311781", false}, // neither
		{"VRN", "GD001", true},      // has none
		{"MRN", "26GB1234567890ABC6", true},
		{"MRN", "26XI00A1B2C3D4E5F6", true},
		{"MRN", "25GB9F8E7D6C5B4A31", true},
		{"MRN", "26GB1234567890ABC7", false},
		{"MRN", "26GB1234567809ABC6", false}, // two characters are swapped
		{"ARC", "26GB00000000000123455", true},
		{"ARC", "26XI00000000000543210", true},
		{"ARC", "26XI00000000000543211", false},
		{"CONTAINER", "CSQU3054383", true},
		{"CONTAINER", "CSQU3054384", false},
		{"CONTAINER", "CSQ03054383", false},
	} {
		if got := checked[c.kind](c.text); got != c.want {
			t.Errorf("%s %s: %v", c.kind, c.text, got)
		}
	}
}

// Published test vectors give the published results.
func TestVectors(t *testing.T) {
	f, err := os.Open("../../../../shared/domain/data/common/identifier_test_vectors.csv")
	if err != nil {
		t.Skip("the test vectors are not beside the project")
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, row := range rows[1:] {
		kind, text, want := row[0], row[1], row[2] == "True"
		got, known := isValid(kind, text)
		if !known {
			continue
		}
		tried++
		if got != want {
			t.Errorf("%s %s (%s): %v", kind, text, row[3], got)
		}
	}
	if tried < 30 {
		t.Errorf("only %d vectors were tried", tried)
	}
}

func isValid(kind, text string) (valid, known bool) {
	if check, ok := checked[kind]; ok {
		return check(text), true
	}
	if parse, ok := readers[kind]; ok {
		_, err := parse(text)
		return err == nil, true
	}
	return false, false
}
