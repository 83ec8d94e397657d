package duty

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// calculatorCase is a case of HMRC's calculator that needs no tariff.
type calculatorCase struct {
	ID     string `json:"id"`
	Inputs struct {
		Goods      string            `json:"goods_value_gbp"`
		Units      map[string]string `json:"units"`
		Components [][]*string       `json:"components"`
		Condition  [][]*string       `json:"condition_components"`
		Euro       string            `json:"exchange_rate_gbp_per_eur"`
	} `json:"inputs"`
	Expected struct {
		Value string `json:"value"`
	} `json:"expected"`
}

// HMRC's calculator and the engine compute the same from single duties.
func TestSingleDuties(t *testing.T) {
	tested := 0
	eachCase(t, func(_ string, line []byte) {
		var c calculatorCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		parts := append(c.Inputs.Components, c.Inputs.Condition...)
		if parts == nil || c.Expected.Value == "" {
			return
		}
		tested++
		x := &calculation{goods: c.goods(t)}
		components := componentsOf(t, parts)
		if last := len(components) - 1; components[last].Unit == measure.SmallRelief {
			components = components[last:] // the case is of the relief alone, which the duty deducts
			components[0].Expression = "01"
		}
		got := x.assess(components, &measure.Measure{}).amount.value()
		want, _ := new(big.Rat).SetString(c.Expected.Value)
		if got == nil || got.Cmp(want) != 0 {
			t.Errorf("%s: %v, not %s", c.ID, got, c.Expected.Value)
		}
	})
	if tested < 7 {
		t.Errorf("%d cases were tested", tested)
	}
}

func componentsOf(t *testing.T, all [][]*string) (list []measure.Component) {
	t.Helper()
	for _, c := range all {
		text := func(i int) string {
			if i >= len(c) || c[i] == nil {
				return ""
			}
			return *c[i]
		}
		amount, ok := new(big.Rat).SetString(text(1))
		if !ok {
			t.Fatalf("amount %q", text(1))
		}
		list = append(list, measure.Component{Expression: text(0), Amount: amount, Currency: text(2), Unit: text(3), Qualifier: text(4)})
	}
	return list
}

// goods turns the calculator's units into quantities.
func (c *calculatorCase) goods(t *testing.T) *goods {
	t.Helper()
	number := func(s string) *Decimal {
		d, err := quantity.ParseDecimal(s)
		if err != nil {
			t.Fatal(err)
		}
		return &d
	}
	l := &RequestLine{}
	for unit, value := range c.Inputs.Units {
		switch unit = strings.ToUpper(unit); unit {
		case "ASV":
			l.AlcoholStrength = number(value)
		case "BRX":
			l.SucrosePercent = number(value)
		case "RET":
			l.RetailPrice = number(value)
		case "SPR":
			l.SmallProducerDiscount = number(value)
		case "KGM":
			l.NetMass = number(value)
		default:
			l.Quantities = append(l.Quantities, Quantity{Unit: unit, Value: *number(value)})
		}
	}
	g := newGoods(l, 0)
	if c.Inputs.Goods != "" {
		g.value = number(c.Inputs.Goods).Rat
	}
	if c.Inputs.Euro != "" {
		g.euro = EuroRate{Rate: number(c.Inputs.Euro).Rat}
	}
	return g
}
