package check_test

import (
	"os"
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

// elsewhere are codes of the simulator that no document alone deserves, each with a test of the simulator that provokes it.
var elsewhere = map[string]string{
	"CDS11007": "amendment_test.go", "CDS11012": "amendment_test.go", "CDS12003": "rejection_test.go", "CDS12015": "cancellation_test.go", "CDS12026": "amendment_test.go",
	"CDS12036": "amendment_test.go", "CDS12046": "rejection_test.go", "CDS13000": "course_test.go",
}

// Every code of customs is given above or by the simulator, or the documentation says why not. The documentation lists both.
func TestEveryCode(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "## Codes that are given")
	listed, table, split := strings.Cut(rest, "## Codes that are never given")
	if !found || !split {
		t.Fatal("the documentation has no tables of codes")
	}
	for e := range cdscode.All() {
		_, imported := checktest.WrongImports[e.Code]
		_, exported := checktest.WrongExports[e.Code]
		_, measured := checktest.ByTariff[e.Code]
		file := elsewhere[e.Code]
		given := imported || exported || measured || file != ""
		if explained := strings.Contains(table, "`"+e.Code+"`"); given == explained || given != strings.Contains(listed, "`"+e.Code+"`") {
			t.Errorf("%s: given %t, explained %t, listed %t", e.Code, given, explained, strings.Contains(listed, "`"+e.Code+"`"))
		}
		if file == "" {
			continue
		}
		if test, err := os.ReadFile("../../simulator/cdssim/" + file); err != nil || !strings.Contains(string(test), e.Code) {
			t.Errorf("%s is not provoked in %s (%v)", e.Code, file, err)
		}
	}
}
