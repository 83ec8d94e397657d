package duty

import (
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Tariff is the tariff of one service, of one edition.
type Tariff interface {
	Holding() Holding
	Areas() *measure.Areas
	Details() *measure.Details

	// Goods returns what is held of a commodity code of ten digits, for goods of an origin, on a day.
	Goods(code, origin string, on measure.Day) Goods

	// Quota returns the period of a quota on a day.
	Quota(order string, on measure.Day) (measure.Quota, bool)

	// Meursing returns the amount of an agricultural component, by the type of its measures, the Meursing code of four
	// digits, the reduction indicator, and the area that the amount must hold for.
	Meursing(typ, code string, reduction int, area string) (measure.Component, bool)
}

// Goods is what a tariff holds of a commodity code.
type Goods struct {
	State    GoodsState
	Code     string   // that the measures are of
	Nearest  string   // of an unknown code: the nearest one above it; empty for none
	Below    []string // of a code that cannot be declared: those below it that can
	Import   []measure.Measure
	Meursing bool
	Lacks    []string       // kinds of measures that the edition does not hold
	Areas    *measure.Areas // of the answer that the measures are from; nil for those of the tariff
}

// areas are the areas that decide which measures of the goods concern an origin.
func (g *Goods) areas(t Tariff) *measure.Areas {
	if g.Areas != nil {
		return g.Areas
	}
	return t.Areas()
}

// GoodsState is whether goods can be declared under a code.
type GoodsState int

// States of goods.
const (
	Declarable GoodsState = iota
	CodeUnknown
	CodeNotDeclarable
	BeforeData     // the day is before the data
	CountryNotHeld // only other countries were recorded
)

// Editions are the tariffs of both services; nil for one that is not held.
type Editions struct {
	ID     int64
	UK, XI Tariff
}

// Money are the exchange rates of a calculation.
type Money struct {
	Table string // names the table of rates

	// Monthly returns HMRC's rate of a currency on a day.
	Monthly Rates

	Euro EuroRate
}
