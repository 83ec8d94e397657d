package filing_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// The name of a record is its reference or, without one, a description of its contents.
func TestName(t *testing.T) {
	for _, c := range []struct{ body, brief, added, want string }{
		{`{"name":"Mill Lane Ltd","reference":""}`, ``, `{}`, "Mill Lane Ltd"},
		{`{"reference":"MINE"}`, ``, `{"lrn":"TWS1","mrn":null}`, "TWS1"},
		{`{"goodsDescription":"Chairs"}`, ``, `{"mrn":"26GB1"}`, "26GB1"},
		{`{"goodsDescription":"Chairs"}`, ``, ``, "Chairs"},
		{`{"name":"whole"}`, `{"name":"brief"}`, `{}`, "brief"},
		{`{"key":7,"quarter":"2026-Q4"}`, ``, `{}`, "2026-Q4"},
		{`{"items":[]}`, ``, `{}`, ""},
		{`not JSON`, ``, ``, ""},
		{`{"name":"` + strings.Repeat("é", 61) + `"}`, ``, ``, strings.Repeat("é", 59) + "…"},
	} {
		f := filing.Filing{Body: []byte(c.body), Added: []byte(c.added)}
		if c.brief != "" {
			f.Brief = []byte(c.brief)
		}
		if got := f.Name(); got != c.want {
			t.Errorf("%s %s %s: %q, not %q", c.body, c.brief, c.added, got, c.want)
		}
	}
}
