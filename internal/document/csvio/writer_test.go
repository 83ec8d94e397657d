package csvio_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
)

// A cell is quoted only if it must be. A formula gets an apostrophe; a number does not.
func TestCell(t *testing.T) {
	for _, c := range []struct{ cell, want string }{
		{"", ""}, {"plain", "plain"}, {" spaces ", " spaces "}, {"Łódź", "Łódź"}, {"it's", "it's"}, {"semi;colon", "semi;colon"},
		{"a,b", `"a,b"`}, {`say "no"`, `"say ""no"""`}, {`"`, `""""`}, {"two\nlines", "\"two\nlines\""}, {"two\r\nlines", "\"two\r\nlines\""},
		{"＝1+1", "'＝1+1"}, {"＋1", "'＋1"}, {"－1", "'－1"}, {"＠SUM(A1)", "'＠SUM(A1)"}, {"\n=1+1", "\"'\n=1+1\""}, {"\ufeff=1+1", "'\ufeff=1+1"},
		{"\ufeff\ufeff@A1", "'\ufeff\ufeff@A1"}, {"\ufeffA", "\ufeffA"}, {"\ufeff", "\ufeff"}, {"ｘ", "ｘ"}, {"\ufeff-5", "\ufeff-5"},
		{"=1+1", "'=1+1"}, {"@SUM(A1)", "'@SUM(A1)"}, {"+cmd", "'+cmd"}, {"-cmd", "'-cmd"}, {"\tx", "'\tx"}, {"\rx", "\"'\rx\""},
		{`=HYPERLINK("http://x","y")`, `"'=HYPERLINK(""http://x"",""y"")"`}, {"=", "'="}, {"-", "'-"}, {"+", "'+"},
		{"-12", "-12"}, {"+12", "+12"}, {"-12.50", "-12.50"}, {"-1e5", "-1e5"}, {"-1.5E-05", "-1.5E-05"}, {"-0", "-0"},
		{"-12.", "'-12."}, {"-.5", "'-.5"}, {"-1e", "'-1e"}, {"-1e+", "'-1e+"}, {"--1", "'--1"}, {"-1-1", "'-1-1"}, {"-1,5", `"'-1,5"`},
		{"+44 20 7946 0000", "'+44 20 7946 0000"}, {"-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"}, {"-١", "'-١"}, {"=5", "'=5"},
		{"a=b", "a=b"}, {"'=1", "'=1"}, {"1-1", "1-1"}, {"12.5", "12.5"},
	} {
		if got := string(csvio.AppendCell(nil, c.cell)); got != c.want {
			t.Errorf("%q: %q, want %q", c.cell, got, c.want)
		}
		if got := string(csvio.AppendCell([]byte("x,"), []byte(c.cell))); got != "x,"+c.want {
			t.Errorf("bytes of %q: %q", c.cell, got)
		}
	}
}

// A reader of RFC 4180 gets back the cells that were written, whatever they contain.
func TestReadBack(t *testing.T) {
	rows := [][]string{
		{"id", "name", "note"}, {"1", `"quoted", and more`, "line\nline"}, {"", "", ""}, {" ", ",", `""`}, {"ü", "\u2028", "\\"},
	}
	var out bytes.Buffer
	w := csvio.NewWriter(&out)
	for _, row := range rows {
		if err := w.Row(row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	got, err := csv.NewReader(&out).ReadAll()
	if err != nil || !reflect.DeepEqual(got, rows) {
		t.Errorf("got %q, %v", got, err)
	}
}

// All lines end with CR LF, also the last one, and a row of one empty cell is a row.
func TestLines(t *testing.T) {
	if got := string(csvio.AppendRow(nil, "a", "b")); got != "a,b\r\n" {
		t.Errorf("got %q", got)
	}
	if got := string(csvio.AppendRow(nil, "")); got != "\"\"\r\n" {
		t.Errorf("got %q", got)
	}
}

// A large table is written in chunks, in order and complete.
func TestChunks(t *testing.T) {
	var want strings.Builder
	counted := &counter{}
	w := csvio.NewWriter(counted)
	for range 20_000 {
		want.WriteString("a cell,another\r\n")
		if err := w.Row("a cell", "another"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if counted.String() != want.String() {
		t.Error("the rows differ")
	}
	if counted.writes < 5 || counted.writes > 20 || counted.largest > 48<<10 {
		t.Errorf("%d writes, the largest of %d bytes", counted.writes, counted.largest)
	}
}

type counter struct {
	bytes.Buffer
	writes, largest int
}

func (c *counter) Write(b []byte) (int, error) {
	c.writes, c.largest = c.writes+1, max(c.largest, len(b))
	return c.Buffer.Write(b)
}

// After the receiver has gone, every call returns the first error and nothing more is written.
func TestClosedConnection(t *testing.T) {
	gone := &closed{}
	w := csvio.NewWriter(gone)
	if err := w.Row(strings.Repeat("x", 40<<10)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	if err := errors.Join(w.Row("y"), w.Flush()); !errors.Is(err, io.ErrClosedPipe) || gone.writes != 1 {
		t.Errorf("got %v after %d writes", err, gone.writes)
	}
}

type closed struct{ writes int }

func (c *closed) Write([]byte) (int, error) { c.writes++; return 0, io.ErrClosedPipe }

// Cells need no allocation.
func TestNoAllocation(t *testing.T) {
	w := csvio.NewWriter(io.Discard)
	row := []string{"0192f3c4-0000-7000-8000-000000000001", `say "no"`, "=1+1", "-12.50", "Łódź, Poland"}
	if n := testing.AllocsPerRun(1000, func() { _ = w.Row(row...) }); n != 0 {
		t.Errorf("%v allocations a row", n)
	}
}

// A file is named after its table and the day in UTC.
func TestDisposition(t *testing.T) {
	made := time.Date(2026, 11, 21, 0, 30, 0, 0, time.FixedZone("", 3600))
	if got := csvio.Disposition("audit", made); got != `attachment; filename="audit-2026-11-20.csv"` {
		t.Errorf("got %s", got)
	}
}

func BenchmarkRow(b *testing.B) {
	w := csvio.NewWriter(io.Discard)
	row := []string{"0192f3c4-0000-7000-8000-000000000001", "CLEARED", "2026-11-21T09:00:00.000Z", "2026-11-21T09:00:00.000Z", "IMPORT", "222.00", "414.40", "26GB1234567890ABCD"}
	for b.Loop() {
		_ = w.Row(row...)
	}
}
