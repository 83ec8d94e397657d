package official_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// refused imports invalid files and returns the error.
func refused(t *testing.T, s official.Store, files ...official.File) *importerr.Error {
	t.Helper()
	before, _ := s.TariffStamp(ctx)
	_, err := official.Import(ctx, s, files, importing())
	var wrong *importerr.Error
	if !errors.As(err, &wrong) {
		t.Fatalf("%s: %v", files[0].Name, err)
	}
	if after, _ := s.TariffStamp(ctx); after != before {
		t.Errorf("%s: something is in force of it", files[0].Name)
	}
	return wrong
}

// Each invalid row is reported with its file and number, and nothing is imported, not even
// valid files.
func TestBrokenRows(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, everything()...)
	for name, c := range map[string]struct {
		text string
		rows []int
	}{
		"code":               {strings.Replace(lines, "6109100090", "61091000", 1), []int{7}},
		"letters":            {strings.Replace(lines, "6109100090", "61O9100090", 1), []int{7}},
		"indent":             {strings.Replace(lines, "T-shirts,1,3", "T-shirts,1,three", 1), []int{6}},
		"suffix":             {strings.Replace(lines, "6109100010,x,80", "6109100010,x,8", 1), []int{6}},
		"end line":           {strings.Replace(lines, "T-shirts,1,3", "T-shirts,yes,3", 1), []int{6}},
		"date":               {strings.Replace(lines, "80,1972-01-01,,2", "80,1972-13-01,,2", 1), []int{3}},
		"no date":            {strings.Replace(lines, "80,1972-01-01,,2", "80,,,2", 1), []int{3}},
		"ends early":         {strings.Replace(lines, "2030-12-31", "1971-12-31", 1), []int{8}},
		"twice":              {lines + "Other,1,3,6109100090,x,80,2022-01-01,,6\n", []int{10}},
		"orphan":             {lines + "Other,1,1,0101100090,x,80,1972-01-01,,6\n", []int{10}},
		"too few cells":      {strings.Replace(lines, "Of cotton,0,1,", "Of cotton,0,", 1), []int{4}},
		"two of them":        {strings.Replace(strings.Replace(lines, "Other,1,3", "Other,1,99", 1), "T-shirts,1,3", "T-shirts,1,-3", 1), []int{6, 7}},
		"unclosed quote":     {strings.Replace(lines, "singlets\"", "singlets", 1), []int{3}},
		"not UTF-8":          {strings.Replace(lines, "Of fine", "Of f\xffne", 1), []int{5}},
		"duty":               {strings.Replace(duties, "0.0%,x\n1", "free,x\n1", 1), []int{3}},
		"no duty":            {strings.Replace(duties, "0.0%,x\n1", ",x\n1", 1), []int{3}},
		"two duties":         {duties + "6109100000,11.00%,x\n", []int{5}},
		"code of duty":       {strings.Replace(duties, "\n1012100", "\n101210", 1), []int{4}},
		"no codes we know":   {"commodity,ukgt_duty_rate\n1012100,0.0%\n", []int{0}},
		"no rows":            {"commodity,ukgt_duty_rate\n", []int{0}},
		"report: no parent":  {strings.Replace(report, "1972-01-01,#NA,4,6109100000", "1972-01-01,#NA,44,6109100000", 1), []int{8}},
		"report: own parent": {strings.Replace(report, "1972-01-01,#NA,4,6109100000", "1972-01-01,#NA,6,6109100000", 1), []int{8}},
		"measure: date":      {strings.Replace(measures, "2026-07-01", "1 July 2026", 1), []int{3}},
		"measure: duty":      {strings.Replace(measures, "8.00 %", "8.00 per cent", 1), []int{3}},
		"measure: VAT":       {strings.Replace(measures, "20.00%", "17.50%", 1), []int{6}},
		"measure: code":      {strings.Replace(measures, ",6109100090,", ",610910009,", 1), []int{8}},
		"measure: two":       {measures + "9,5,6109100010,3,x,9,103,x,#NA,9.00 %,2026-07-01,#NA,1011\n", []int{13}},
		"CHIEF: date":        {strings.Replace(chief, "2007-10-01 00:00:00,6109100000,0\n3", "2007-10-01 soon,6109100000,0\n3", 1), []int{3}},
		"CHIEF: code":        {strings.Replace(chief, "6109000000", "6109", 1), []int{2}},
		"unit":               {strings.Replace(units, `"2030"`, `2030`, 1), []int{1}},
		"unit: none":         {`{"6109100010": {"unit1": "1023"}}`, []int{1}},
		"unit: code":         {strings.Replace(units, "6109900000", "6109", 1), []int{2}},
		"reference: code":    {strings.Replace(references, `"6109100010"`, `"6109"`, 1), []int{3}},
		"reference: words":   {strings.Replace(references, `"knitwear"`, `""`, 1), []int{2}},
		"reference: shape":   {strings.Replace(references, `"knitwear"`, `7`, 1), []int{2}},
		"parcel: code":       {strings.Replace(parcels, `"6109000000"`, `"61090"`, 1), []int{2}},
		"parcel: shape":      {strings.Replace(parcels, `"6109000000"`, `true`, 1), []int{2}},
		"advice":             {strings.Replace(intercepts, "  :message: \"See heading 6109 or sub", "  :text: \"See heading 6109 or sub", 1), []int{5}},
		"label":              {strings.Replace(labelled, `"6109"`, `6109`, 1), []int{3}},
		"label: cut":         {labelled[:len(labelled)-10], []int{3}},
		"long words":         {strings.Replace(parcels, "vest", strings.Repeat("vest ", 101), 1), []int{2}},
		"cut JSON":           {units[:len(units)-20], []int{0}},
		"cut JSON list":      {references[:len(references)-20], []int{0}},
		"more JSON":          {units + "{}", []int{0}},
		"a page":             {"<!DOCTYPE html>\n<html><body>Not here</body></html>\n", []int{1}},
		"nothing":            {"", []int{1}},
		"other table":        {"a,b\n1,2\n", []int{1}},
		"zip":                {"PK\x03\x04\x14\x00\x00", []int{1}},
		"YAML":               {"a:\n  :title: [\n", []int{0}},
	} {
		wrong := refused(t, s, file("good", labelled), file(name, c.text))
		var rows []int
		for _, f := range wrong.Faults {
			if f.File == name {
				rows = append(rows, f.Row)
			}
			if f.Message == "" {
				t.Errorf("%s: says nothing", name)
			}
		}
		if !slices.Equal(rows, c.rows) || len(rows) != len(wrong.Faults) || wrong.More {
			t.Errorf("%s: rows %v, want %v: %v", name, rows, c.rows, wrong)
		}
	}
}

// Two tables of one kind, and codes without a nomenclature, are refused.
func TestTablesThatDoNotGoTogether(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	refused(t, s, file("a", lines), file("b", report))
	refused(t, s, file("duties", duties))
	refused(t, s, file("units", units))
	load(t, s, file("references", references), file("one", labelled), file("two", labelled))
	if now := current(t, s); len(now.Labelled) != 4 || len(now.References) != 3 {
		t.Errorf("%d labelled, %d references", len(now.Labelled), len(now.References))
	}
}

// Reading stops after many errors and says so.
func TestManyFaults(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	wrong := refused(t, s, file("duties", "commodity,ukgt_duty_rate\n"+strings.Repeat("61091000,free\n", 500)), file("lines", "x,y\n"))
	if len(wrong.Faults) != 50 || !wrong.More || !strings.Contains(wrong.Error(), "duties, row 2: ") {
		t.Errorf("%d faults: %v", len(wrong.Faults), wrong)
	}
}

// endless is a file with a row that never ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += len(p)
	return len(p), nil
}

// A file without an end is not read to its end, whatever its format.
func TestEndlessFiles(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	for _, beginning := range []string{"", "commodity,ukgt_duty_rate\n\"", "commodity,ukgt_duty_rate\n61091000,\"12.00%", `{"a": "`, "a:\n  :title: \""} {
		more := &endless{}
		wrong := refused(t, s, official.File{Name: beginning, Reader: io.MultiReader(strings.NewReader(beginning), more)})
		if len(wrong.Faults) == 0 || more.read > 70<<20 {
			t.Errorf("%q: read %d bytes: %v", beginning, more.read, wrong)
		}
	}
}

// An invalid row in the middle of the published nomenclature is reported and changes nothing.
func TestPublishedFileBroken(t *testing.T) {
	text, err := io.ReadAll(open(t, whole[0])[0])
	if err != nil {
		t.Fatal(err)
	}
	s := storetest.SQLite(t).Open(t)
	load(t, s, file("lines", lines))
	rows := strings.Split(string(text), "\n")
	rows[12_000] = strings.Replace(rows[12_000], "20", "2O", 1)
	wrong := refused(t, s, file("broken", strings.Join(rows, "\n")))
	if len(wrong.Faults) != 1 || wrong.Faults[0].Row < 12_001 {
		t.Errorf("%v", wrong)
	}
	if now := current(t, s); now.Version != 1 || now.Tree.Len() != 7 {
		t.Errorf("version %d, %d lines", now.Version, now.Tree.Len())
	}
}

// A file that is cut anywhere is imported or refused.
func TestCutFiles(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	for _, text := range []string{lines, duties, chief, units, references, parcels, intercepts, labelled, report, measures} {
		for n := 0; n < len(text); n += 7 {
			cut := file(fmt.Sprint(n), text[:n])
			if _, err := official.Import(ctx, unchanging{s}, []official.File{cut}, importing()); err == nil {
				continue
			} else if wrong := (*importerr.Error)(nil); !errors.As(err, &wrong) {
				t.Fatalf("%d bytes of %.20q: %v", n, text, err)
			}
		}
	}
}

// unchanging accepts everything and stores nothing.
type unchanging struct{ official.Store }

func (unchanging) PutTariff(_ context.Context, _ official.Stamp, e official.Edition, _ official.Contents) (official.Edition, error) {
	return e, nil
}

// Any bytes are imported or refused.
func FuzzImport(f *testing.F) {
	for _, text := range []string{lines, duties, chief, units, references, parcels, intercepts, labelled, report, measures} {
		f.Add([]byte(text))
	}
	s := unchanging{storetest.SQLite(f).Open(f)}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := official.Import(ctx, s, []official.File{file("fuzz", string(text))}, importing())
		if wrong := (*importerr.Error)(nil); err != nil && !errors.As(err, &wrong) {
			t.Fatal(err)
		}
	})
}
