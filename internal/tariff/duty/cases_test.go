package duty

import (
	"bufio"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

const calculatorCases = "../../../../shared/tariff/calculator/cases.jsonl"

// eachCase calls f for each case of HMRC's calculator. The test is skipped if they are not there.
func eachCase(t *testing.T, f func(id string, line []byte)) {
	t.Helper()
	file, err := os.Open(calculatorCases)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the cases of HMRC's calculator are not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		f(c.ID, lines.Bytes())
	}
}

// comparisonCase is a case of the comparison of both tariffs. Duties are lists, such as "101, 0.4".
type comparisonCase struct {
	Inputs struct {
		Category string            `json:"category"`
		UK       map[string]string `json:"uk"`
		EU       map[string]string `json:"eu"`
		Value    string            `json:"customs_value"`
	} `json:"inputs"`
	Expected struct {
		Compared string   `json:"compared"`
		Options  []string `json:"options"`
	} `json:"expected"`
}

// calculatorKinds are the kinds of options in the calculator's words.
var calculatorKinds = map[string]string{
	"third country": ThirdCountry, "third-country duty": ThirdCountry, "quota": QuotaOption, "suspension": Suspension, "tariff preference": Preference,
}

// HMRC's calculator and the engine choose the same options of both tariffs.
func TestComparisonOfTariffs(t *testing.T) {
	tested := 0
	eachCase(t, func(id string, line []byte) {
		if !strings.HasPrefix(id, "engine-ni-") {
			return
		}
		tested++
		var c comparisonCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		value, _ := new(big.Rat).SetString(c.Inputs.Value)
		chosen, compared := compareDuties(withDuties(c.Inputs.UK, measure.UK), withDuties(c.Inputs.EU, measure.XI), value)
		if c.Expected.Options != nil {
			var got, want []string
			for _, o := range chosen {
				got = append(got, o.x.name+" "+o.kind+" "+o.base.amount().FloatString(1))
			}
			for _, o := range c.Expected.Options {
				want = append(want, expectedOption(&c, o))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, not %v", id, got, want)
			}
		}
		if c.Expected.Compared == "" {
			return
		}
		last := compared[len(compared)-1] // of the category; the third-country duties come first
		other := c.Inputs.EU[c.Inputs.Category]
		if other == "" {
			other = c.Inputs.EU["third country"]
		}
		if last.Kind != calculatorKinds[c.Inputs.Category] || last.UK.String() != c.Inputs.UK[c.Inputs.Category] || last.XI.String() != other {
			t.Errorf("%s: compared %+v", id, last)
		}
	})
	if tested != 8 {
		t.Errorf("%d cases were tested", tested)
	}
}

// expectedOption puts words such as "EU quota 101" or "the cheapest EU suspension (0.4)" into the form of the test.
func expectedOption(c *comparisonCase, words string) string {
	words = strings.NewReplacer("the cheapest ", "", "(", "", ")", "").Replace(words)
	service, rest, _ := strings.Cut(words, " ")
	side := c.Inputs.UK
	if service == "EU" {
		service, side = measure.XI, c.Inputs.EU
	}
	for name, kind := range calculatorKinds {
		if after, ok := strings.CutPrefix(rest, name); ok {
			amount := strings.TrimSpace(after)
			if amount == "" {
				amount = side[strings.TrimSuffix(strings.Replace(name, "third-country", "third country", 1), " duty")]
			}
			r, _ := new(big.Rat).SetString(amount)
			return service + " " + kind + " " + r.FloatString(1)
		}
	}
	return words
}

// withDuties makes options with given duties.
func withDuties(duties map[string]string, name string) (all []*option) {
	x := &calculation{name: name}
	for _, kind := range []string{"third country", "tariff preference", "suspension", "quota"} {
		for amount := range strings.SplitSeq(duties[kind], ", ") {
			if r, ok := new(big.Rat).SetString(amount); ok {
				all = append(all, &option{x: x, kind: calculatorKinds[kind], base: &charge{assessed: &assessment{amount: exactly(r)}}})
			}
		}
	}
	return all
}

// A difference of exactly 3 % leaves the UK's duty, and totals are sums of cut amounts.
func TestSmallCases(t *testing.T) {
	rat := func(s string) *big.Rat { r, _ := new(big.Rat).SetString(s); return r }
	eachCase(t, func(id string, line []byte) {
		var c struct {
			Inputs   map[string]any
			Expected map[string]any
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		text := func(m map[string]any, name string) string { s, _ := m[name].(string); return s }
		switch id {
		case "engine-delta-3-percent":
			uk := withDuties(map[string]string{"third country": text(c.Inputs, "uk_duty")}, measure.UK)
			xi := withDuties(map[string]string{"third country": text(c.Inputs, "eu_duty")}, measure.XI)
			_, compared := compareDuties(uk, xi, rat(text(c.Inputs, "customs_value")))
			if compared[0].Applied != text(c.Expected, "tariff_applied") {
				t.Errorf("%s: %+v", id, compared)
			}
		case "engine-abv-rounds-down":
			if got := "£" + cut(rat(text(c.Inputs, "value_before_rounding"))).Fixed(); got != text(c.Expected, "shown") {
				t.Errorf("%s: %s", id, got)
			}
		case "engine-option-total-no-additional", "engine-option-total-specific":
			total := money(rat(text(c.Inputs, "duty"))).Add(money(rat(text(c.Inputs, "vat"))))
			if more := text(c.Inputs, "additional"); more != "" {
				total = total.Add(money(rat(more)))
			}
			shown := rat(strings.NewReplacer("£", "", ",", "").Replace(text(c.Expected, "total")))
			if apart := shown.Sub(shown, total.Rat()); apart.Sign() < 0 || apart.Cmp(big.NewRat(3, 100)) > 0 { // a penny for each line
				t.Errorf("%s: %s", id, total.Fixed())
			}
		}
	})
}
