package pdf_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/pdf"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

// read returns the text of each page, with a line for each baseline in the order of drawing.
func read(t testing.TB, file []byte) []string {
	t.Helper()
	var pages []string
	if _, err := pdf.Read(context.Background(), file, func(glyphs []pdf.Glyph) { pages = append(pages, joined(glyphs)) }); err != nil {
		t.Fatal(err)
	}
	return pages
}

func joined(glyphs []pdf.Glyph) string {
	var out strings.Builder
	for i, g := range glyphs {
		if i > 0 && g.Y != glyphs[i-1].Y {
			out.WriteByte('\n')
		}
		out.WriteString(g.Text)
	}
	return out.String()
}

func file(objects ...string) []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	for i, o := range objects {
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	out.WriteString("trailer\n<< /Root 1 0 R >>\n")
	return out.Bytes()
}

func stream(entries, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", entries, len(data), data)
}

// one makes a file of one page with a font F and without a cross-reference table.
func one(content, font string, more ...string) []byte {
	return file(append([]string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>", content, font,
	}, more...)...)
}

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"

// The same pages are read from plain objects with a table, from compressed object streams, and
// from a file without its table.
func TestPackings(t *testing.T) {
	const text = "Größe: 12 (zwölf)\fsecond \\ page"
	want := []string{"Größe: 12 (zwölf)", "second \\ page"}
	plain := documents.PDF(text, documents.Plain)
	for name, file := range map[string][]byte{
		"plain": plain, "packed": documents.PDF(text, documents.Packed),
		"shifted":  append([]byte("\n\n\n"), plain...),
		"no table": plain[:bytes.LastIndex(plain, []byte("xref"))-5],
		"no end":   bytes.ReplaceAll(documents.PDF(text, documents.Packed), []byte("startxref"), []byte("startnone")),
	} {
		if name == "no table" {
			file = append(slices.Clip(file), []byte("trailer << /Root 1 0 R >>")...)
		}
		if got := read(t, file); !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Filters are applied one after another.
func TestFilters(t *testing.T) {
	const content = "BT /F 10 Tf (seen) Tj ET"
	deflated := string(documents.Deflate([]byte(content)))
	rows := ""
	for i := 0; i < 24; i += 4 { // PNG's Up: each row is the difference from the one above
		rows += "\x02"
		for n := range 4 {
			above := byte(0)
			if i > 0 {
				above = content[i-4+n]
			}
			rows += string([]byte{content[i+n] - above})
		}
	}
	for entries, data := range map[string]string{
		"":                     content,
		"/Filter /FlateDecode": deflated,
		"/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >>": string(documents.Deflate([]byte(rows))),
		"/Filter [/ASCIIHexDecode /FlateDecode]":                           fmt.Sprintf("%x>", deflated),
		"/Filter /RunLengthDecode":                                         string([]byte{byte(len(content) - 1)}) + content + "\x80",
	} {
		if got := read(t, one(stream(entries, data), helvetica)); !slices.Equal(got, []string{"seen"}) {
			t.Errorf("%s: %q", entries, got)
		}
	}
	if got := read(t, one(stream("/Filter /DCTDecode", "picture"), helvetica)); !slices.Equal(got, []string{""}) {
		t.Errorf("a picture reads %q", got)
	}
}

// Letters are found by the encoding, by differences from it, and by the ToUnicode table.
func TestFonts(t *testing.T) {
	const toUnicode = "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0001> <0041> endbfchar " +
		"2 beginbfrange <0010> <0012> <0061> <0020> <0021> [<00660066> <20AC>] endbfrange"
	for name, c := range map[string]struct{ show, font, more, want string }{
		"latin":       {`(\(caf\351\) \200)`, helvetica, "", "(café) €"},
		"differences": {"(a\x01)", "<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /lslash 97 /Euro] >> >>", "", "€ł"},
		"composite": {"<0001001000120020002100ff>", "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [<< /DW 600 /W [1 [700] 16 18 500] >>] >>",
			stream("", toUnicode), "Aacff€"},
	} {
		got := read(t, one(stream("", "BT /F 10 Tf "+c.show+" Tj ET"), c.font, c.more))
		if !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Characters have the position that the operators give them: matrices, lines, spacing, forms
// and the rotation of the page.
func TestPlaces(t *testing.T) {
	place := func(content, page string) (g pdf.Glyph) {
		file := bytes.Replace(one(stream("", content), helvetica, stream("/Subtype /Form /Matrix [1 0 0 1 100 0]", "BT /F 10 Tf 5 5 Td (Z) Tj ET")),
			[]byte("/Type /Page /Parent"), []byte("/Type /Page "+page+" /Parent"), 1)
		_, err := pdf.Read(context.Background(), file, func(glyphs []pdf.Glyph) { g = glyphs[len(glyphs)-1] })
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, c := range []struct {
		content, page string
		x, y          float64
	}{
		{"BT /F 10 Tf 1 0 0 1 50 60 Tm (Z) Tj ET", "", 50, 60},
		{"BT /F 10 Tf 50 60 Td 12 TL T* (Z) Tj ET", "", 50, 48},
		{"q 2 0 0 2 10 10 cm Q BT /F 10 Tf 50 60 Td (Z) Tj ET", "", 50, 60},
		{"2 0 0 2 10 10 cm BT /F 10 Tf 50 60 Td (Z) Tj ET", "", 110, 130},
		{"BT /F 10 Tf (AA) Tj (Z) Tj ET", "", 13.34, 0},
		{"BT /F 10 Tf 1 Tc (AA) Tj (Z) Tj ET", "", 15.34, 0},
		{"BT /F 10 Tf [(A) -1000 (Z)] TJ ET", "", 16.67, 0},
		{"1 0 0 1 7 0 cm /X Do", "", 112, 5},
		{"BT /F 10 Tf 0 1 -1 0 50 60 Tm (Z) Tj ET", "/Rotate 90", 60, -50},
	} {
		g := place(c.content, c.page)
		if fmt.Sprintf("%.2f %.2f", g.X, g.Y) != fmt.Sprintf("%.2f %.2f", c.x, c.y) || g.Text != "Z" {
			t.Errorf("%s: %q at %.2f %.2f", c.content, g.Text, g.X, g.Y)
		}
	}
}

// A file that cannot be read gives the reason.
func TestRefusals(t *testing.T) {
	for want, file := range map[error][]byte{
		pdf.ErrNoPDF:     []byte("hello"),
		pdf.ErrDamaged:   []byte("%PDF-1.4\nhello"),
		pdf.ErrEncrypted: append(file("<< /Type /Catalog /Pages 2 0 R >>", "<< /Kids [] >>"), "trailer << /Encrypt << /V 4 >> >>"...),
	} {
		if _, err := pdf.Read(context.Background(), file, func([]pdf.Glyph) {}); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
}

// Pages beyond the limit are counted and not read.
func TestPageLimit(t *testing.T) {
	read := 0
	d, err := pdf.Read(context.Background(), documents.PDF(strings.Repeat("a\f", 300), documents.Packed), func([]pdf.Glyph) { read++ })
	if err != nil || d.Pages != 301 || !d.Cut || read != pdf.MaxPages {
		t.Errorf("%+v, %d read, %v", d, read, err)
	}
}

// One stream is decompressed up to its limit, and all streams of a file up to a common limit.
func TestInflationLimit(t *testing.T) {
	late := func(spaces int) string {
		return string(documents.Deflate([]byte(strings.Repeat(" ", spaces) + "BT /F 10 Tf (late) Tj ET")))
	}
	for spaces, want := range map[int]string{15 << 20: "late", 16 << 20: ""} {
		if got := read(t, one(stream("/Filter /FlateDecode", late(spaces)), helvetica)); got[0] != want {
			t.Errorf("behind %d bytes: %q", spaces, got)
		}
	}
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Kids [" + strings.Repeat("<< /Type /Page /Contents 3 0 R /Resources << /Font << /F 4 0 R >> >> >> ", 8) + "] >>",
		stream("/Filter /FlateDecode", late(15<<20)), helvetica}
	got := read(t, file(objects...))
	if len(got) != 8 || got[5] != "late" || got[6] != "" {
		t.Errorf("%q", got)
	}
}

// Reading ends with its context.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := pdf.Read(ctx, documents.PDF("a", documents.Plain), func([]pdf.Glyph) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Any bytes are read without a panic.
func FuzzRead(f *testing.F) {
	f.Add(documents.PDF("Total 12.00\fB", documents.Plain))
	f.Add(documents.PDF("Total 12.00\fB", documents.Packed))
	f.Add(one(stream("/Filter /FlateDecode", string(documents.Deflate([]byte("BT /F 10 Tf (A) Tj ET")))), helvetica))
	f.Fuzz(func(t *testing.T, file []byte) {
		_, err := pdf.Read(context.Background(), file, func([]pdf.Glyph) {})
		if err != nil && strings.Contains(err.Error(), "runtime error") {
			t.Fatal(err)
		}
	})
}

// The picture of a page without text is returned with its place; pages with text and broken pictures have none.
func TestScans(t *testing.T) {
	scans, err := documents.Scans()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file []byte
		want int
	}{
		"scanned": {scans[1].File, 1},
		"printed": {documents.PDF("Invoice 7", documents.Plain), 0},
		"cut":     {bytes.Replace(scans[1].File, []byte("/Width 2"), []byte("/Width 9"), 1), 0},
	} {
		var found []pdf.Scan
		if err := pdf.Scans(context.Background(), c.file, func(s pdf.Scan) { found = append(found, s) }); err != nil || len(found) != c.want {
			t.Errorf("%s: %d pictures, %v", name, len(found), err)
		}
		for _, s := range found {
			if s.Page != 1 || s.Left != 0 || s.Bottom != 0 || s.Right != 842 || s.Top != 595 || !bytes.HasPrefix(s.Data, []byte("\x89PNG")) {
				t.Errorf("%s: page %d, %v to %v, %v to %v", name, s.Page, s.Left, s.Right, s.Bottom, s.Top)
			}
		}
	}
}
