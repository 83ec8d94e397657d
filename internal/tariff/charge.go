package tariff

import (
	"errors"
	"math/big"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Values of Charge.Missing: the tariff has no measure for the code on that day; it has a duty
// but no VAT; the duty depends on the additional code (DE 6/16).
const (
	NoMeasure      = "a known measure"
	NoVAT          = "a known VAT rate"
	additionalCode = "additional code (TARIC)"
)

// Goods is what an item of an import declares that its duty may depend on.
type Goods struct {
	CommodityCode string
	CustomsValue  quantity.Money   // pounds, including cost, insurance and freight
	NetMass       quantity.Mass    // zero if not declared
	Units         *quantity.Number // in the supplementary unit of the line; nil if not declared
	On            time.Time        // acceptance of the declaration; the day is the one in London
}

// day returns the day of the goods, or other if they have none.
func (g Goods) day(other string) string {
	if g.On.IsZero() {
		return other
	}
	return g.On.In(calendar.London()).Format(time.DateOnly)
}

// Charge is the estimate for one item. Unless it is Known, both sums are zero and Missing
// names what is not known, such as "supplementary units (NAR)".
type Charge struct {
	Duty, VAT  quantity.Money
	Known      bool
	Missing    string
	Expression string // the duty as in the tariff; empty without a measure
	VATRate    int    // percent
	AsOf       string // date (YYYY-MM-DD) of the rates
}

// Charge applies the line to goods of its code. As in CDS the duty is cut to the penny, and
// VAT on the value plus this duty is also cut to the penny.
func (l Line) Charge(g Goods) Charge {
	c := Charge{Expression: l.Duty.String(), VATRate: l.VATRate, AsOf: l.AsOf}
	if l.missing != "" {
		c.Missing = l.missing
		return c
	}
	duty, err := l.Duty.Apply(g, l.Unit)
	if err == nil {
		c.VAT, err = valueAddedTax(l.VATRate, g.CustomsValue.Add(duty))
	}
	if err != nil {
		c.Missing = missing(err)
		return c
	}
	c.Duty, c.Known = duty, true
	return c
}

func valueAddedTax(percent int, base quantity.Money) (quantity.Money, error) {
	if percent == 0 {
		return quantity.Money{}, nil
	}
	vat := base.Rat()
	return truncate(vat.Mul(vat, big.NewRat(int64(percent), 100)))
}

func missing(err error) string {
	var m *MissingError
	if errors.As(err, &m) {
		return m.What
	}
	return err.Error()
}
