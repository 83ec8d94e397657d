package check_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check/checktest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// Every code that the checks have is given to a declaration that deserves it, as the only refusal, with a pointer that leads
// somewhere, words and a cure.
func TestCodes(t *testing.T) {
	run := func(d wco.Declaration, change checktest.Change, code string, o check.Options) {
		change(&d)
		o.Day = today
		found := false
		for _, f := range check.Run(&d, o) {
			if f.Severity != check.Refusal {
				continue
			}
			p, err := pointer.Parse(f.Pointer)
			if err != nil || !p.Known() || f.Message == "" || f.Cure == "" {
				t.Errorf("%s: %+v is incomplete (%v)", code, f, err)
			}
			if f.Code != code {
				t.Errorf("%s: also %s %s", code, f.Code, f.Message)
			}
			found = found || f.Code == code
		}
		if !found {
			t.Errorf("%s is not given", code)
		}
		if !cdscode.Explain(code).Known {
			t.Errorf("%s is no code of customs", code)
		}
	}
	for code, change := range checktest.WrongImports {
		run(checktest.Import(), change, code, check.Options{})
	}
	for code, change := range checktest.WrongExports {
		run(checktest.Export(), change, code, check.Options{})
	}
	for code, c := range checktest.ByTariff {
		run(checktest.Import(), func(*wco.Declaration) {}, code, check.Options{Goods: func(string, string) check.Commodity { return c }})
	}
}

// elsewhere are codes of the simulator that no document alone deserves.
var elsewhere = []string{"CDS11007", "CDS11012", "CDS12003", "CDS12015", "CDS12026", "CDS12036", "CDS12046", "CDS13000"}

// Every code of customs is given above or by the simulator, or the documentation says why not.
func TestEveryCode(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "## Codes that are never given")
	if !found {
		t.Fatal("the documentation has no table of codes")
	}
	for e := range cdscode.All() {
		_, imported := checktest.WrongImports[e.Code]
		_, exported := checktest.WrongExports[e.Code]
		_, measured := checktest.ByTariff[e.Code]
		given := imported || exported || measured || slices.Contains(elsewhere, e.Code)
		if explained := strings.Contains(table, "`"+e.Code+"`"); given == explained {
			t.Errorf("%s: given %t, explained %t", e.Code, given, explained)
		}
	}
}
