package explain_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// at returns an error at places that are written like pointers of CDS.
func at(t *testing.T, code string, pointers ...string) explain.ReportedError {
	t.Helper()
	f := explain.ReportedError{Code: code}
	for _, text := range pointers {
		p, err := pointer.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		f.Pointers = append(f.Pointers, p)
	}
	return f
}

func one(t *testing.T, f explain.ReportedError) explain.Explanation {
	t.Helper()
	out := explain.Explain(explain.Question{Errors: []explain.ReportedError{f}}).Errors
	if len(out) != 1 {
		t.Fatalf("%d answers", len(out))
	}
	return out[0]
}

// jargon matches words that only specialists understand.
var jargon = regexp.MustCompile(`(?i)data element|obligation|\bpointer|mandate|\bWCO\b|\bXML\b|\btag\b|header level|item level|D\.E\.|\bDE [0-9]|\b[1-8]/[0-9]{1,2}\b|[{}]|relation error|sequence error`)

// Every code of the catalogue has an explanation of its own that a trader can read: of
// reasonable length, in complete sentences, without jargon.
func TestEveryCodeHasItsOwnWords(t *testing.T) {
	seen := map[string]string{}
	count := 0
	for entry := range cdscode.All() {
		count++
		e := one(t, explain.ReportedError{Code: entry.Code})
		if !e.Known || e.Code != entry.Code || e.Documents == nil || e.Title == "" {
			t.Errorf("%s: %+v", entry.Code, e)
		}
		for _, text := range []string{e.PlainEnglish, e.SuggestedFix} {
			if other, twice := seen[text]; twice {
				t.Errorf("%s and %s both say %q", entry.Code, other, text)
			}
			seen[text] = entry.Code
			readable(t, entry.Code, text, 350)
		}
	}
	if count != 187 {
		t.Errorf("%d codes", count)
	}
}

// readable fails the test if a trader could not read a text.
func readable(t *testing.T, what, text string, most int) {
	t.Helper()
	if len(text) < 10 || len(text) > most || !strings.HasSuffix(text, ".") || strings.Contains(text, "  ") || strings.Contains(text, "..") {
		t.Errorf("%s: %d bytes: %q", what, len(text), text)
	}
	if found := jargon.FindString(text); found != "" {
		t.Errorf("%s says %q: %q", what, found, text)
	}
	for _, sentence := range regexp.MustCompile(`[.?!:;] `).Split(text, -1) {
		if words := len(strings.Fields(sentence)); words > 36 {
			t.Errorf("%s: %d words in one sentence: %q", what, words, sentence)
		}
	}
}

// Every code gives readable sentences at every known place.
func TestEveryCodeAtEveryKindOfField(t *testing.T) {
	for _, place := range []string{
		"42A.67A.68A[2].23A.65A.128", "42A.67A.68A[1].02A[2].360", "42A.67A.74A.R038", "42A.67A.28A.31B[1].44B[1].165", "42A.D013",
		"42A.67A.28A.64A.04A.242", "42A.67A.68A[3].70A[2].166", "42A.67A.68A[3].92A[2].063", "42A.67A.24X.999", "42A.024",
	} {
		seen := map[string]string{}
		for entry := range cdscode.All() {
			e := one(t, at(t, entry.Code, place))
			readable(t, entry.Code+" at "+place, e.PlainEnglish, 700)
			readable(t, entry.Code+" at "+place, e.SuggestedFix, 700)
			if other, twice := seen[e.PlainEnglish+e.SuggestedFix]; twice {
				t.Errorf("at %s %s and %s say the same: %q", place, entry.Code, other, e.PlainEnglish)
			}
			seen[e.PlainEnglish+e.SuggestedFix] = entry.Code
			if e.Field == "" || e.FieldName == "" || e.Pointer != place {
				t.Errorf("%s at %s: %+v", entry.Code, place, e.DeclaredField)
			}
		}
	}
}

// One code reads differently at different fields, and says for each field what is expected.
func TestOneCodeAtDifferentFields(t *testing.T) {
	for _, c := range []struct{ code, place, plain, fix, name string }{
		{"CDS12070", "42A.67A.28A.31B[1].44B[1].165", "NOSEALS", "bill of lading", "seal"},
		{"CDS12070", "42A.67A.68A[2].23A.65A.130", "pieces, pairs, litres", "unit under the commodity", "quantity in the tariff's unit of item 2"},
		{"CDS12070", "42A.05A.102", "direct (2)", "agreement between agent and trader", "way of acting for the trader (representation)"},
		{"CDS10001", "42A.67A.68A[1].23A.65A.128", "weight of the goods alone", "packing list", "net mass of item 1"},
		{"CDS10001", "42A.67A.74A.R038", "the company that brings the goods in", "registration letter", "importer's EORI number"},
		{"CDS10010", "42A.67A.68A[1].23A.21A[1].145", "commodity code of item 1", "ten digits", "commodity code of item 1"},
		{"CDS10020", "42A.67A.68A[4].92A[1].063", "where the goods were made", "ISO 3166", "country of origin of item 4"},
		{"CDS40011", "42A.67A.68A[1].23A.21A[3].145", "additional code", "tariff", "commodity code of item 1"},
	} {
		e := one(t, at(t, c.code, c.place))
		if !strings.Contains(e.PlainEnglish, c.plain) || !strings.Contains(e.SuggestedFix, c.fix) || e.FieldName != c.name {
			t.Errorf("%s at %s: %q\n%q\n%q", c.code, c.place, e.FieldName, e.PlainEnglish, e.SuggestedFix)
		}
	}
}

// Two reports of one contradiction have the same explanation, each at its own field.
func TestTheHalvesOfAClashAreToldTogether(t *testing.T) {
	out := explain.Explain(explain.Question{Errors: []explain.ReportedError{
		at(t, "CDS12077", "42A.67A.68A[1].70A[1].166"), at(t, "CDS12077", "42A.67A.68A[1].03A[1].226"),
	}}).Errors
	for i, field := range []string{"items[0].procedureCode", "items[0].additionalInformation[0].code"} {
		e := out[i]
		if e.Field != field || len(e.Related) != 1 || e.Related[0].Field == field || e.AlsoAt != nil || e.Position != i+1 {
			t.Errorf("%d: %+v", i, e)
		}
		if !strings.Contains(e.PlainEnglish, "procedure of item 1, and the statement of item 1") {
			t.Errorf("%d: %q", i, e.PlainEnglish)
		}
	}
}

// Causes come before their possible consequences. The same error at several items is grouped,
// and each has its own explanation.
func TestCausesComeFirst(t *testing.T) {
	out := explain.Explain(explain.Question{Errors: []explain.ReportedError{
		at(t, "CDS13000", "42A.67A.68A[1]"),
		at(t, "CDS40045", "42A.67A.68A[1].02A[1]"),
		at(t, "CDS40011", "42A.67A.68A[1].23A.65A.130"),
		at(t, "CDS12007", "42A.17C[1].R144"),
		at(t, "CDS10001", "42A.67A.68A[1].23A.65A.128"),
		at(t, "CDS10020", "42A.67A.68A[1].92A[1].063"),
		at(t, "CDS10001", "42A.67A.68A[2].23A.65A.128"),
		at(t, "CDS10004", "42A.67A.68A[1].23A.21A[1].145"),
		at(t, "CDS12005", "42A.67A.74A.R038"),
		at(t, "CDS10001", "42A.67A.68A[3].23A.65A.128"),
		at(t, "CDS11004", "42A.D013"),
	}}).Errors
	var order, follow []string
	for _, e := range out {
		order, follow = append(order, e.Code), append(follow, e.MayFollowFrom)
	}
	if want := strings.Fields("CDS11004 CDS12007 CDS12005 CDS10004 CDS10001 CDS10001 CDS10001 CDS10020 CDS40045 CDS40011 CDS13000"); !reflect.DeepEqual(order, want) {
		t.Errorf("%v", order)
	}
	if follow[9] != "CDS10004" || follow[4] != "" || follow[10] != "" {
		t.Errorf("%q", follow)
	}
	if also := out[4].AlsoAt; !reflect.DeepEqual(also, []string{"items[1].netMassKg", "items[2].netMassKg"}) || out[5].AlsoAt != nil {
		t.Errorf("%v, %v", also, out[5].AlsoAt)
	}
	stopped := explain.Explain(explain.Question{Errors: []explain.ReportedError{at(t, "CDS10001", "42A.57B.R123"), at(t, "CDS12050", "42A.67A.68A[1].70A[1].166")}}).Errors
	if stopped[0].Code != "CDS12050" || stopped[1].MayFollowFrom != "CDS12050" || stopped[0].MayFollowFrom != "" {
		t.Errorf("%+v", stopped)
	}
}

// Each code has its remedy: to correct and submit again is not always enough.
func TestRemedies(t *testing.T) {
	for code, want := range map[string]explain.Remedy{
		"CDS10001": explain.Resubmit, "CDS40045": explain.ObtainFirst, "CDS12046": explain.NewDeclaration, "CDS12036": explain.Wait,
		"CDS12015": explain.OtherRequest, "CDS49999": explain.AskCustoms, "CDS13000": explain.Optional, "CDS50031": explain.Nothing, "CDS98765": explain.AskCustoms,
	} {
		e := one(t, explain.ReportedError{Code: code})
		if e.Remedy != want || e.ResubmitIsEnough != (want == explain.Resubmit) {
			t.Errorf("%s: %s, %t", code, e.Remedy, e.ResubmitIsEnough)
		}
	}
}

// An unknown code gets a general explanation that says that it is unknown.
func TestUnknownCodes(t *testing.T) {
	for code, word := range map[string]string{
		"CDS40999": "tariff", "CDS12999": "authorisations", "CDS79999": "licence", "CDS13999": "warn", "CDS99999": "general answer", "BAD_REQUEST": "general answer", "": "no CDS code",
	} {
		e := one(t, explain.ReportedError{Code: code})
		if e.Known || e.ResubmitIsEnough || !strings.Contains(e.PlainEnglish, word) || e.SuggestedFix == "" {
			t.Errorf("%q: %+v", code, e)
		}
		readable(t, code, e.PlainEnglish, 350)
	}
	if e := one(t, explain.ReportedError{Code: "DMS12005"}); !e.Known || !strings.Contains(e.PlainEnglish, "party behind") {
		t.Errorf("an old prefix: %+v", e)
	}
}

// Without errors the answer is an empty list and a note, never null.
func TestNothingToExplain(t *testing.T) {
	for _, q := range []explain.Question{{}, {Records: &explain.Records{}}} {
		text, _ := json.Marshal(explain.Explain(q))
		if !strings.HasPrefix(string(text), `{"errors":[],"note":"`) {
			t.Errorf("%s", text)
		}
	}
}

// The same question has the same answer, byte for byte.
func TestTheAnswerIsAlwaysTheSame(t *testing.T) {
	faults := explain.Read(objects(t, `[{"a":{"code":"CDS12005"},"b":{"code":"CDS10001"},"c":{"code":"CDS40045"}},{"code":12070}]`))
	first, _ := json.Marshal(explain.Explain(explain.Question{Errors: faults}))
	for range 20 {
		again, _ := json.Marshal(explain.Explain(explain.Question{Errors: explain.Read(objects(t, `[{"a":{"code":"CDS12005"},"b":{"code":"CDS10001"},"c":{"code":"CDS40045"}},{"code":12070}]`))}))
		if string(first) != string(again) {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}
