package explain_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// Words and sentences are short: at most every tenth word has more than nine letters.
func TestTheWordsAreEasy(t *testing.T) {
	words, long, sentences := 0, 0, 0
	for entry := range cdscode.All() {
		e := one(t, explain.ReportedError{Code: entry.Code})
		text := e.PlainEnglish + " " + e.SuggestedFix
		sentences += len(regexp.MustCompile(`[.:;](\s|$)`).FindAllString(text, -1))
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) {
			words++
			if len(w) > 9 {
				long++
			}
		}
	}
	if words > 14*sentences || long*10 > words {
		t.Errorf("%d words in %d sentences, %d of them long", words, sentences, long)
	}
	t.Logf("%d words in %d sentences, %d of them long", words, sentences, long)
}

// The explanations repeat no phrase of the published list.
func TestTheWordsAreOurOwn(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "customs", "errorcodes.csv"))
	if err != nil {
		t.Skip("the published list of codes is not beside the project")
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	kind := regexp.MustCompile(`(?i)^(\w+ ){1,2}error: `)
	for _, row := range rows[1:] {
		e := one(t, explain.ReportedError{Code: row[0]})
		ours := strings.ToLower(e.PlainEnglish + " " + e.SuggestedFix)
		for _, theirs := range append(regexp.MustCompile(`[.;] `).Split(row[1], -1), row[2]) {
			theirs = strings.ToLower(strings.Trim(kind.ReplaceAllString(theirs, ""), " ."))
			if strings.Count(theirs, " ") > 1 && strings.Contains(ours, theirs) {
				t.Errorf("%s repeats %q", row[0], theirs)
			}
		}
	}
}

// Every place in fields.txt exists, and every field that a caller fills in has texts.
func TestThePlacesExist(t *testing.T) {
	text, err := os.ReadFile("fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	codes, err := os.ReadFile("codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, keys := range regexp.MustCompile(`(?m)^@?((?:[0-9]{2}[A-Z]\S* )+)`).FindAllStringSubmatch(string(text)+"\n"+string(codes), -1) {
		for _, key := range strings.Fields(keys[1]) {
			p, err := pointer.Parse(strings.ReplaceAll(key, "+", ""))
			if err != nil || !p.Known() {
				t.Errorf("%s is no place", key)
			}
			count++
		}
	}
	if count < 100 {
		t.Errorf("%d places", count)
	}
	for _, field := range []string{
		"items[0].commodityCode", "items[0].description", "items[0].netMassKg", "items[0].grossMassKg", "items[0].customsValueGbp", "items[0].countryOfOrigin", "items[0].quantity",
		"items[0].procedureCode", "items[0].additionalProcedureCodes[1]", "items[0].packageCount", "items[0].packageType", "items[0].preferenceCode", "documents[0].type",
		"documents[0].reference", "documents[0].status", "declarationType", "client.eori", "client.postcode", "shipment.transportMode", "shipment.goodsLocation", "shipment.containers[0]",
		"shipment.counterpartyName", "shipment.incoterm", "shipment.exitOffice", "shipment.countryOfDispatch", "organisation.eori", "organisation.defermentAccount", "organisation.representation",
	} {
		e := one(t, explain.ReportedError{Code: "CDS10001", Pointers: []pointer.Pointer{to(t, field)}})
		if e.Field != field || len(e.PlainEnglish) < 120 || len(e.SuggestedFix) < 70 {
			t.Errorf("%s: %s: %q, %q", field, e.Field, e.PlainEnglish, e.SuggestedFix)
		}
	}
}

func to(t *testing.T, field string) pointer.Pointer {
	t.Helper()
	p, ok := pointer.To(field)
	if !ok {
		t.Fatalf("%s has no pointer", field)
	}
	return p
}
