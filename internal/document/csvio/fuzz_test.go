package csvio_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
)

// encoding/csv reads the cells of a row as they were written, except for the apostrophe before
// a formula; and no cell begins like a formula.
func FuzzRow(f *testing.F) {
	f.Add("a", "b,c\"d\n", "=1+1")
	f.Add("", "\r\n", "-5.20")
	f.Add("@x", "\t=1", "+44 20")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		cells := []string{a, b, c}
		if strings.Contains(a+b+c, "\r") || !utf8.ValidString(a+b+c) {
			return // encoding/csv turns CR LF into LF
		}
		var out bytes.Buffer
		w := csvio.NewWriter(&out)
		if err := w.Row(cells...); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		read, err := csv.NewReader(&out).Read()
		if err != nil || len(read) != len(cells) {
			t.Fatalf("%q is written as %q and read as %q: %v", cells, out.String(), read, err)
		}
		for i, cell := range cells {
			if read[i] != cell && read[i] != "'"+cell {
				t.Errorf("%q is read as %q", cell, read[i])
			}
			if read[i] == cell && cell != "" && strings.ContainsRune("=@", rune(cell[0])) {
				t.Errorf("%q is a formula", cell)
			}
		}
	})
}
