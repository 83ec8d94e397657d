package tariff_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

const (
	shared     = "../../../shared"
	leastLines = 4000
	published  = "2021-01-01" // the day of the official duties
	inForce    = "2022-01-01" // the day of the official nomenclature
)

// official opens a file of the published tariff, or skips the test.
func official(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join(shared, name))
	if os.IsNotExist(err) {
		t.Skip("the published tariff is not beside the project")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// rows reads a published table as records by column name.
func rows(t *testing.T, name string) []map[string]string {
	t.Helper()
	records, err := csv.NewReader(official(t, name)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, record := range records[1:] {
		row := make(map[string]string, len(record))
		for i, column := range records[0] {
			row[strings.TrimPrefix(column, "\ufeff")] = record[i]
		}
		out = append(out, row)
	}
	return out
}

// leaves are the declarable codes in force.
func leaves(t *testing.T) map[string]bool {
	out := map[string]bool{}
	for _, row := range rows(t, "tariff/uk_goods_nomenclature_2022-01-01.csv") {
		current := row["start_date"] <= inForce && (row["end_date"] == "" || row["end_date"] >= inForce)
		if row["end_line"] == "1" && row["product_line_suffix"] == "80" && current {
			out[row["commodity_code"]] = true
		}
	}
	return out
}

// plain returns a duty without spaces and trailing zeros.
func plain(duty string) string {
	return noughts.ReplaceAllString(strings.ReplaceAll(duty, " ", ""), "$1")
}

var noughts = regexp.MustCompile(`([0-9])\.0+\b`)

// duties are the published ones by code of eight or ten digits.
func duties(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, row := range rows(t, "domain/data/tariff/uk_duty_common.csv") {
		out[row["commodity_code"]] = plain(row["uk_mfn_duty"])
	}
	for _, row := range rows(t, "domain/data/tariff/ukgt_2021_final.csv") {
		out[row["commodity"]] = plain(row["ukgt_duty_rate"])
	}
	return out
}

// dutyOf returns the duty of the code, or that of its first eight digits.
func dutyOf(duties map[string]string, code string) string {
	for _, key := range []string{code, code[:8], code[:8] + "00"} {
		if duty, ok := duties[key]; ok {
			return duty
		}
	}
	return ""
}

// carriedOver returns the duty of a code that is new in the Harmonised System of 2022 and has
// no published duty: that of the goods' former code (testdata/former.csv), or the one that all
// nearest published codes share.
func carriedOver(t *testing.T, duties map[string]string, code string) string {
	if before, ok := formerCodes(t)[code]; ok {
		return dutyOf(duties, before)
	}
	for n := len(code) - 1; n >= 4; n-- {
		near := map[string]bool{}
		for published, duty := range duties {
			if strings.HasPrefix(published, code[:n]) {
				near[duty] = true
			}
		}
		if len(near) == 1 {
			for duty := range near {
				return duty
			}
		}
		if len(near) > 0 {
			return ""
		}
	}
	return ""
}

// formerCodes are the codes of eight or ten digits before 2022 by the present codes.
func formerCodes(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/former.csv")
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, r := range records[1:] {
		out[r[0]] = r[1]
	}
	return out
}

// The table has goods of every chapter, with words, rates and dates.
func TestOwnCoversEveryChapter(t *testing.T) {
	lines := tariff.Embedded().Lines()
	chapters, words := map[string]int{}, map[string]string{}
	for _, l := range lines {
		chapters[l.Code[:2]]++
		line := l.Code[:4] + l.Description
		if l.Description == "" || l.AsOf != published || l.VATAsOf != published || words[line] != "" {
			t.Errorf("%s: description %q (also of %q), as of %s", l.Code, l.Description, words[line], l.AsOf)
		}
		words[line] = l.Code
	}
	for n := 1; n <= 97; n++ {
		chapter := fmt.Sprintf("%02d", n)
		if (chapters[chapter] > 0) == (n == 77) {
			t.Errorf("chapter %s has %d lines", chapter, chapters[chapter])
		}
		if i, ok := tariff.EmbeddedTree().Find(chapter); ok == (n == 77) || ok && tariff.EmbeddedTree().At(i).Description == "" {
			t.Errorf("chapter %s is in the tree: %t", chapter, ok)
		}
	}
	if len(lines) < leastLines {
		t.Errorf("only %d lines", len(lines))
	}
}

// The tree has exactly the headings of the Harmonised System, with words of its own.
func TestOwnHasEveryHeading(t *testing.T) {
	want := map[string]bool{}
	for _, row := range rows(t, "tariff/uk_goods_nomenclature_2022-01-01.csv") {
		if code := row["commodity_code"]; code[4:] == "000000" && code[2:] != "00000000" && code < "98" {
			want[code[:4]] = true
		}
	}
	tree := tariff.EmbeddedTree()
	for heading := range want {
		if i, ok := tree.Find(heading); !ok || tree.At(i).Description == "" || tree.At(i).Indent != 0 {
			t.Errorf("heading %s is not in the tree", heading)
		}
	}
	for i := range tree.Len() {
		if code := tree.At(i).Code; code[2:] != "00000000" && !want[code[:4]] {
			t.Errorf("there is no heading of %s", code)
		}
	}
}

// The tree and the measures have the same goods.
func TestOwnTreeHasTheMeasures(t *testing.T) {
	tree, declarable := tariff.EmbeddedTree(), 0
	for i := range tree.Len() {
		n := tree.At(i)
		if n.Declarable {
			declarable++
		}
		if _, ok := tariff.Embedded().Find(n.Code); n.Declarable && !ok {
			t.Errorf("%s has no measure", n.Code)
		}
	}
	if lines := len(tariff.Embedded().Lines()); declarable != lines {
		t.Errorf("%d lines in the tree, %d measures", declarable, lines)
	}
}

// chapter is a table of rows under the correct header.
func chapter(file, rows string) fs.FS {
	return fstest.MapFS{file: {Data: []byte("code,description,terms,duty,vat,unit\n" + rows)}}
}

// Rows are ordered by their codes in the tree. A heading or subheading with only one code is
// that line.
func TestOwnHierarchy(t *testing.T) {
	tree, err := tariff.ReadEmbeddedTreeOf(chapter("own/01.csv", `01,Animals,,,,
0102,Cattle,cow; bull ;,,,
0101299000,Other horses,pony,10.0%,20,NAR
0101,Horses,,,,
0101210000,Breeding horses,,0.0%,20,NAR
010121,Purebred,,,,
010129,Others,,,,
0101291000,Slaughter horses,,0.0%,20,NAR
0101290000,"Others, not said",,0.0%,20,NAR
0102000000,All cattle,ox,0.0%,0,NAR
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range tree.Len() {
		n := tree.At(i)
		got = append(got, fmt.Sprint(n.Code, "-", n.Suffix, " ", n.Indent, " ", n.Declarable, " ", strings.Join(n.Terms, "|")))
	}
	want := []string{
		"0100000000-80 0 false ", "0101000000-80 0 false ", "0101210000-80 1 true Breeding horses",
		"0101290000-10 1 false ", "0101290000-80 2 true ", "0101291000-80 2 true ", "0101299000-80 2 true pony",
		"0102000000-80 0 true cow|bull|All cattle|ox",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An invalid table is refused with the wrong code.
func TestOwnRefuses(t *testing.T) {
	for name, files := range map[string]fs.FS{
		"8 digits":        chapter("own/01.csv", "01,A,,,,\n01012100,A,,,,\n"),
		"letters":         chapter("own/01.csv", "01,A,,,,\n0x,A,,,,\n"),
		"no words":        chapter("own/01.csv", "01,,,,,\n"),
		"duty of heading": chapter("own/01.csv", "01,A,,,,\n0101,A,,0.0%,,\n"),
		"other chapter":   chapter("own/01.csv", "02,A,,,,\n"),
		"no duty":         chapter("own/01.csv", "01,A,,,,\n0101,A,,,,\n0101210000,A,,,20,\n"),
		"no VAT":          chapter("own/01.csv", "01,A,,,,\n0101,A,,,,\n0101210000,A,,0.0%,,\n"),
		"twice":           chapter("own/01.csv", "01,A,,,,\n0101,A,,,,\n0101210000,A,,0.0%,20,\n0101210000,B,,0.0%,20,\n"),
		"orphan":          chapter("own/01.csv", "01,A,,,,\n0101210000,A,,0.0%,20,\n"),
		"header":          fstest.MapFS{"own/01.csv": {Data: []byte("code,description\n01,A\n")}},
		"empty":           fstest.MapFS{"own/01.csv": {}},
	} {
		if _, err := tariff.ReadEmbedded(files); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
}

// Every code is declarable.
func TestOwnCodesAreDeclarable(t *testing.T) {
	declarable := leaves(t)
	for _, l := range tariff.Embedded().Lines() {
		if !declarable[l.Code] {
			t.Errorf("%s (%s) is not a declarable code", l.Code, l.Description)
		}
	}
}

// Every duty is the published one.
func TestOwnDutiesAreOfficial(t *testing.T) {
	published := duties(t)
	for _, l := range tariff.Embedded().Lines() {
		want := dutyOf(published, l.Code)
		if want == "" {
			want = carriedOver(t, published, l.Code)
		}
		if got := plain(l.Duty.String()); got != want || want == "" {
			t.Errorf("%s (%s) has %s; published is %q", l.Code, l.Description, got, want)
		}
	}
}

// A code of eight digits has a measure only if all published duties below it are equal.
func TestOwnEightDigitsAreUnanimous(t *testing.T) {
	published, own := duties(t), tariff.Embedded()
	for code := range leaves(t) {
		l, ok := own.Find(code[:8])
		got := plain(l.Duty.String())
		if want := dutyOf(published, code); ok && want != "" && got != want {
			t.Errorf("%s is answered with %s, but %s has %s", code[:8], got, code, want)
		}
	}
}

// chiefUnits are the codes of DE 6/2 by the numbers in the published list.
var chiefUnits = map[string]string{
	"": "", "0000": "",
	"2001": "KPO", "2003": "KNI", "2004": "KSH", "2021": "GRM", "2026": "CTM", "2029": "KNS", "2030": "NAR",
	"2031": "NPR", "2034": "CEN", "2037": "MIL", "2045": "MTK", "2057": "MTR", "2064": "CCT", "2066": "LPA", "2067": "KSD",
	"2076": "LTR", "2087": "MTQ", "2089": "GFI", "2097": "MWH", "2120": "TJO",
}

// Every line has the official supplementary unit.
func TestOwnUnitsAreOfficial(t *testing.T) {
	var published map[string]struct{ Unit2 string }
	if err := json.NewDecoder(official(t, "tariff/supplementary_units_by_code.json")).Decode(&published); err != nil {
		t.Fatal(err)
	}
	before := formerCodes(t)
	for _, l := range tariff.Embedded().Lines() {
		if _, listed := published[l.Code]; !listed && before[l.Code] != "" {
			former := map[string]bool{"": true}
			for code, u := range published {
				if strings.HasPrefix(code, before[l.Code]) {
					former[chiefUnits[u.Unit2]] = true
				}
			}
			if !former[l.Unit] {
				t.Errorf("%s (%s) has unit %q, which its former code %s has not", l.Code, l.Description, l.Unit, before[l.Code])
			}
			continue
		}
		want, known := chiefUnits[published[l.Code].Unit2]
		if !known || l.Unit != want {
			t.Errorf("%s (%s) has unit %q; published is %q (%s)",
				l.Code, l.Description, l.Unit, want, published[l.Code].Unit2)
		}
	}
}

// Every published duty in pounds can be parsed.
func TestEveryPublishedDutyIsRead(t *testing.T) {
	for _, row := range rows(t, "domain/data/tariff/ukgt_2021_final.csv") {
		if _, err := tariff.ParseExpression(row["ukgt_duty_rate"]); err != nil {
			t.Errorf("%s: %v", row["commodity"], err)
		}
	}
}

// Frequently traded goods are charged as in the tariff of 2021.
func TestOwnCharges(t *testing.T) {
	for _, c := range []struct {
		code, units, duty, vat, missing string
	}{
		// for £1,000 and 100 kg
		{"8471300000", "", "0.00", "200.00", ""},
		{"8517130000", "", "0.00", "200.00", ""},
		{"6109100010", "", "120.00", "224.00", ""},
		{"61091000", "", "120.00", "224.00", ""},
		{"6109100000", "", "120.00", "224.00", ""},
		{"8510900000", "", "20.00", "204.00", ""},
		{"0409000000", "", "160.00", "0.00", ""},
		{"0201300000", "", "373.00", "0.00", ""},
		{"0406902190", "", "139.00", "0.00", ""},
		{"8703231900", "", "100.00", "220.00", ""},
		{"8712003000", "", "140.00", "228.00", ""},
		{"9403601000", "", "0.00", "200.00", ""},
		{"7318110000", "", "0.00", "200.00", ""},
		{"6403999690", "", "80.00", "216.00", ""},
		{"3004900000", "", "0.00", "200.00", ""},
		{"2402209000", "", "500.00", "300.00", ""},
		{"4901990000", "", "0.00", "0.00", ""},
		{"4014100000", "", "0.00", "50.00", ""},
		{"1806321000", "", "80.00", "216.00", ""},
		{"2005202000", "", "140.00", "228.00", ""},
		{"2204101100", "90", "23.40", "204.68", ""},
		{"2204101100", "", "0.00", "0.00", "supplementary units (LTR)"},
		{"9102110000", "50", "10.00", "202.00", ""},
		{"0105119100", "5000", "215.00", "0.00", ""},
		{"0407210000", "10", "25.00", "0.00", ""},
		{"2208401100", "40", "0.00", "0.00", "volume (LTR)"},
		{"1701141000", "", "0.00", "0.00", "mass of standard quality (DTNR)"},
		{"0702000007", "", "0.00", "0.00", "date of acceptance"},
		{"8507600000", "", "0.00", "0.00", tariff.NoMeasure},
	} {
		g := tariff.Goods{
			CommodityCode: c.code, CustomsValue: quantity.MustMoney("1000"), NetMass: quantity.MustMass("100"),
		}
		if c.units != "" {
			g.Units = units(c.units)
		}
		got := tariff.Embedded().Estimate(g)
		if got.Duty.Fixed() != c.duty || got.VAT.Fixed() != c.vat || got.Missing != c.missing || got.Known != (c.missing == "") {
			t.Errorf("%s: got %+v; want duty %s, VAT %s, missing %q", c.code, got, c.duty, c.vat, c.missing)
		}
	}
}
