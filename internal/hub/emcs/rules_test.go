package emcs_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

type (
	body   = *emcs.Movement
	change = func(body)
)

// facts contain a table with every commodity code except 22083099.
var facts = rules.Facts{Now: now, ExciseProducts: rules.Listing{Edition: "table of the test", Find: func(code string) (string, bool) {
	return "", code != "22083099"
}}}

// The example in the API document has no warnings.
func TestDocumentedExample(t *testing.T) {
	fields := map[string]json.RawMessage{}
	shape := reflect.TypeFor[emcs.Movement]()
	for i := range shape.NumField() {
		f := shape.Field(i)
		if f.Anonymous { // the labels of every kind
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "message" { // instead of the flat fields
			continue
		}
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

// The review of a movement with many findings should take less than 200 µs.
func BenchmarkReview(b *testing.B) {
	m := whisky()
	m.ProductCode, m.DispatcherNumber, m.Strength, m.JourneyDays = "22042138", "GB00240176601", n("40.125"), count(30)
	for b.Loop() {
		emcs.Rules.Review(m, rules.Facts{Now: now})
	}
}

var (
	check   = rulestest.NewCase[body]
	message = rulestest.NewMessage[body]
)

type testCase = rulestest.Case[body]

var suite = rulestest.Suite[emcs.Movement, body]{
	Rules: emcs.Rules, Prefix: "EMCS", Examples: goodExamples,
	Cases: slices.Concat(traderCases, routeCases, productCases, strengthCases, amountCases, sizeCases, packageCases, journeyCases, messageCases),
	Messages: []rulestest.Message[body]{
		message(whisky, func(m body) { m.DispatcherNumber = "GB12" }, "EMCS-001", `"GB12"`),
		message(whisky, func(m body) { m.DispatcherNumber = "GB00002281023" }, "EMCS-002", "a tax warehouse"),
		message(whisky, func(m body) { m.ConsigneeNumber = "GB00240176601" }, "EMCS-005", "GB00240176601"),
		message(whisky, func(m body) { m.ConsigneeCountry = "RU" }, "EMCS-013", "Russia (Sanctions)"),
		message(whisky, func(m body) { m.ProductCode = "22083030" }, "EMCS-017", "S200 (spirits), S300 (ethyl alcohol)"),
		message(whisky, func(m body) { m.Strength = n("140") }, "EMCS-024", "140%"),
		message(whisky, func(m body) { m.Kilograms = kg("11340") }, "EMCS-031", "1.800 kg per litre"),
		message(whisky, func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "", n("160000"), nil }, "EMCS-033", "160000 litres"),
		message(whisky, func(m body) { m.Litres, m.Kilograms = n("9000"), nil }, "EMCS-035", "£118800"),
		message(whisky, func(m body) { m.JourneyDays = count(21) }, "EMCS-041", "21 days"),
		message(whisky, func(m body) { m.DispatchAt = hence(9 * 24 * time.Hour) }, "EMCS-043", "27 November 2026"),
		message(whisky, func(m body) { m.DispatchAt = hence(-5 * 24 * time.Hour) }, "EMCS-044", "27 November 2026"),
	},
	Body: rulestest.Plain[emcs.Movement](facts),
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }
