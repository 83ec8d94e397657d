package source_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

func read(t testing.TB, file string) source.Document {
	t.Helper()
	d, err := source.Read(context.Background(), []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// shown returns a document as text: | between cells, / between lines, # between pages, ~ for
// space above a line.
func shown(d source.Document) string {
	var pages []string
	for _, p := range d.Pages {
		var lines []string
		for _, l := range p.Lines {
			var cells []string
			for _, c := range l.Cells {
				cells = append(cells, c.Text)
			}
			line := strings.Join(cells, "|")
			if l.Apart {
				line = "~" + line
			}
			lines = append(lines, line)
		}
		pages = append(pages, strings.Join(lines, "/"))
	}
	return strings.Join(pages, "#")
}

// The format is recognised by the content, and every format becomes lines of cells.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		file   string
		format source.Format
		want   string
	}{
		{"Name: A  B\n\nTotal\t12\r\nend\fmore", source.Text, "Name: A|B/~Total|12/end#more"},
		{"| a b | c |\n|-----|---|\n| d   | e |", source.CSV, "a b|c/d|e"},
		{"a,b,c\n1,\"2,5\",\"say \"\"x\"\"\"\n", source.CSV, `a|b|c/1|2,5|say "x"`},
		{"a;b;c\n1,5;2;3\n\n4;5;6\n", source.CSV, "a|b|c/1,5|2|3/~4|5|6"},
		{"a\tb\tc\n1\t2\t3\n", source.CSV, "a|b|c/1|2|3"},
		{"Dear Sirs, we sent, as agreed, three boxes, yesterday.\nYours, truly, me, and, us, all\n", source.Text, "Dear Sirs, we sent, as agreed, three boxes, yesterday./Yours, truly, me, and, us, all"},
		{"M\xfcller  stra\xdfe", source.Text, "Müller|straße"},
		{"\xff\xfeM\x00\xfc\x00 \x00 \x00x\x00", source.Text, "Mü|x"},
		{"\xfe\xff\x00M\x00\xfc", source.Text, "Mü"},
		{"M\x00\xfc\x00l\x00l\x00", source.Text, "Müll"},
		{"\xef\xbb\xbfName", source.Text, "Name"},
		{"<a xmlns='x'><grossWeight>5</grossWeight><b><c>6</c></b></a>", source.XML, "gross weight:|5/c:|6"},
		{"\xef\xbb\xbf <?xml version='1.0'?><a>7</a>", source.XML, "a:|7"},
		{string(documents.PDF("Name    A\n\n\nTotal 1", documents.Packed)), source.PDF, "Name|A/~Total 1"},
		{"BMW parts, 2 boxes", source.Text, "BMW parts, 2 boxes"},
		{"\x89PNG\r\n\x1a\n", source.PNG, ""},
		{"\xff\xd8\xff\xe1", source.JPEG, ""},
	} {
		d := read(t, c.file)
		if got := shown(d); d.Format != c.format || got != c.want {
			t.Errorf("%q is %s, %q; want %s, %q", c.file[:min(len(c.file), 40)], d.Format, got, c.format, c.want)
		}
	}
}

// A file of another format is refused with the name of its kind.
func TestForeign(t *testing.T) {
	for file, want := range map[string]string{
		"": "is empty", " \n": "is empty", "GIF89a": "GIF", "PK\x05\x06": "empty archive", "\x1f\x8b\x08": "compressed", "MZ\x90\x00\x03": "program",
		"<html></html>": "web page", "<svg/>": "drawing", "<a>": "line 1", "\x00\x01\x02\x03\x04\x05": "unsupported format",
	} {
		_, err := source.Read(context.Background(), []byte(file))
		if reason, ok := source.Reason(err); !ok || !strings.Contains(reason, want) {
			t.Errorf("%q: %v", file, err)
		}
	}
	if _, err := source.Read(context.Background(), make([]byte, source.MaxFile+1)); err == nil {
		t.Error("a file beyond the limit is read")
	}
}

// A workbook as Excel writes it is read: numbers to fifteen digits, dates by their styles,
// formulas by their last result, visible sheets in their order.
func TestWorkbook(t *testing.T) {
	book := excelize.NewFile()
	date, _ := book.NewStyle(&excelize.Style{NumFmt: 14})
	own := `"on" dd/mm/yyyy`
	custom, _ := book.NewStyle(&excelize.Style{CustomNumFmt: &own})
	money := `[$EUR] #,##0.00`
	plain, _ := book.NewStyle(&excelize.Style{CustomNumFmt: &money})
	for at, v := range map[string]any{"A1": "Número", "B1": 0.1 + 0.2, "C1": 46084, "D1": 46084.5, "E1": 46084, "A4": true, "B4": 1e6, "AB4": "far"} {
		_ = book.SetCellValue("Sheet1", at, v)
	}
	_ = book.SetCellStyle("Sheet1", "C1", "C1", date)
	_ = book.SetCellStyle("Sheet1", "D1", "D1", custom)
	_ = book.SetCellStyle("Sheet1", "E1", "E1", plain)
	_, _ = book.NewSheet("Second")
	_ = book.SetCellRichText("Second", "B2", []excelize.RichTextRun{{Text: "ri"}, {Text: "ch"}})
	_, _ = book.NewSheet("Hidden")
	_ = book.SetCellValue("Hidden", "A1", "secret")
	_ = book.SetSheetVisible("Hidden", false)
	var out bytes.Buffer
	if err := book.Write(&out); err != nil {
		t.Fatal(err)
	}
	d := read(t, out.String())
	if got, want := shown(d), "Número|0.3|2026-03-03|2026-03-03|46084/~1000000|far#rich"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if far := d.Pages[0].Lines[1].Cells[1]; far.Left != 2700 || d.Pages[1].Name != "Second" || d.PageCount != 2 {
		t.Errorf("%+v, %q", far, d.Pages[1].Name)
	}
}

// Elements with the same name have numbers in their paths.
func TestPaths(t *testing.T) {
	d := read(t, "<a><b>1</b><b x='2'>3<c/></b></a>")
	if e := d.Root.All("b")[1]; e.Path != "/a/b[2]" || e.Attrs["x"] != "2" || source.TextOf(e) != "3" || d.Root.Find("b", "c").Path != "/a/b[2]/c" {
		t.Errorf("%+v", e)
	}
	if d.Root.Find("z", "y") != nil || source.TextOf(nil) != "" {
		t.Error("an element that is not there is found")
	}
}

// Any bytes are read or refused, within the limits.
func FuzzRead(f *testing.F) {
	all, err := documents.All()
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range all {
		if len(s.File) < 1<<15 {
			f.Add(s.File)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := source.Read(context.Background(), file)
		if err != nil {
			if _, ok := source.Reason(err); !ok {
				t.Fatal(err)
			}
			return
		}
		for _, p := range d.Pages {
			for _, l := range p.Lines {
				for _, c := range l.Cells {
					if c.Text == "" || len(c.Text) > 2000 {
						t.Fatalf("a cell of %d bytes", len(c.Text))
					}
				}
			}
		}
	})
}
