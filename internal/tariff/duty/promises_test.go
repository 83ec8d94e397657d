package duty_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// simple is a tariff with measures of area 1011, in force on every day; sids count from 1.
func simple(t testing.TB, measures ...measure.Measure) *table {
	t.Helper()
	n := &table{groups: map[string][]string{"1013": {"FR", "DE"}}, details: measure.NewDetails(), quotas: map[string]measure.Quota{}}
	n.details.Series["277"] = "A"
	for i, m := range measures {
		m.SID = int64(i + 1)
		if m.Type == "305" || m.Type == "306" {
			m.SID = -m.SID
		}
		if m.Area == "" {
			m.Area = measure.Everywhere
		}
		n.measures = append(n.measures, m)
	}
	var err error
	if n.areas, err = measure.NewAreas(n.groups); err != nil {
		t.Fatal(err)
	}
	return n
}

// rate is a duty in per cent.
func rate(percent string) []measure.Component {
	return []measure.Component{{Expression: "01", Amount: decimal(percent)}}
}

// per is a duty in pounds for each unit.
func per(amount, unit string) []measure.Component {
	return []measure.Component{{Expression: "01", Amount: decimal(amount), Currency: "GBP", Unit: unit}}
}

func decimal(text string) *big.Rat { r, _ := new(big.Rat).SetString(text); return r }

// needs are conditions: a document, otherwise the measure does not apply.
func needs(document string) []measure.Condition {
	return []measure.Condition{{Code: "B", Document: document, Action: "27"}, {Code: "B", Action: "07"}}
}

var vat20 = measure.Measure{Type: "305", Components: rate("20")}

// asking is a request of one line for £1,000.
type asking struct {
	head, line string // further members
	to         string
	from       string
	uk, xi     *table
	euro       duty.EuroRate
}

func (a asking) request(t testing.TB, lines string) *duty.Request {
	t.Helper()
	if a.to == "" {
		a.to = "GB"
	}
	var r duty.Request
	text := fmt.Sprintf(`{"destination": %q, %s "lines": [%s]}`, a.to, a.head, lines)
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return &r
}

func (a asking) response(t testing.TB) duty.Response {
	t.Helper()
	from := a.from
	if from == "" {
		from = "US"
	}
	price := `"price": {"amount": 1000, "currency": "GBP"}`
	if strings.Contains(a.line, `"price"`) {
		price = `"ref": ""`
	}
	line := fmt.Sprintf(`{"commodityCode": "1234567890", "origin": %q, %s`, from, price)
	if a.line != "" {
		line += ", " + a.line
	}
	return a.calculate(a.request(t, line+"}"))
}

func (a asking) calculate(r *duty.Request) duty.Response {
	e := duty.Editions{ID: 1}
	if a.uk != nil {
		e.UK = a.uk
	}
	if a.xi != nil {
		e.XI = a.xi
	}
	money := &duty.Money{Table: "T", Euro: a.euro, Monthly: func(c string) (duty.Rate, bool) {
		return duty.Rate{Units: quantity.MustNumber("1.25"), Source: "HMRC_MONTHLY", Period: "2024-01"}, c == "USD"
	}}
	return duty.Calculate(r, 19000, e, money)
}

func (a asking) one(t testing.TB) duty.ResponseLine { t.Helper(); return a.response(t).Lines[0] }

func codes(all []duty.Notice) (list []string) {
	for _, n := range all {
		list = append(list, n.Code)
	}
	return list
}

// effects writes what the values of a fact lead to.
func effects(l []duty.Fact, field string) (list []string) {
	for _, f := range l {
		if f.Field != field {
			continue
		}
		for _, e := range f.Effects {
			list = append(list, e.Value+" "+fixed(e.Total)+" "+fixed(e.Difference))
		}
	}
	return list
}

func equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

// A document that two measures ask for changes both.
func TestEffectOfASharedDocument(t *testing.T) {
	exempt := func(amount string) []measure.Condition {
		return []measure.Condition{{Code: "A", Document: "D008", Action: "01", Components: rate("0")}, {Code: "A", Action: "01", Components: rate(amount)}}
	}
	uk := simple(t, measure.Measure{Type: "103", Components: rate("10")}, measure.Measure{Type: "552", Conditions: exempt("20")},
		measure.Measure{Type: "554", Conditions: exempt("5")}, vat20)
	o := asking{uk: uk}.one(t).Options[0]
	equal(t, "status", o.Status, duty.Conditional)
	equal(t, "total", fixed(o.Totals.Total), "620.00") // 100 + 200 + 50, and 20 % of 1,350
	equal(t, "effects", effects(o.FactsNeeded, "lines[0].facts.documents[D008]"), []string{"HELD 320.00 -300.00", "NONE 620.00 0.00"})
}

// A company that is named has its own rate, one that is not has that for others, and without a code the highest is charged.
func TestCompanies(t *testing.T) {
	company := func(code, percent string) measure.Measure {
		return measure.Measure{Type: "552", Additional: code, Components: rate(percent)}
	}
	uk := simple(t, measure.Measure{Type: "103", Components: rate("0")}, company("B107", "5"), company("B999", "30"), company("C114", "40"))
	for code, want := range map[string]string{`["B107"]`: "50.00", `["B555"]`: "300.00", `[]`: "400.00"} {
		o := asking{uk: uk, line: `"additionalCodes": ` + code}.one(t).Options[0]
		equal(t, code, o.Totals.Remedies.Fixed(), want)
		equal(t, code+" conditional", o.Status == duty.Conditional, code == "[]")
	}
	o := asking{uk: uk}.one(t).Options[0]
	equal(t, "values", o.FactsNeeded[0].Values, []string{"B107", "B999", "C114"})
}

// Quotas by status, and what a critical one secures.
func TestQuotas(t *testing.T) {
	quota := func(order string) measure.Measure {
		return measure.Measure{Type: "122", Order: order, Components: rate("2")}
	}
	uk := simple(t, measure.Measure{Type: "103", Components: rate("10")}, measure.Measure{Type: "696", Components: rate("25")},
		quota("050001"), quota("050002"), quota("050003"), quota("050004"), quota("050005"), quota("054006"), quota("050007"), quota("050008"), vat20)
	for order, status := range map[string]string{
		"050001": measure.QuotaOpen, "050002": measure.QuotaCritical, "050003": measure.QuotaExhausted, "050004": measure.QuotaSuspended,
		"050005": measure.QuotaBlocked, "054006": measure.QuotaOpen,
	} {
		uk.quotas[order] = measure.Quota{Order: order, Status: status, Balance: decimal("1000")}
	}
	uk.quotas["050007"] = measure.Quota{Order: "050007", Status: measure.QuotaOpen} // balance unknown; nothing is known of 050008
	l := asking{uk: uk}.one(t)
	var open, closed []string
	for _, o := range l.Options {
		text := o.Kind + " " + o.Status + " " + fixed(o.Totals.Total)
		if o.Order != nil {
			text += " " + *o.Order
		}
		open = append(open, text)
	}
	for _, o := range l.Unavailable {
		closed = append(closed, *o.Order+" "+*o.Reason)
	}
	equal(t, "options", strings.Join(open, ", "), "QUOTA AVAILABLE 224.00 050001, QUOTA AVAILABLE 224.00 050002, QUOTA CONDITIONAL 224.00 050007, "+
		"QUOTA CONDITIONAL 224.00 050008, QUOTA CONDITIONAL 224.00 054006, THIRD_COUNTRY AVAILABLE 620.00")
	equal(t, "closed", closed, []string{"050003 QUOTA_EXHAUSTED", "050004 QUOTA_SUSPENDED", "050005 QUOTA_BLOCKED"})
	secured := l.Options[1].Charges[1]
	equal(t, "secured", secured.Payable+" "+fixed(secured.Amount), "SECURED 80.00")
	equal(t, "warnings", l.Warnings[len(l.Warnings)-1].Codes, []string{"050007", "050008", "054006"})
}

// Bounds that decide without the quantity are used; otherwise the amount is not known, and the quantity is asked for.
func TestBoundsWithoutAQuantity(t *testing.T) {
	bound := func(expression, percent string) []measure.Component {
		return append(per("3", "NAR"), measure.Component{Expression: expression, Amount: decimal(percent)})
	}
	uk := simple(t, measure.Measure{Type: "103", Components: bound("15", "5")}, vat20)
	l := asking{uk: uk}.one(t)
	equal(t, "least", fixed(l.Options[0].Charges[0].Amount), "null")
	equal(t, "fact", l.FactsNeeded[0].Field+" "+*l.FactsNeeded[0].Unit, "lines[0].quantities[NAR] NAR")
	equal(t, "incomplete", fmt.Sprint(l.Options[0].Totals.Complete, fixed(l.Options[0].Totals.Total)), "falsenull")
	zero := simple(t, measure.Measure{Type: "103", Components: bound("17", "0")}, vat20)
	l = asking{uk: zero}.one(t)
	equal(t, "most", fixed(l.Options[0].Charges[0].Amount), "0.00")
	equal(t, "no fact", len(l.FactsNeeded), 0)
}

// A duty of which the tariff says nothing is not free of duty.
func TestEmptyDuty(t *testing.T) {
	o := asking{uk: simple(t, measure.Measure{Type: "103"}, vat20)}.one(t).Options[0]
	equal(t, "amount", fixed(o.Charges[0].Amount)+" "+fixed(o.Totals.Total), "null null")
}

// VAT without a rate still shows what it is computed on, and lines are cut at the penny.
func TestVAT(t *testing.T) {
	uk := simple(t, measure.Measure{Type: "103", Components: rate("3.3339")}, measure.Measure{Type: "305", Components: rate("0"), Additional: "VATZ"}, vat20)
	o := asking{uk: uk, head: `"vatAccounting": "POSTPONED", "paymentMethod": "E",`, line: `"vatChoice": "VATZ", "vatCosts": [{"amount": 10.005, "currency": "GBP"}]`}.one(t).Options[0]
	v := o.Charges[1]
	equal(t, "base", fixed(v.Base.Amount)+" "+fixed(v.Amount)+" "+v.Payable, "1043.34 0.00 POSTPONED") // 1,000 + 33.33 + 10.01
	equal(t, "exact", *o.Charges[0].Exact, "33.339")
	var declared []string
	for _, e := range o.Declare {
		declared = append(declared, e.Element+" "+e.Code)
	}
	equal(t, "declared", declared, []string{"4/17 100", "4/8 E", "6/17 VATZ"})
	open := asking{uk: uk}.one(t).Options[0]
	equal(t, "highest", open.Totals.VAT.Fixed()+" "+open.Status, "206.66 CONDITIONAL")
	equal(t, "effects", effects(open.FactsNeeded, "lines[0].vatChoice"), []string{"VAT 239.99 0.00", "VATZ 33.33 -206.66"})
}

// Without an excise code the line is null if several can apply.
func TestExcise(t *testing.T) {
	excise := func(code, percent string) measure.Measure {
		return measure.Measure{Type: "306", Additional: code, Components: rate(percent)}
	}
	uk := simple(t, measure.Measure{Type: "103", Components: rate("0")}, excise("X370", "10"), excise("X321", "20"), vat20)
	o := asking{uk: uk}.one(t).Options[0]
	equal(t, "open", fixed(o.Charges[1].Amount)+" "+fixed(o.Totals.Total), "null null")
	equal(t, "effects", effects(o.FactsNeeded, "lines[0].exciseCode"), []string{"X321 440.00 null", "X370 320.00 null"})
	o = asking{uk: uk, line: `"exciseCode": "X370"`}.one(t).Options[0]
	equal(t, "chosen", o.Charges[1].TaxType+" "+fixed(o.Charges[1].Amount)+" "+o.Status, "370 100.00 AVAILABLE")
}

// An import price in the currency of its threshold is compared as it is.
func TestEntryPrice(t *testing.T) {
	steps := []measure.Condition{
		{Code: "V", Threshold: &measure.Threshold{Amount: decimal("52.6"), Currency: "EUR", Unit: "DTN"}, Action: "01", Components: rate("0")},
		{Code: "V", Threshold: &measure.Threshold{Amount: decimal("0"), Currency: "EUR", Unit: "DTN"}, Action: "01", Components: rate("10")},
	}
	uk := simple(t, measure.Measure{Type: "103", Conditions: steps}, vat20)
	for price, want := range map[string]string{"52.60": "0.00", "52.59": "100.00"} {
		l := asking{uk: uk, line: `"facts": {"entryPrice": {"amount": ` + price + `, "currency": "EUR"}}`, euro: duty.EuroRate{Rate: decimal("0.8571")}}.one(t)
		equal(t, price, fixed(l.Options[0].Charges[0].Amount), want)
	}
	l := asking{uk: uk, line: `"facts": {"entryPrice": {"amount": 52, "currency": "JPY"}}`}.one(t)
	equal(t, "without a rate", fmt.Sprint(len(l.Options), l.Options[0].Status, codes(l.Problems)), fmt.Sprint(2, duty.Conditional, []string{"RATE_MISSING"}))
}

// A condition that refuses the code, and a prohibition, leave no option.
func TestRefusals(t *testing.T) {
	refusing := []measure.Condition{{Code: "B", Document: "C074", Action: "27"}, {Code: "B", Action: "08"}}
	uk := simple(t, measure.Measure{Type: "103", Components: rate("10"), Conditions: refusing}, vat20)
	l := asking{uk: uk, line: `"facts": {"documentsAbsent": ["C074"]}`}.one(t)
	equal(t, "refused", fmt.Sprint(l.Outcome, len(l.Options), codes(l.Problems), l.Problems[0].Codes), "REFUSED0 [CODE_REFUSED] [C074]")
	o := asking{uk: uk}.one(t).Options[0]
	equal(t, "unknown", o.Status, duty.Conditional)
	equal(t, "effects", effects(o.FactsNeeded, "lines[0].facts.documents[C074]"), []string{"HELD 320.00 0.00", "NONE null null"})
	forbidden := simple(t, measure.Measure{Type: "103", Components: rate("10")}, measure.Measure{Type: "277", Area: "US"})
	equal(t, "forbidden", asking{uk: forbidden}.one(t).Outcome, duty.Refused)
	equal(t, "of another origin", asking{uk: forbidden, from: "CN"}.one(t).Outcome, duty.Calculated)
	equal(t, "the universal waiver saves nothing", asking{uk: uk, line: `"facts": {"documents": [{"code": "999L"}], "otherDocuments": "NONE"}`}.one(t).Outcome, duty.Refused)
}

// At most 200 options are shown.
func TestManyOptions(t *testing.T) {
	all := []measure.Measure{{Type: "103", Components: rate("10")}, vat20}
	for range 250 {
		all = append(all, measure.Measure{Type: "142", Components: rate("1"), Conditions: needs("U116")})
	}
	l := asking{uk: simple(t, all...)}.one(t)
	equal(t, "options", fmt.Sprint(len(l.Options), codes(l.Warnings)), "200 [OPTIONS_CUT]")
	if !strings.HasPrefix(l.Warnings[0].Message, "51 ") {
		t.Error(l.Warnings[0].Message)
	}
}

// Quantities that do not fit, and facts that the tariff does not know, are problems.
func TestProblems(t *testing.T) {
	uk := simple(t, measure.Measure{Type: "103", Components: per("2", "HLT")}, vat20, measure.Measure{Type: "109", Components: per("0", "NAR")})
	l := asking{uk: uk, line: `"quantities": [{"unit": "KWH", "value": 5}, {"unit": "MIL", "value": 1}]`}.one(t)
	equal(t, "mismatch", fmt.Sprint(codes(l.Problems), l.Problems[0].Codes), "[UNIT_MISMATCH] [HLT KWH]")
	l = asking{uk: uk, line: `"vatChoice": "VATR", "exciseCode": "X370", "quantities": [{"unit": "LTR", "value": 100}], "facts": {"quotaOrderNumbers": ["051234"]}`}.one(t)
	equal(t, "contradictions", codes(l.Problems), []string{"FACT_CONTRADICTS", "FACT_CONTRADICTS", "FACT_CONTRADICTS"})
	equal(t, "litres", fixed(l.Options[0].Charges[0].Amount), "2.00")
	l = asking{uk: simple(t, measure.Measure{Type: "142", Components: rate("0")})}.one(t)
	equal(t, "no duty", fmt.Sprint(codes(l.Problems), codes(l.Warnings)), "[NO_DUTY_MEASURE] [VAT_MEASURE_MISSING]")
}

// Without the alcoholic strength no amount that rests on it is known, and it is asked for; no strength is assumed.
func TestMissingStrength(t *testing.T) {
	for name, charged := range map[string][]measure.Component{
		"per cent and hectolitre": {{Expression: "01", Amount: decimal("0.50"), Currency: "GBP", Unit: "ASV", Qualifier: "X"}}, "pure alcohol": per("9.27", "LPA"),
	} {
		uk := simple(t, measure.Measure{Type: "103", Components: charged}, vat20)
		o := asking{uk: uk, line: `"quantities": [{"unit": "LTR", "value": 100}]`}.one(t).Options[0]
		equal(t, name, fmt.Sprintln(fixed(o.Charges[0].Amount), fixed(o.Totals.Total), o.Totals.Complete, o.FactsNeeded[0].Field), "null null false lines[0].alcoholStrength\n")
		o = asking{uk: uk, line: `"alcoholStrength": 0, "quantities": [{"unit": "LTR", "value": 100}]`}.one(t).Options[0]
		equal(t, name+" without alcohol", fmt.Sprintln(fixed(o.Charges[0].Amount), o.Totals.Complete, o.FactsNeeded), "0.00 true []\n")
	}
}

// A suspension of which only footnotes say for which goods it is, is conditional: a person must read them.
func TestSuspensionWithNotes(t *testing.T) {
	third := measure.Measure{Type: "103", Components: rate("10")}
	noted := measure.Measure{Type: "112", Components: rate("0"), Footnotes: []string{"DS444", "TM861"}}
	l := asking{uk: simple(t, third, noted, vat20)}.one(t)
	equal(t, "noted", fmt.Sprint(l.Options[0].Kind, " ", l.Options[0].Status, codes(l.Warnings), l.Warnings[0].Codes), "SUSPENSION CONDITIONAL[SUSPENSION_NOTES] [DS444 TM861]")
	equal(t, "third country", l.Options[1].Status, duty.Available)
	noted.Conditions = needs("N990")
	l = asking{uk: simple(t, third, noted, vat20), line: `"facts": {"documents": [{"code": "N990"}]}`}.one(t)
	equal(t, "with a document", fmt.Sprint(l.Options[0].Status, codes(l.Warnings)), "AVAILABLE[]")
	noted.Conditions, noted.Footnotes = nil, nil
	equal(t, "without notes", asking{uk: simple(t, third, noted, vat20)}.one(t).Options[0].Status, duty.Available)
}

// Warnings about the whole request.
func TestWarnings(t *testing.T) {
	uk := simple(t, measure.Measure{Type: "103", Components: rate("0")}, vat20)
	r := asking{uk: uk, line: `"price": {"amount": 135, "currency": "GBP"}`}.response(t)
	equal(t, "warnings", codes(r.Warnings), []string{"INCOTERM_MISSING", "LOW_VALUE_RULES", "VAT_COSTS_UNKNOWN"})
	r = asking{uk: uk, head: `"incoterm": "XXX", "vatCosts": [],`}.response(t)
	equal(t, "another term", codes(r.Warnings), []string{"INCOTERM_MISSING"})
	r = asking{uk: uk, head: `"incoterm": "DDP", "vatCosts": [],`}.response(t)
	equal(t, "DDP", codes(r.Warnings), []string{"DDP_DUTY_IN_PRICE"})
	equal(t, "ref", r.Lines[0].Ref, "0")
}

// The same request gives the same bytes, and no list is null.
func TestShapes(t *testing.T) {
	uk, xi := (dice{newRand(3)}).tariff(true), (dice{newRand(4)}).tariff(false)
	for n := range 300 {
		q := dice{newRand(uint64(n))}.question()
		q.uk, q.xi = uk, xi
		first, err := json.Marshal(q.ask())
		if err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(q.ask())
		if err != nil || string(first) != string(again) {
			t.Fatalf("%v\n%s\n%s", err, first, again)
		}
		for _, list := range []string{
			"lines", "options", "unavailable", "controls", "niComparison", "factsNeeded", "problems", "warnings", "charges", "declare", "parts", "steps",
			"footnotes", "conditions", "values", "effects", "quantities", "codes",
		} {
			if strings.Contains(string(first), `"`+list+`":null`) {
				t.Fatalf("%s is null: %s", list, first)
			}
		}
	}
}

// Other lists are by code, then by sid.
func TestOrderOfLists(t *testing.T) {
	uk := simple(t, measure.Measure{Type: "750", Conditions: needs("Y929")}, measure.Measure{Type: "103", Components: rate("1")},
		measure.Measure{Type: "410", Conditions: needs("N853")}, measure.Measure{Type: "410", Conditions: slices.Concat(
			[]measure.Condition{{Code: "E", Document: "C672", Action: "29"}}, needs("N853"))}, vat20)
	l := asking{uk: uk, line: `"facts": {"documents": [{"code": "Y929", "status": "AC"}]}`}.one(t)
	var controls []string
	for _, c := range l.Controls {
		controls = append(controls, fmt.Sprint(c.TypeID, " ", c.SID, " ", c.Status))
	}
	equal(t, "controls", strings.Join(controls, ", "), "410 3 UNKNOWN, 410 4 UNKNOWN, 750 1 SATISFIED")
	equal(t, "conditions", l.Controls[1].Conditions[0].Code, "B")
	equal(t, "declared", fmt.Sprint(l.Options[0].Declare[0].Element, " ", l.Options[0].Declare[0].Code, " ", *l.Options[0].Declare[0].Status), "2/3 Y929 AC")
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }
