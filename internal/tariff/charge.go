package tariff

import (
	"errors"
	"math/big"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// What is missing when the tariff does not know the commodity code, or no measure of
// it on that day; when it knows a duty and no VAT; and when only the additional code
// of the goods (DE 6/16) tells which of several duties it is.
const (
	NoMeasure      = "a known measure"
	NoVAT          = "a known VAT rate"
	additionalCode = "additional code (TARIC)"
)

// Goods are what an item of an import declares that duty may depend on.
type Goods struct {
	CommodityCode string
	CustomsValue  quantity.Money   // pounds, cost, insurance and freight included
	NetMass       quantity.Mass    // zero where it is not declared
	Units         *quantity.Number // in the supplementary unit of the line; nil where not declared
	On            time.Time        // acceptance of the declaration; the day counts by the clocks of London
}

// day is that of the goods, or another where they have none.
func (g Goods) day(other string) string {
	if g.On.IsZero() {
		return other
	}
	return g.On.In(calendar.London()).Format(time.DateOnly)
}

// Charge is the estimate for one item. Unless it is Known, both sums are zero and
// Missing names what the estimate lacks, such as "supplementary units (NAR)".
type Charge struct {
	Duty, VAT  quantity.Money
	Known      bool
	Missing    string
	Expression string // the duty as the tariff writes it; empty without a measure
	VATRate    int    // percent
	AsOf       string // date (YYYY-MM-DD) of the rates
}

// Charge applies the line to goods of its code. As in CDS the duty is cut off at
// the penny, and VAT is the rate of value and cut-off duty, cut off in its turn.
func (l Line) Charge(g Goods) Charge {
	c := Charge{Expression: l.Duty.String(), VATRate: l.VATRate, AsOf: l.AsOf}
	if l.lacks != "" {
		c.Missing = l.lacks
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
