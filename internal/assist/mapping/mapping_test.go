package mapping_test

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
	"github.com/tidewaiter/tidewaiter/internal/assist/mapping/mappingtest"
)

// tables reads both sets of tables.
func tables(t testing.TB) (work, held []mappingtest.Table) {
	t.Helper()
	work, err := mappingtest.DevelopmentTables()
	if err != nil {
		t.Fatal(err)
	}
	if held, err = mappingtest.HeldOutTables(); err != nil {
		t.Fatal(err)
	}
	return work, held
}

// Labelled tables are mapped correctly, also those that the engine was not developed with.
// Wrong guesses are rarer than missing ones.
func TestAccuracy(t *testing.T) {
	work, held := tables(t)
	if len(work)+len(held) < 60 || 4*len(held) < len(work)+len(held) {
		t.Errorf("%d tables, %d of them held apart", len(work)+len(held), len(held))
	}
	for _, c := range []struct {
		name       string
		tables     []mappingtest.Table
		percent    int // of the columns that must be right
		wrongAtAll int
	}{{"work", work, 99, 0}, {"held", held, 96, 2}} {
		s := mappingtest.Measure(c.tables)
		for _, miss := range s.Misses {
			t.Log(miss)
		}
		if s.Right*100 < c.percent*s.Columns || s.Wrong > c.wrongAtAll {
			t.Errorf("%s: %d of %d columns are right, %d of %d guesses wrong", c.name, s.Right, s.Columns, s.Wrong, s.Guessed)
		}
		if sure := s.Buckets[len(s.Buckets)-1]; sure.Right*100 < 99*sure.Guessed {
			t.Errorf("%s: of %d sure guesses %d are right", c.name, sure.Guessed, sure.Right)
		}
	}
}

// Each phrase of the vocabulary leads to its field, also in capitals, with hyphens, and
// without blanks.
func TestTheVocabularyLeadsToItsFields(t *testing.T) {
	text, err := os.ReadFile("vocabulary.txt")
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]map[string]bool{}
	field, languages := "", map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		language, list, found := strings.Cut(line, ": ")
		if strings.HasPrefix(line, "#") {
			continue
		} else if !found {
			field = line
			continue
		}
		languages[language] = true
		for _, phrase := range strings.Split(list, ", ") {
			if of[phrase] == nil {
				of[phrase] = map[string]bool{}
			}
			of[phrase][field] = true
		}
	}
	if len(languages) != 12 || len(of) < 500 {
		t.Errorf("%d languages, %d phrases", len(languages), len(of))
	}
	for phrase, fields := range of {
		for _, header := range []string{phrase, strings.ToUpper(phrase), strings.ReplaceAll(phrase, " ", "_"), strings.ReplaceAll(phrase, " ", ""), " " + phrase + ": "} {
			guess := mapping.Map([]mapping.Column{{Header: header}})[0]
			if !fields[guess.Field] || guess.Confidence < 0.3 {
				t.Errorf("%q is %q (%.2f %s), want %v", header, guess.Field, guess.Confidence, guess.Reason, fields)
			}
		}
	}
}

// A header is recognised in any spelling, and the reason says how.
func TestSpellings(t *testing.T) {
	for _, c := range []struct{ header, field, reason string }{
		{"VATRegNo.", "vatNumber", "says “vat reg no”"}, {"cust_post_code", "postcode", "says"}, {"ANSPRECHPARTNER", "contactName", "in German"},
		{"Straße", "addressLine1", "in German"}, {"Code postal", "postcode", "in French"}, {"Miejscowość", "city", "in Polish"}, {"Şehir", "city", "in Turkish"},
		{"Oraș", "city", "in Romanian"}, {"邮政编码", "postcode", "in Chinese"}, {"Telehpone", "phone", "nearly"}, {"Ansprechp.", "contactName", "short for"},
		{"Invoicing e-mail", "email", "mentions"}, {"Fax", "", "does not name a field"}, {"Date of birth", "", "does not name a field"}, {"IBAN", "", "does not name a field"}, {"Wibble", "", "Neither"}, {"", "", "Neither"},
	} {
		guess := mapping.Map([]mapping.Column{{Header: c.header}})[0]
		if guess.Field != c.field || !strings.Contains(guess.Reason, c.reason) {
			t.Errorf("%q: %+v", c.header, guess)
		}
	}
}

// Values outweigh the header, and are enough if the header means nothing.
func TestValuesTell(t *testing.T) {
	for _, c := range []struct {
		header, field string
		values        []string
	}{
		{"Column 4", "eori", []string{"GB123456789000", "XI 987 654 321 000"}}, {"F7", "email", []string{"a@b.uk", "c@d.example"}},
		{"x", "postcode", []string{"IP1 1AA", "ec1a 1bb"}}, {"Column2", "phone", []string{"+44 1394 555000", "(01394) 555-000"}},
		{"Field", "vatNumber", []string{"GB123456789", "DE123456789"}}, {"3", "country", []string{"GB", "FR", "XI"}}, {"y", "role", []string{"importer", "BOTH"}},
		{"col", "name", []string{"A Ltd", "B GmbH"}}, {"Spalte 2", "addressLine1", []string{"1 Mill Lane", "Hauptstraße 5"}},
		{"Wibble", "eori", []string{"GB123456789000"}}, {"EORI", "vatNumber", []string{"GB123456789", "GB987654321"}},
		{"Email", "", []string{"yes", "no", "yes"}}, {"VAT", "eori", []string{"GB123456789000", "GB123456789001"}}, {"Name", "email", []string{"a@b.uk", "c@d.uk"}},
		{"Country", "country", []string{"France", "Germany"}}, {"Notes", "", []string{"GB", "FR"}}, {"#", "", []string{"1", "2", "3"}},
		{"Postcode", "postcode", []string{"80331", "1012 JS", "00-950"}},
	} {
		guess := mapping.Map([]mapping.Column{{Header: c.header, Values: c.values}})[0]
		if guess.Field != c.field {
			t.Errorf("%q %q: %+v", c.header, c.values, guess)
		}
	}
}

// No field is given twice, every column has a guess, and the answer is always the same.
func TestGuessesAreSound(t *testing.T) {
	work, held := tables(t)
	for _, table := range append(work, held...) {
		first := mapping.Map(table.Columns)
		seen := map[string]bool{}
		for _, g := range first {
			if g.Field != "" && seen[g.Field] || g.Confidence < 0 || g.Confidence > 0.99 || (g.Field == "") != (g.Confidence == 0) {
				t.Errorf("%s: %+v", table.Title, g)
			}
			if !strings.HasSuffix(g.Reason, ".") || len(g.Reason) > 200 || !utf8.ValidString(g.Reason) {
				t.Errorf("%s: %q", table.Title, g.Reason)
			}
			seen[g.Field] = true
		}
		for range 5 {
			if !reflect.DeepEqual(first, mapping.Map(table.Columns)) {
				t.Fatalf("%s: the guess changes", table.Title)
			}
		}
	}
	if got := mapping.Map(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// Unusual headers and values cause no errors.
func TestStrangeColumns(t *testing.T) {
	long := strings.Repeat("Address ", 10_000)
	for _, header := range []string{long, "😀", "\x00\xff", "\u202e", "=1+1", "Ä̈̈̈", "（）", "////", strings.Repeat("地址", 5000)} {
		for _, g := range mapping.Map([]mapping.Column{{Header: header, Values: []string{long, "\xff", "😀"}}}) {
			if !utf8.ValidString(g.Reason) || len(g.Reason) > 200 {
				t.Errorf("%.20q: %+v", header, g)
			}
		}
	}
}

// A first row of values is not a header; a row of words is.
func TestIsValue(t *testing.T) {
	for _, cell := range []string{"GB123456789000", "a@b.uk", "GB123456789", "IP1 1AA", "+44 1394 555000", "01394 555 000"} {
		if !mapping.IsValue(cell) {
			t.Errorf("%q is a value", cell)
		}
	}
	for _, cell := range []string{"", "Name", "EORI", "1", "12345", "Address 1", "E10", "A Ltd", "GB", "Ref 2", "2026", "VAT20", "Column 1"} {
		if mapping.IsValue(cell) {
			t.Errorf("%q may be a header", cell)
		}
	}
}

func BenchmarkMap(b *testing.B) {
	work, _ := tables(b)
	for b.Loop() {
		mapping.Map(work[1].Columns)
	}
}

// BenchmarkMapWide measures a table of a hundred columns with long headers.
func BenchmarkMapWide(b *testing.B) {
	var columns []mapping.Column
	for i := range 100 {
		c := mapping.Column{Header: strings.Repeat("Wibble wobble ", 1+i%5) + string(rune('a'+i%26))}
		for range 200 {
			c.Values = append(c.Values, "Some words of a customer, 12 High Street")
		}
		columns = append(columns, c)
	}
	for b.Loop() {
		mapping.Map(columns)
	}
}

// Codes of countries are the country, whatever their column is called, and not the names in another column.
func TestCodesBeforeNames(t *testing.T) {
	names := mapping.Column{Header: "Country", Values: []string{"France", "Germany", "Italy"}}
	for _, header := range []string{"ISO2", "Land ISO", "国", "Column 2"} {
		got := mapping.Map([]mapping.Column{names, {Header: header, Values: []string{"FR", "DE", "IT"}}, {Header: "Customer", Values: []string{"Dubois SARL", "Krause GmbH", "Rossi SRL"}}})
		if got[0].Field != "" || got[1].Field != "country" || got[2].Field != "name" {
			t.Errorf("%s: %+v", header, got)
		}
	}
	if got := mapping.Map([]mapping.Column{names}); got[0].Field != "country" {
		t.Errorf("names alone: %+v", got)
	}
}
