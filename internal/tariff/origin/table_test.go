package origin

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// The short words of a table become rules that are understood; what the table leaves to notes, dates and names is left to a person.
func TestTableWords(t *testing.T) {
	for text, want := range map[string]string{
		"CC": "change 2", "CTH": "change 4", "CTSH": "change 6",
		"RVC40":                                           "any(content up 40% of FOB; content down 40% of FOB)",
		"CTH except from heading 7219 to 7223":            "change 4 except [7219-7223]",
		"CTH except from heading 3701 or 3702":            "change 4 except [3701 3702]",
		"CTH except from heading 7207, 7208 or 7209":      "change 4 except [7207 7208 7209]",
		"CTH except from sub-heading 7301.20":             "change 4 except [730120]",
		"CTSH except from sub-heading 8411.11 to 8411.82": "change 6 except [841111-841182]",
		"CTSH except from 8410.12":                        "change 6 except [841012]",
		"RVC30 (from the date of entry until 2027)":       "",
		"Process rule":                                    "",
		sectionNotes:                                      "",
	} {
		n, ok := Compile(tableWords(text))
		if got := n.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q\n got %v %s\nwant %s", text, tableWords(text), ok, got, want)
		}
	}
}

// The published table is read as rule sets of its scheme, of which nine in ten rules are understood. A product does not qualify by a material of
// its own heading, and is left to a person where notes have an alternative.
func TestPublishedTable(t *testing.T) {
	published(t) // or skips
	var files []File
	for _, name := range append([]string{"uk/australia_psr_source.tsv"}, publishedFiles...) {
		content, err := os.ReadFile(publishedFolder + strings.TrimPrefix(name, "uk/"))
		if err != nil {
			t.Skip("the published table is not beside the project")
		}
		if strings.HasSuffix(name, ".tsv") && !Recognise(name, content) {
			t.Error("the table is not recognised")
		}
		files = append(files, File{Name: name, Reader: bytes.NewReader(content)})
	}
	b, err := Read(files, "")
	if err != nil {
		t.Fatal(err)
	}
	data, err := build(b.documents)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := data.Scheme(UK, "australia")
	if !ok {
		t.Fatal("no scheme")
	}
	if rules, understood := s.Compiled(); len(s.Sets) < 5500 || rules > 11000 || understood < 8800 { // of 9,330 without the notes
		t.Errorf("%d sets, %d of %d rules are understood", len(s.Sets), understood, rules)
	}
	for _, c := range []struct {
		product, material, value string
		want                     string
	}{
		{"8501100000", "850300", "900", Qualifies}, {"8501100000", "850110", "900", Fails}, {"8501100000", "850110", "500", Qualifies},
		{"6109100010", "520100", "900", Qualifies}, {"6109100010", "610910", "900", Fails},
		{"3923100000", "392310", "900", NeedsPerson}, {"3923100000", "390110", "900", Qualifies},
	} {
		q := complete(c.product, "AU")
		q.Schemes = []string{"australia"}
		q.Materials = []Material{foreign(c.material, c.value)}
		q.Materials[0].NetMass = number("50") // above the tolerance
		if got := data.Answer(q, noRates{}).Schemes; len(got) != 1 || got[0].Decision != c.want {
			t.Errorf("%s from %s for %s is not %s: %s", c.product, c.material, c.value, c.want, got[0].Why)
		}
	}
}

// A table without a header is recognised by its name and its first row, and read from that row on; a file with another name or another
// row is no table.
func TestTableWithoutHeader(t *testing.T) {
	const rows = "01\t0101.21\t- Horses\tCC\n01\t0101.29\t- Other\tCTH or\n"
	plain, err := ReadDocument("uk/australia_psr_source.tsv", []byte(rows), "")
	headed, other := ReadDocument("uk/australia_psr_source.tsv", []byte(tableHeader+"\n"+rows), "")
	if err != nil || other != nil || plain != headed || !strings.Contains(plain.Text, "0101.21") || !Recognise("australia_psr_source.tsv", []byte(rows)) {
		t.Errorf("%v %v: %s", err, other, plain.Text)
	}
	for name, content := range map[string]string{"australia.tsv": rows, "australia_psr.csv": rows, "australia_psr.tsv": "Chapter\tCode\tGoods\tRule\n" + rows, "x_psr.tsv": "01\t0101.21\tCC\n"} {
		if Recognise(name, []byte(content)) {
			t.Errorf("%s is taken for a table: %q", name, content)
		}
		if _, err := ReadDocument("uk/"+name, []byte(content), ""); err == nil {
			t.Errorf("%s is read: %q", name, content)
		}
	}
}

// A table with a line that is not a rule is refused as a whole, with the line.
func TestWrongTable(t *testing.T) {
	for text, want := range map[string]string{
		"\n61\t6109.1x\tT-shirts\tCC": "line 2: ", "\n61\t6109.10\tT-shirts": "line 2 has 3 columns, not 4", "\n61\t61\tHeading only\t": "0 rule sets",
	} {
		_, err := ReadDocument("australia_psr.tsv", []byte(tableHeader+text), UK)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
