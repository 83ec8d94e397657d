package bulk_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

func read(t testing.TB, file string) *bulk.Sheet {
	t.Helper()
	s, err := bulk.ReadSheet([]byte(file))
	if err != nil {
		t.Fatalf("%.200q: %v", file, err)
	}
	return s
}

func rowsOf(s *bulk.Sheet) (rows [][]string) {
	for cells := range s.Rows() {
		rows = append(rows, slices.Clone(cells))
	}
	return rows
}

// A table is read the same in every encoding, with every delimiter and every line ending.
func TestSheetEncodings(t *testing.T) {
	headers := []string{"Company", "City", "Note"}
	rows := [][]string{{"Müller & Söhne", "Köln", `says "no"`}, {"Café €", "", "two\nlines"}, {" A ", "B", "=1+1"}}
	bom := "\ufeff"
	for name, encode := range map[string]func(string) string{
		"UTF-8":             func(s string) string { return s },
		"UTF-8 with a mark": func(s string) string { return bom + s },
		"UTF-16LE with a mark": func(s string) string {
			out, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(s)
			return out
		},
		"UTF-16BE with a mark": func(s string) string {
			out, _ := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(s)
			return out
		},
		"UTF-16LE": func(s string) string {
			out, _ := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String(s)
			return out
		},
		"UTF-16BE": func(s string) string {
			out, _ := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String(s)
			return out
		},
		"Windows-1252": func(s string) string { out, _ := charmap.Windows1252.NewEncoder().String(s); return out },
	} {
		for _, comma := range []string{",", ";", "\t"} {
			for _, end := range []string{"\r\n", "\n", "\r"} {
				s := read(t, encode(tabled(append([][]string{headers}, rows...), comma, end)))
				if got := rowsOf(s); !reflect.DeepEqual(s.Headers, headers) || !reflect.DeepEqual(got, rows) {
					t.Errorf("%s, %q, %q: %q %q", name, comma, end, s.Headers, got)
				}
			}
		}
	}
}

func tabled(rows [][]string, comma, end string) string {
	var out strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				out.WriteString(comma)
			}
			if strings.ContainsAny(cell, "\"\r\n"+comma) {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			out.WriteString(cell)
		}
		out.WriteString(end)
	}
	return out.String()
}

// Peculiarities of tables from spreadsheets and people are handled.
func TestSheetPeculiarities(t *testing.T) {
	for _, c := range []struct {
		name, file string
		headers    []string
		rows       [][]string
	}{
		{"no end of line at the end", "a,b\n1,2", []string{"a", "b"}, [][]string{{"1", "2"}}},
		{"empty lines and empty rows", "\n\r\na,b\n\n1,2\n,\n  ,\n3,4\n\n", []string{"a", "b"}, [][]string{{"1", "2"}, {"3", "4"}}},
		{"a line that names the delimiter", "sep=;\r\na;b\r\n1,5;2\r\n", []string{"a", "b"}, [][]string{{"1,5", "2"}}},
		{"commas in a semicolon table", "Name;Address\nA;1 Mill Lane, Hull\nB;2, 3 and 4, Quay\n", []string{"Name", "Address"},
			[][]string{{"A", "1 Mill Lane, Hull"}, {"B", "2, 3 and 4, Quay"}}},
		{"one column", "Name\nA\nB\n", []string{"Name"}, [][]string{{"A"}, {"B"}}},
		{"blanks around headers", " Name , City\nA,B\n", []string{"Name", "City"}, [][]string{{"A", "B"}}},
		{"a quote within a cell", "a,b\n5\" pipe,it's\n", []string{"a", "b"}, [][]string{{`5" pipe`, "it's"}}},
		{"no header", "A Ltd,GB123456789000\nB Ltd,GB123456789001\n", []string{"Column 1", "Column 2"},
			[][]string{{"A Ltd", "GB123456789000"}, {"B Ltd", "GB123456789001"}}},
		{"a formula", "a,b\n=1+1,@x\n", []string{"a", "b"}, [][]string{{"=1+1", "@x"}}},
	} {
		s := read(t, c.file)
		if got := rowsOf(s); !reflect.DeepEqual(s.Headers, c.headers) || !reflect.DeepEqual(got, c.rows) {
			t.Errorf("%s: %q %q", c.name, s.Headers, got)
		}
	}
}

// An invalid file is rejected with all its errors, with row and column where possible.
func TestSheetErrors(t *testing.T) {
	wide := strings.TrimSuffix(strings.Repeat("h,", 10_001), ",") + "\n"
	headers := make([]string, 513)
	for i := range headers {
		headers[i] = fmt.Sprint("h", i)
	}
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"no bytes", "", []string{"file: is empty"}},
		{"blanks", "\r\n \n", []string{"file: is empty"}},
		{"only a header", "a,b\n\n", []string{"file: has no rows below its headers"}},
		{"a row too short and one too long", "a,b\n1\n1,2\n1,2,3\n", []string{"row 1: has 1 cells, not 2 (line 2)", "row 3: has 3 cells, not 2 (line 4)"}},
		{"an open quote", "a,b\n1,2\n3,\"4\n5,6\n", []string{"row 2: has an opening quote without a closing quote (line 3)"}},
		{"an open quote in the header", "a,\"b\n1,2\n", []string{"headers: has an opening quote without a closing quote"}},
		{"text after a quote", "a,b\n\"1\"x,2\n3,4\n", []string{"row 1: has text after a closing quote (line 2)"}},
		{"a zero byte", "a,b\n1,2\n3,4\x005\n", []string{"row 2, b: contains the character U+0000 (line 3)"}},
		{"a zero byte in a header", "a,b\x00\n1,2\n", []string{"header 2: contains the character U+0000"}},
		{"empty and duplicate headers", "a,,a\n1,2,3\n", []string{"header 2: is empty", `header 3: "a" appears more than once`}},
		{"a long header", strings.Repeat("h", 101) + ",b\n1,2\n", []string{"header 1: has 101 bytes; the maximum is 100"}},
		{"10,001 columns", wide + wide, []string{"headers: has 10001 columns; the maximum is 512"}},
		{"513 columns", tabled([][]string{headers, headers}, ",", "\n"), []string{"headers: has 513 columns; the maximum is 512"}},
		{"a row of 10,001 columns", "a,b\n" + wide, []string{"row 1: has 10001 cells, not 2 (line 2)"}},
		{"a long cell", "a,b\n1," + strings.Repeat("x", 256<<10+1) + "\n", []string{"row 1: has a cell of 262145 bytes; the maximum is 262144 (line 2)"}},
		{"100,001 rows", "a\n" + strings.Repeat("1\n", 100_001), []string{"file: has more than 100000 rows; split it into several files"}},
		{"an image", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", []string{"file: is not a table but a PNG image"}},
		{"another image", "\xff\xd8\xff\xe0\x00\x10JFIF", []string{"file: is not a table but a JPEG image"}},
		{"a document", "%PDF-1.7\n", []string{"file: is not a table but a PDF document"}},
		{"a workbook", "PK\x03\x04\x14\x00", []string{"file: is not a table but an Excel workbook or another archive: save the sheet as CSV"}},
		{"an old workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", []string{"file: is not a table but an old Excel workbook or Word document: save the sheet as CSV"}},
	} {
		_, err := bulk.ReadSheet([]byte(c.file))
		if got := errorTexts(err); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func errorTexts(err error) (words []string) {
	f, ok := apierr.As(err)
	if !ok {
		return []string{fmt.Sprint(err)}
	}
	for _, d := range f.Details {
		words = append(words, d.Field+": "+d.Message)
	}
	return words
}

// At most 100 errors are reported.
func TestSheetErrorsAreCapped(t *testing.T) {
	_, err := bulk.ReadSheet([]byte("a,b\n" + strings.Repeat("1\n", 5000)))
	if got := errorTexts(err); len(got) != 100 || got[99] != "row 100: has 1 cells, not 2 (line 101)" {
		t.Errorf("%d errors, the last %q", len(got), got[len(got)-1])
	}
}

// A table whose JSON would exceed the limit of an import is rejected when it is read.
func TestSheetTooLargeAsJSON(t *testing.T) {
	var file strings.Builder
	for i := range 150 {
		fmt.Fprintf(&file, "%s%d,", strings.Repeat("h", 90), i)
	}
	file.WriteString("x\n" + strings.Repeat(strings.Repeat(",", 150)+"1\n", 30_000))
	_, err := bulk.ReadSheet([]byte(file.String()))
	if got := errorTexts(err); len(got) != 1 || !strings.Contains(got[0], "file: takes") {
		t.Errorf("got %q", got)
	}
}

// A row as JSON decodes to the same row.
func TestAppendRow(t *testing.T) {
	s := read(t, "a,\"b \"\"c\"\"\"\n\"1\t\\\",é\n")
	for cells := range s.Rows() {
		var got map[string]string
		if err := json.Unmarshal(s.AppendRow(nil, cells), &got); err != nil || !reflect.DeepEqual(got, map[string]string{"a": "1\t\\", `b "c"`: "é"}) {
			t.Errorf("got %q, %v", got, err)
		}
	}
}

// Reading a table allocates at most six times its size, even for malicious files.
func TestSheetMemory(t *testing.T) {
	const size = bulk.MaxFile
	for name, file := range map[string][]byte{
		"sound":             []byte("Name,City\n" + strings.Repeat(strings.Repeat("x", 60)+","+strings.Repeat("y", 60)+"\n", size/125)),
		"one line":          bytes.Repeat([]byte(","), size),
		"one long quote":    append([]byte("a,b\n\""), bytes.Repeat([]byte(`""`), size/2-3)...),
		"one row of commas": append([]byte("a,b\n"), bytes.Repeat([]byte(","), size-4)...),
		"bare line ends":    bytes.Repeat([]byte("\r"), size),
		"Windows-1252":      append([]byte("a,b\n"), bytes.Repeat([]byte("\x80"), size-4)...),
		"quotes":            bytes.Repeat([]byte(`"`), size),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := bulk.ReadSheet(file)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 6*size {
			t.Errorf("%s: %d MB", name, taken>>20)
		}
		if (err == nil) != (name == "sound") || (s == nil) == (name == "sound") {
			t.Errorf("%s: %v", name, errorTexts(err))
		}
	}
}

// Any file is either rejected with errors or read into rows as wide as the header that convert to
// JSON.
func FuzzSheet(f *testing.F) {
	for _, file := range []string{"a,b\n1,2\n", "sep=;\na;b\n1;2", "\xff\xfea\x00\n\x001\x00", "\"a\"\"\",b\r\n1,\"2\n3\"\r\n", "\ufeffa\tb\r1\t2", "a\n\x80"} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := bulk.ReadSheet(file)
		if err != nil {
			if len(errorTexts(err)) == 0 {
				t.Errorf("an error without details: %v", err)
			}
			return
		}
		rows := 0
		for cells := range s.Rows() {
			rows++
			if len(cells) != len(s.Headers) || !json.Valid(s.AppendRow(nil, cells)) {
				t.Errorf("row %q of %q", cells, s.Headers)
			}
		}
		if rows == 0 {
			t.Error("no rows")
		}
		if guesses := mapping.Map(s.Columns()); len(guesses) != len(s.Headers) {
			t.Errorf("guessed %v", guesses)
		}
	})
}
