package official_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// fetched is the live tables with one line and its measures in every chapter but one.
func fetched(but string, duty string) []official.File {
	lines, measures := strings.SplitN(report, "\n", 2)[0]+"\n", strings.SplitN(measures, "\n", 2)[0]+"\n"
	own := tariff.EmbeddedTree()
	for i := range own.Len() {
		code := own.At(i).Code
		if chapter := code[:2]; nomenclature.IsChapter(code) && chapter != but {
			lines += fmt.Sprintf("%[1]s,a%[1]s,%[1]s00000000,80,A,2021-01-01,,,,\n%[1]s,b%[1]s,%[1]s01000000,80,B,2021-01-01,,a%[1]s,,\n", chapter)
			measures += fmt.Sprintf("1,5,%s01000000,3,B,1,103,x,,%s,2021-01-01,,1011\n2,5,%[1]s01000000,3,B,1,305,x,,20.00%%,2021-01-01,,1011\n", chapter, duty)
		}
	}
	return []official.File{file("commodities-report", lines), file("measures-on-declarable-commodities", measures)}
}

// Tables that are fetched automatically must be complete: every chapter, duties and VAT, and
// at least nine tenths of the previous rows.
func TestEntire(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	how := importing()
	how.Complete = true
	if r, err := official.Import(ctx, s, fetched("", "4.00%"), how); err != nil || r.Declarable != 96 || r.Dutiable != 96 {
		t.Fatalf("%v %+v", err, r)
	}
	whole := fetched("", "5.00%")
	for name, files := range map[string][]official.File{
		"a chapter is missing": fetched("64", "5.00%"),
		"no measures":          fetched("", "5.00%")[:1],
		"no nomenclature":      fetched("", "5.00%")[1:],
		"measures are cut":     {fetched("", "5.00%")[0], cut(t, fetched("", "5.00%")[1], 100)},
		"nomenclature is cut":  {cut(t, fetched("", "5.00%")[0], 100), fetched("", "5.00%")[1]},
	} {
		if _, err := official.Import(ctx, s, files, how); err == nil {
			t.Errorf("%s: is in force", name)
		}
	}
	if r, err := official.Import(ctx, s, whole, how); err != nil || r.Version != 2 {
		t.Errorf("%v %+v", err, r)
	}
}

// cut keeps the first rows of a file.
func cut(t *testing.T, f official.File, rows int) official.File {
	t.Helper()
	text := make([]byte, 1<<20)
	n, err := f.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return file(f.Name, strings.Join(strings.SplitAfter(string(text[:n]), "\n")[:rows], ""))
}
