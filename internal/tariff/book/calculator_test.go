package book_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

const calculatorCases = "../../../../shared/tariff/calculator/cases.jsonl"

// calculatorCase is a case of HMRC's calculator.
type calculatorCase struct {
	ID     string `json:"id"`
	Inputs struct {
		Commodity string            `json:"commodity"`
		Origin    any               `json:"origin"`
		Goods     string            `json:"goods_value_gbp"`
		Freight   string            `json:"freight_gbp"`
		Insurance string            `json:"insurance_gbp"`
		Shown     string            `json:"customs_value_shown"`
		Units     map[string]string `json:"units"`

		Destination string   `json:"destination"`
		Excise      string   `json:"excise_code"`
		Meursing    string   `json:"meursing_code"`
		Additional  []string `json:"additional_codes_in_order_asked"`
	} `json:"inputs"`
	Expected struct {
		Options  []string `json:"options"`
		Lines    []string `json:"lines"`
		Formulas []string `json:"formulas"`
		Amounts  []string `json:"amounts"`
		Cells    [][]any  `json:"cells"`
		Total    string   `json:"total"`
		Outcome  string   `json:"outcome"`
	} `json:"expected"`
	Recorded []string `json:"recorded_measures"`
}

// plan says how a case is asked: with which recordings, on which day, and what the case says in other words.
type plan struct {
	uk, xi      string // recordings
	day         string
	destination string
	origin      string
	northern    string // answers about Northern Ireland, JSON
	line        string // further members of the line, JSON
	everywhere  bool   // the calculator's test passes over the areas of measures
}

// noDuty are answers with which no tariff is needed.
const (
	safeTurnover   = `{"ukims": true, "finalUseInUk": true, "turnoverBelowThreshold": true}`
	safeProcessing = `{"ukims": true, "finalUseInUk": true, "turnoverBelowThreshold": false, "processing": "NONE"}`
)

// plans of the cases that can be asked. The recordings of one code are of different days: those are taken whose rates are
// the case's.
var plans = map[string]plan{
	"201.01":                         {uk: "0702000007_2021-06-14_uk.json", day: "2021-04-09", destination: "GB", origin: "VN", line: `"facts": {"proofOfOrigin": "HELD", "otherDocuments": "NONE"}`},
	"RoW-GB206.01":                   {uk: "1516209821_2025-06-04_uk.json", day: "2025-06-04", destination: "GB", origin: "AR", line: `"additionalCodes": ["C999"], "vatChoice": "VAT", "facts": {"documents": [{"code": "C990"}]}`},
	"GB-NI408a.01":                   {uk: "7202118000_2021-04-09_uk.json", xi: "7202118000_2021-03-24_xi.json", day: "2021-04-09", destination: "NI", origin: "GB", northern: `{"ukims": false, "proofOfUkOrigin": false}`, line: `"facts": {"proofOfOrigin": "HELD"}`},
	"RoW-NI303.01":                   {uk: "0702000007_2021-06-14_uk.json", xi: "0702000007_2020-07-22_uk.json", day: "2020-07-22", destination: "NI", origin: "GL", northern: `{"ukims": false}`, line: `"quantities": [{"unit": "DTN", "value": 230.98}]`},
	"EU-NI502.01":                    {destination: "NI", origin: "FR"},
	"NI-GB102.01":                    {destination: "GB", origin: "XI"},
	"dcSmokeTestCI.01":               {destination: "GB", origin: "XI"},
	"e2e-NI2UK.01":                   {destination: "GB", origin: "XI"},
	"e2e-EU2NI.01":                   {destination: "NI", origin: "FR"},
	"dcEUNIcountries.01":             {destination: "NI", origin: "AT"},
	"dcSTW-CHIEG.01":                 {destination: "NI", origin: "FI"},
	"dcSTW-CHIEG.09":                 {destination: "NI", origin: "GB", northern: `{"ukims": false, "proofOfUkOrigin": true}`},
	"GB-NI402a.01":                   {destination: "NI", origin: "GB", northern: safeTurnover},
	"GB-NI402c.01":                   {destination: "NI", origin: "GB", northern: safeProcessing},
	"engine-route-ni-to-gb":          {destination: "GB", origin: "XI"},
	"engine-route-gb-to-ni-origin":   {destination: "NI", origin: "GB", northern: `{"proofOfUkOrigin": true}`},
	"engine-route-gb-to-ni-turnover": {destination: "NI", origin: "GB", northern: safeTurnover},
	"engine-options-7202118000-2-preference": {uk: "7202118000_2025-06-04_uk.json", day: "2021-01-01", destination: "GB", origin: "US", everywhere: true,
		line: `"additionalCodes": ["C490"], "facts": {"proofOfOrigin": "HELD"}`},
	"engine-options-7202118000-4-suspension": {uk: "7202118000_2025-06-04_uk.json", day: "2021-01-01", destination: "GB", origin: "US", everywhere: true,
		line: `"additionalCodes": ["C490"], "facts": {"documents": [{"code": "C990"}]}`},
}

// Every case of the calculator whose measures are recorded, or that needs none, has the expected options, formulas and
// amounts. A line can be a penny less than the calculator's, as ours are cut. The log counts by class; checkMissing names the
// others.
func TestCalculatorCases(t *testing.T) {
	file, err := os.Open(calculatorCases)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the cases of HMRC's calculator are not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	known := recordingsByFile(t)
	asked, all, tried, right := 0, map[string]int{}, map[string]int{}, map[string]int{}
	var unrecorded []*calculatorCase
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c calculatorCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		class := c.class()
		all[class]++
		p, ok := plans[c.ID]
		if !ok {
			unrecorded = append(unrecorded, &c)
			continue
		}
		asked++
		tried[class]++
		if t.Run(c.ID, func(t *testing.T) { c.check(t, p, p.ask(t, &c, known)) }) {
			right[class]++
		}
	}
	for _, class := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%s: %d cases, %d asked, %d with the expected options and amounts", class, all[class], tried[class], right[class])
	}
	checkMissing(t, unrecorded)
	if asked != len(plans) {
		t.Errorf("%d of %d planned cases exist", asked, len(plans))
	}
}

// class is the kind of a case: the route of a walk-through, or the computation of a unit test.
func (c *calculatorCase) class() string {
	switch id := strings.ToLower(c.ID); {
	case strings.HasPrefix(id, "engine-route"):
		return "unit tests of routes"
	case strings.HasPrefix(id, "engine-options"):
		return "unit tests of options"
	case strings.HasPrefix(id, "engine-"):
		return "unit tests of single computations"
	case strings.HasPrefix(id, "meursing"):
		return "Meursing"
	case strings.HasPrefix(id, "gb-ni"):
		return "Great Britain to Northern Ireland"
	case strings.HasPrefix(id, "row-ni"):
		return "other countries to Northern Ireland"
	case strings.HasPrefix(id, "row-gb"), strings.HasPrefix(id, "201"):
		return "other countries to Great Britain"
	case strings.HasPrefix(id, "ni-gb"), strings.HasPrefix(id, "eu-ni"):
		return "from Northern Ireland, or from the EU to it"
	}
	return "other walk-throughs"
}

func recordingsByFile(t *testing.T) map[string]*recording.Recording {
	all := map[string]*recording.Recording{}
	for _, archive := range []string{"commodities.tar.gz", "nested.tar.gz"} {
		for _, r := range recordings(t, archive, func(recording.Name) bool { return true }) {
			file := fmt.Sprintf("%s_%s_%s.json", r.Name.Code, r.Name.Day, strings.ToLower(r.Name.Service))
			if r.Name.Country == "" {
				all[file] = r
			}
		}
	}
	return all
}

// book makes a book of one recording, which holds on every day.
func (p *plan) book(t *testing.T, known map[string]*recording.Recording, file string) duty.Tariff {
	t.Helper()
	if file == "" {
		return nil
	}
	r := *known[file]
	r.Name.Day = 0
	if p.everywhere {
		r.Import = slices.Clone(r.Import)
		for i := range r.Import {
			r.Import[i].Area, r.Import[i].Excluded = measure.Everywhere, nil
		}
	}
	return bookOf(t, r.Name.Service, []*recording.Recording{&r})
}

func (p *plan) ask(t *testing.T, c *calculatorCase, known map[string]*recording.Recording) duty.ResponseLine {
	t.Helper()
	number := func(s string) string {
		if s == "" {
			return "0"
		}
		return s
	}
	if p.day == "" {
		p.day = "2024-01-01"
	}
	code := c.Inputs.Commodity
	if code == "" {
		code = "0101210000"
	}
	line := fmt.Sprintf(`"commodityCode": %q, "origin": %q, "price": {"amount": %s, "currency": "GBP"}, "freight": [{"amount": %s, "currency": "GBP"}],
		"insurance": [{"amount": %s, "currency": "GBP"}]`, code, p.origin, number(c.Inputs.Goods), number(c.Inputs.Freight), number(c.Inputs.Insurance))
	if kg := c.Inputs.Units["kgm"]; kg != "" {
		line += `, "netMassKg": ` + kg
	}
	if tonnes := c.Inputs.Units["tnei"]; tonnes != "" {
		line += `, "quantities": [{"unit": "TNE", "qualifier": "I", "value": ` + tonnes + `}]`
	}
	if p.line != "" {
		line += ", " + p.line
	}
	northern := p.northern
	if northern == "" {
		northern = "null"
	}
	e := duty.Editions{ID: 1}
	if uk := p.book(t, known, p.uk); uk != nil {
		e.UK = uk
	}
	if xi := p.book(t, known, p.xi); xi != nil {
		e.XI = xi
	}
	text := fmt.Sprintf(`{"date": %q, "destination": %q, "incoterm": "EXW", "vatCosts": [], "northernIreland": %s, "lines": [{%s}]}`, p.day, p.destination, northern, line)
	return ask(t, text, e).Lines[0]
}

// calculatorKinds are the kinds of options in the calculator's words.
var calculatorKinds = map[string]string{
	"third-country duty": duty.ThirdCountry, "tariff preference": duty.Preference, "waiver": duty.Waiver, "suspension": duty.Suspension,
}

func (c *calculatorCase) check(t *testing.T, p plan, line duty.ResponseLine) {
	if c.Expected.Outcome == "no import duty to pay" && line.Outcome != duty.NoDuty {
		t.Errorf("outcome %s, %v", line.Outcome, line.Problems)
	}
	if c.Inputs.Shown != "" && "£"+line.CustomsValue.Amount.Fixed() != strings.ReplaceAll(c.Inputs.Shown, ",", "") {
		t.Errorf("customs value %v, not %s", line.CustomsValue.Amount, c.Inputs.Shown)
	}
	for _, o := range c.Expected.Options {
		kind, _, _ := strings.Cut(o, ":")
		if !slices.ContainsFunc(line.Options, func(l duty.Option) bool { return l.Kind == calculatorKinds[kind] }) {
			t.Errorf("no option %s", o)
		}
	}
	for _, f := range c.Expected.Formulas {
		c.formula(t, line, f)
	}
	said := slices.Concat(c.Expected.Amounts, c.Expected.Lines, []string{c.Expected.Total})
	for _, cell := range c.Expected.Cells {
		said = append(said, fmt.Sprint(cell[len(cell)-1]))
	}
	for _, text := range said {
		for _, amount := range pounds.FindAllString(text, -1) {
			if !c.has(line, amountOf(amount)) {
				t.Errorf("%q: %s is not in the answer", text, amount)
			}
		}
	}
}

var pounds = regexp.MustCompile(`£[0-9,]+\.[0-9]{2}`)

func amountOf(text string) *big.Rat {
	r, _ := new(big.Rat).SetString(strings.NewReplacer("£", "", ",", "").Replace(text))
	return r
}

// near reports whether an amount is the calculator's, or one penny less.
func near(got, want *big.Rat) bool {
	apart := new(big.Rat).Sub(want, got)
	return apart.Sign() >= 0 && apart.Cmp(big.NewRat(1, 100)) <= 0
}

// has reports whether an amount is the customs value, a charge, what it is computed of, or a sum.
func (c *calculatorCase) has(line duty.ResponseLine, want *big.Rat) bool {
	if near(line.CustomsValue.Amount.Rat(), want) {
		return true
	}
	for _, o := range line.Options {
		if o.Totals.Total != nil && near(o.Totals.Total.Rat(), want) {
			return true
		}
		for _, l := range o.Charges {
			if l.Amount != nil && near(l.Amount.Rat(), want) || l.Base.Amount != nil && near(l.Base.Amount.Rat(), want) {
				return true
			}
		}
	}
	return false
}

// formula looks for a charge such as "8.0% * £10,002.24".
func (c *calculatorCase) formula(t *testing.T, line duty.ResponseLine, formula string) {
	percent, base, _ := strings.Cut(formula, "% * ")
	want, _ := new(big.Rat).SetString(percent)
	for _, o := range line.Options {
		for _, l := range o.Charges {
			rate, ok := new(big.Rat).SetString(strings.TrimSuffix(l.Resolved, " %"))
			if ok && rate.Cmp(want) == 0 && l.Base.Amount != nil && near(l.Base.Amount.Rat(), amountOf(base)) {
				return
			}
		}
	}
	t.Errorf("no charge of %s", formula)
}
