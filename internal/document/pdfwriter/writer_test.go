package pdfwriter_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/pdf"
	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
)

var head = pdfwriter.Head{
	Title: "Import declaration", Name: "PO-2026-17", Organisation: "Quay Customs Ltd", Running: "LRN TWS1", Version: "Version 3", Mark: "SIMULATED",
	Facts: []pdfwriter.Fact{{Name: "Client", Value: "Harbour Textiles Ltd"}, {Name: "MRN", Value: "26GB1"}}, Changed: time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC),
}

func fonts(t *testing.T, file []byte) *pdfwriter.Fonts {
	t.Helper()
	f, err := pdfwriter.NewFonts(file)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func written(t *testing.T, w *pdfwriter.Writer) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := w.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pagesOf reads a document back; a line of a page is a line of text.
func pagesOf(t *testing.T, file []byte) (pages []string) {
	t.Helper()
	_, err := pdf.Read(context.Background(), file, func(glyphs []pdf.Glyph) {
		var text strings.Builder
		for i, g := range glyphs {
			if i > 0 && (g.Y != glyphs[i-1].Y || g.X < glyphs[i-1].X) {
				text.WriteByte('\n')
			}
			text.WriteString(g.Text)
		}
		pages = append(pages, text.String())
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

var columns = []pdfwriter.Column{{Title: "No.", Share: 1}, {Title: "Description", Share: 8}, {Title: "Value", Share: 2, Right: true}}

// long writes a document with 999 rows.
func long(t *testing.T, f *pdfwriter.Fonts) []byte {
	t.Helper()
	w := pdfwriter.New(f, head)
	w.Heading("Goods")
	w.Table(columns, func(yield func([]string) bool) {
		for n := range 999 {
			if !yield([]string{fmt.Sprint(n + 1), "Men's knitted cotton T-shirts, " + strings.Repeat("with a long description ", n%9), "£1,850.00"}) {
				return
			}
		}
	})
	w.Total(columns, []string{"", "Total", "£99.00"})
	return written(t, w)
}

// A long table has its head on each page, and each page the references, the mark, the version and its number of the total.
func TestLongTable(t *testing.T) {
	f := fonts(t, nil)
	file := long(t, f)
	pages := pagesOf(t, file)
	if len(pages) < 20 {
		t.Fatalf("%d pages", len(pages))
	}
	rows := 0
	for i, page := range pages {
		for _, want := range []string{"Import declaration", "PO-2026-17", "Quay Customs Ltd", "SIMULATED", "Version 3", "Description", fmt.Sprintf("Page %d of %d", i+1, len(pages))} {
			if !strings.Contains(page, want) {
				t.Errorf("page %d lacks %q: %.300s", i+1, want, page)
			}
		}
		rows += strings.Count(page, "£1,850.00")
	}
	if rows != 999 {
		t.Errorf("%d rows", rows)
	}
	if !strings.Contains(pages[0], "Harbour Textiles Ltd") || !strings.Contains(pages[1], "LRN TWS1") || !strings.Contains(pages[len(pages)-1], "£99.00") {
		t.Errorf("first, second or last page: %s\n%s\n%s", pages[0], pages[1], pages[len(pages)-1])
	}
	if !bytes.Equal(file, long(t, f)) {
		t.Error("the same document has other bytes")
	}
	for _, want := range []string{"/Lang (en-GB)", "/CreationDate (D:20261126090000"} {
		if !bytes.Contains(file, []byte(want)) {
			t.Errorf("the document lacks %s", want)
		}
	}
}

// A name in a script that no font has is shown with replacements, and a note says so. With a font of the operator it is written.
func TestOtherScripts(t *testing.T) {
	const name = "Երևան Żabka Ελλάς Київ"
	w := pdfwriter.New(fonts(t, nil), head)
	w.Paragraph(name)
	text := strings.Join(pagesOf(t, written(t, w)), "\n")
	if !strings.Contains(text, "□□□□□ Żabka Ελλάς Київ") || !strings.Contains(text, "pdf-font") {
		t.Error(text)
	}
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "codeberg.org/go-pdf/fpdf").Output()
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "font", "DejaVuSansCondensed.ttf"))
	if err != nil {
		t.Fatal(err)
	}
	w = pdfwriter.New(fonts(t, other), head)
	w.Paragraph(name)
	if text := strings.Join(pagesOf(t, written(t, w)), "\n"); !strings.Contains(text, name) || strings.Contains(text, "□") {
		t.Error(text)
	}
	w = pdfwriter.New(fonts(t, nil), head)
	w.Paragraph("A ship 🚢")
	if text := strings.Join(pagesOf(t, written(t, w)), "\n"); !strings.Contains(text, "A ship □") {
		t.Error(text)
	}
}

// A file that is no TrueType font is rejected when the fonts are opened.
func TestWrongFonts(t *testing.T) {
	for _, content := range []string{"ttcf collection", "OTTO", "\x00\x01\x00\x00 damaged"} {
		if _, err := pdfwriter.NewFonts([]byte(content)); err == nil {
			t.Errorf("%q is a font", content)
		}
	}
}

// Text without spaces is broken, and a cell of many lines is cut, so that a row fits on a page.
func TestLongWords(t *testing.T) {
	w := pdfwriter.New(fonts(t, nil), head)
	w.Table(columns, func(yield func([]string) bool) { yield([]string{"1", strings.Repeat("W", 20_000), ""}) })
	w.Columns([]pdfwriter.Fact{{Name: "Name", Value: strings.Repeat("long ", 2000)}}, nil)
	w.Paragraph("line one\nline two")
	text := strings.Join(pagesOf(t, written(t, w)), "\n")
	if !strings.Contains(text, "…") || !strings.Contains(text, "line one\nline two") {
		t.Errorf("%.500s", text)
	}
}

// A document has tags: the title, headings, paragraphs, lists of facts and tables in their order, each text once, and everything
// else is decoration. A character that no font has is read as it is. poppler reads the tags, if it is installed.
func TestTags(t *testing.T) {
	w := pdfwriter.New(fonts(t, nil), head)
	w.Heading("Goods")
	w.Table(columns, func(yield func([]string) bool) {
		_ = yield([]string{"1", "Cotton shirts", "£1,850.00"}) && yield([]string{"2", ""})
	})
	w.Total(columns, []string{"", "Total", "£1,850.00"})
	w.Paragraph("From Երևան")
	file := written(t, w)
	for what, want := range map[string]int{
		"/S /Document ": 1, "/S /H1 ": 1, "/S /H2 ": 1, "/S /Table ": 1, "/S /TR ": 4, "/S /TH ": 3, "/S /TD ": 9, "/S /L ": 1, "/S /LI ": 2, "/Marked true": 1, "/DisplayDocTitle true": 1,
	} {
		if got := bytes.Count(file, []byte(what)); got != want {
			t.Errorf("%s: %d, not %d", what, got, want)
		}
	}
	tool, err := exec.LookPath("pdfinfo")
	if err != nil {
		t.Skip("pdfinfo is not installed, so its view of the tags is not checked")
	}
	path := filepath.Join(t.TempDir(), "tagged.pdf")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "-struct-text", path).CombinedOutput()
	if err != nil || strings.Contains(string(out), "Error") {
		t.Fatalf("%v: %s", err, out)
	}
	at := 0
	for _, want := range []string{"H1", "Import declaration", "PO-2026-17", "L", "LI", "Lbl", "Client", "LBody", "Harbour Textiles Ltd", "H2", "Goods", "Table", "TR", "TH", "Description", "TD", "Cotton shirts", "Total", "P", "From □"} {
		next := strings.Index(string(out[at:]), want)
		if next < 0 {
			t.Fatalf("%s is not read after the first %d bytes of:\n%s", want, at, out)
		}
		at += next
	}
	if strings.Contains(string(out), "Page 1 of 1") {
		t.Errorf("decoration is read: %s", out)
	}
	if text, err := exec.Command("pdftotext", path, "-").CombinedOutput(); err != nil || !strings.Contains(string(text), "From Երևան") {
		t.Errorf("the copied text is %s, %v", text, err)
	}
}
