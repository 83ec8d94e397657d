package emcs_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

type (
	body   = *emcs.Movement
	change = func(body)
)

var (
	blocker = string(rules.Blocker)
	warning = string(rules.Warning)
	info    = string(rules.Info)
)

// facts have a table in which every tariff code is but one.
var facts = rules.Facts{Now: now, ExciseProducts: rules.Listing{Edition: "table of the test", Find: func(code string) (string, bool) {
	return "", code != "22083099"
}}}

// found is the review of a changed example, each finding as "EMCS-001 blocker productCode".
func found(from func() body, change change) []string {
	m := from()
	change(m)
	codes := []string{}
	for _, f := range emcs.Rules.Review(m, facts).Findings {
		codes = append(codes, fmt.Sprintf("%s %s %s", f.Code, f.Severity, f.Field))
	}
	slices.Sort(codes)
	return codes
}

// A movement in good order has no findings at all, whatever the goods are and wherever they go.
func TestGoodExamplesAreClean(t *testing.T) {
	for name, example := range goodExamples {
		if got := found(example, func(body) {}); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The example of the API's document raises no warning.
func TestDocumentedExample(t *testing.T) {
	fields := map[string]json.RawMessage{}
	shape := reflect.TypeFor[emcs.Movement]()
	for i := range shape.NumField() {
		f := shape.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		value := json.RawMessage(f.Tag.Get("example"))
		if kind := f.Type.Kind(); kind == reflect.String || f.Type == reflect.TypeFor[*time.Time]() {
			value, _ = json.Marshal(f.Tag.Get("example"))
		}
		fields[name] = value
	}
	text, _ := json.Marshal(fields)
	var m emcs.Movement
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	for _, f := range emcs.Rules.Review(&m, rules.Facts{Now: now}).Findings {
		if f.Severity != rules.Info {
			t.Errorf("%+v", f)
		}
	}
}

// scenario changes one thing about a good example and names all that is found then.
type scenario struct {
	name   string
	from   func() body
	change change
	want   []string
}

func scenarios() []scenario {
	return slices.Concat(traderCases, routeCases, productCases, strengthCases, amountCases, sizeCases, packageCases, journeyCases)
}

// Each fault is found by its own rule, on its own field, with its own severity, and by no other; what looks like it is let be.
func TestRules(t *testing.T) {
	for _, c := range scenarios() {
		t.Run(c.name, func(t *testing.T) {
			want := slices.Sorted(slices.Values(c.want))
			if got := found(c.from, c.change); !slices.Equal(got, want) {
				t.Errorf("found %q, not %q", got, want)
			}
		})
	}
}

// No rule goes without a case that it finds something in.
func TestEveryRuleIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range scenarios() {
		for _, w := range c.want {
			tried[strings.Fields(w)[0]] = true
		}
	}
	for _, e := range emcs.Rules.Catalogue() {
		if !tried[e.Code] {
			t.Errorf("%s %s", e.Code, e.Title)
		}
	}
}

// The catalogue counts up without gaps, names fields of the body, and gives every rule a title and a source.
func TestCatalogue(t *testing.T) {
	raw, _ := json.Marshal(whisky())
	var names map[string]any
	if err := json.Unmarshal(raw, &names); err != nil {
		t.Fatal(err)
	}
	for i, e := range emcs.Rules.Catalogue() {
		if want := fmt.Sprintf("EMCS-%03d", i+1); e.Code != want {
			t.Errorf("%s stands where %s belongs", e.Code, want)
		}
		if _, ok := names[e.Field]; !ok || e.Title == "" || e.Source == "" || e.Severity == "" {
			t.Errorf("%+v", e)
		}
	}
}

// A message names the value that it is about, and comes with advice.
func TestMessagesNameTheValue(t *testing.T) {
	for _, c := range []struct {
		change change
		code   string
		value  string
	}{
		{func(m body) { m.DispatcherNumber = "GB12" }, "EMCS-001", `"GB12"`},
		{func(m body) { m.DispatcherNumber = "GB00002281023" }, "EMCS-002", "a tax warehouse"},
		{func(m body) { m.ConsigneeNumber = "GB00240176601" }, "EMCS-005", "GB00240176601"},
		{func(m body) { m.ConsigneeCountry = "RU" }, "EMCS-013", "Russia (Sanctions)"},
		{func(m body) { m.ProductCode = "22083030" }, "EMCS-017", "S200 (spirits), S300 (ethyl alcohol)"},
		{func(m body) { m.Strength = n("140") }, "EMCS-024", "140%"},
		{func(m body) { m.Kilograms = kg("11340") }, "EMCS-031", "1.800 kg a litre"},
		{func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "", n("160000"), nil }, "EMCS-033", "160000 litres"},
		{func(m body) {}, "EMCS-035", ""},
		{func(m body) { m.Litres, m.Kilograms = n("9000"), nil }, "EMCS-035", "£118800"},
		{func(m body) { m.JourneyDays = count(21) }, "EMCS-041", "21 days"},
		{func(m body) { m.DispatchAt = hence(9 * 24 * time.Hour) }, "EMCS-043", "27 November 2026"},
		{func(m body) { m.DispatchAt = hence(-5 * 24 * time.Hour) }, "EMCS-044", "27 November 2026"},
	} {
		m := whisky()
		c.change(m)
		findings := emcs.Rules.Review(m, rules.Facts{Now: now}).Findings
		at := slices.IndexFunc(findings, func(f rules.Finding) bool { return f.Code == c.code })
		if c.value == "" {
			if at >= 0 {
				t.Errorf("%s was found in a good movement: %+v", c.code, findings[at])
			}
			continue
		}
		if at < 0 || !strings.Contains(findings[at].Message, c.value) || findings[at].Suggestion == "" || findings[at].Source == "" {
			t.Errorf("%s does not name %s: %+v", c.code, c.value, findings)
		}
	}
}

// An empty body is judged, not feared.
func TestEmptyBody(t *testing.T) {
	if r := emcs.Rules.Review(&emcs.Movement{}, rules.Facts{Now: now}); !r.HasBlockers {
		t.Errorf("%+v", r)
	}
}

// A review of a movement with much to say about takes less than 200 µs.
func BenchmarkReview(b *testing.B) {
	m := whisky()
	m.ProductCode, m.DispatcherNumber, m.Strength, m.JourneyDays = "22042138", "GB00240176601", n("40.125"), count(30)
	for b.Loop() {
		emcs.Rules.Review(m, rules.Facts{Now: now})
	}
}
