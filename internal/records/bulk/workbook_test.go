package bulk_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// workbook returns an XLSX file with values by cell name, such as B2, on its first sheet.
func workbook(t testing.TB, cells map[string]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for at, value := range cells {
		if err := f.SetCellValue("Sheet1", at, value); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.NewSheet("Notes"); err != nil {
		t.Fatal(err)
	}
	if err := f.SetCellValue("Notes", "A1", "not to be read"); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// The first sheet of a workbook is read like its CSV: cells in their columns, empty rows omitted,
// quotes and numbers unchanged.
func TestWorkbook(t *testing.T) {
	s, err := bulk.ReadTable(t.Context(), workbook(t, map[string]any{
		"A2": "Company", "B2": "City", "C2": "Note", "A3": "Müller & Söhne", "C3": `says "no"`, "A5": "B, Ltd", "B5": "Köln", "A6": "=1+1", "B6": 4711, "C6": "01",
	}))
	if err != nil {
		t.Fatal(errorTexts(err))
	}
	rows := [][]string{{"Müller & Söhne", "", `says "no"`}, {"B, Ltd", "Köln", ""}, {"=1+1", "4711", "01"}}
	if got := rowsOf(s); !reflect.DeepEqual(s.Headers, []string{"Company", "City", "Note"}) || !reflect.DeepEqual(got, rows) {
		t.Errorf("headers %q, rows %q", s.Headers, got)
	}
}

// An invalid workbook has the same errors as CSV, with row numbers for lines. CSV is still accepted.
func TestWorkbookRefused(t *testing.T) {
	long, wide := strings.Repeat("x", 2100), map[string]any{}
	for n := range 513 {
		column, _ := excelize.ColumnNumberToName(n + 1)
		wide[column+"1"] = fmt.Sprint("h", n)
	}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"an empty sheet", workbook(t, nil), "file: is empty"},
		{"only headings", workbook(t, map[string]any{"A1": "a"}), "file: has no rows below its headers"},
		{"a row too long", workbook(t, map[string]any{"A1": "a", "A4": "1", "B4": "2"}), "row 1: has 2 cells, not 1 (line 4)"},
		{"duplicate headings", workbook(t, map[string]any{"A1": "a", "B1": "a", "A2": "1"}), `header 2: "a" appears more than once`},
		{"513 columns", workbook(t, wide), "file: has a text of more than 2,000 characters, a row with too many columns, or too many different texts"},
		{"a cell far off", workbook(t, map[string]any{"A1": "a", "XFD2": "1"}), "file: has a text of more than 2,000 characters, a row with too many columns, or too many different texts"},
		{"a long text", workbook(t, map[string]any{"A1": "a", "A2": long}), "file: has a text of more than 2,000 characters, a row with too many columns, or too many different texts"},
		{"another archive", archived(t, "word/document.xml", "<a/>"), "file: is an archive and no workbook; send an XLSX file"},
		{"a damaged one", workbook(t, nil)[:400], "file: is a damaged archive"},
		{"CSV", []byte("a,b\n1\n"), "row 1: has 1 cells, not 2 (line 2)"},
	} {
		_, err := bulk.ReadTable(context.Background(), c.file)
		if got := errorTexts(err); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// A small file that expands to a large workbook is rejected early: by the size of its parts, and by
// the total size of repeated texts.
func TestWorkbookBombs(t *testing.T) {
	sheet := func(rows string) []string {
		return []string{
			"xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="a" Target="worksheets/s.xml"/></Relationships>`,
			"xl/sharedStrings.xml", "<sst><si><t>" + strings.Repeat("x", 1900) + "</t></si></sst>",
			"xl/worksheets/s.xml", "<worksheet><sheetData>" + rows + "</sheetData></worksheet>",
		}
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"blanks": {archived(t, sheet(strings.Repeat(" ", 17<<20))...), "file: is too large when decompressed"},
		"texts":  {archived(t, sheet(strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 20_000))...), "file: has more than 10 MB on its first sheet; split it into several files"},
		"rows":   {archived(t, sheet(strings.Repeat(`<row><c><v>1</v></c></row>`, 100_002))...), "file: has more than 100000 rows; split it into several files"},
		"places": {archived(t, sheet(`<row r="2"/><row r="2000000000"><c><v>1</v></c></row>`)...), "file: has rows in the wrong order"},
	} {
		if len(c.file) > 1<<20 {
			t.Errorf("%s: the file itself has %d bytes", name, len(c.file))
		}
		_, err := bulk.ReadTable(context.Background(), c.file)
		if got := errorTexts(err); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// archived returns a ZIP archive of parts, each a name and its content.
func archived(t testing.TB, parts ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(parts); i += 2 {
		part, err := w.Create(parts[i])
		if err == nil {
			_, err = part.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Any bytes are either rejected with errors or read into rows as wide as the header.
func FuzzWorkbook(f *testing.F) {
	f.Add(workbook(f, map[string]any{"A1": "Name", "B1": "City", "A2": "B Ltd", "B3": 1.5}))
	f.Add(workbook(f, map[string]any{"C3": "a", "XFD4": true}))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := bulk.ReadTable(t.Context(), append([]byte("PK\x03\x04"), file[min(4, len(file)):]...))
		if err != nil {
			if said := errorTexts(err); len(said) == 0 || len(said) > 100 {
				t.Errorf("%d errors: %v", len(said), err)
			}
			return
		}
		for cells := range s.Rows() {
			if len(cells) != len(s.Headers) {
				t.Errorf("row %q of %q", cells, s.Headers)
			}
		}
	})
}
