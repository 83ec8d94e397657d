package mapping_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
)

// Content counts beside headers that the vocabulary does not have, and a short header is no field that the values are not of.
func TestUnknownHeaders(t *testing.T) {
	raw, err := os.ReadFile("testdata/unknown.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		if len(parts) < 2 {
			continue
		}
		var columns []mapping.Column
		var want []string
		for i, h := range splitHeads(parts[0]) {
			c := mapping.Column{Header: h[0]}
			for _, row := range parts[1:] {
				c.Values = append(c.Values, strings.Split(row, "/")[i])
			}
			columns, want = append(columns, c), append(want, h[1])
		}
		for i, g := range mapping.Map(columns) {
			if g.Field != want[i] {
				t.Errorf("%s is %q, not %q: %s", columns[i].Header, g.Field, want[i], g.Reason)
			}
		}
	}
}

func splitHeads(text string) (all [][2]string) {
	for h := range strings.SplitSeq(text, ";") {
		at := strings.LastIndexByte(h, '=')
		all = append(all, [2]string{h[:at], h[at+1:]})
	}
	return all
}
