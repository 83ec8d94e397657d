package duty

import (
	"math/big"

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
	// digits, the reduction indicator, and the origin.
	Meursing(typ, code string, reduction int, origin string) (measure.Component, bool)
}

// Goods is what a tariff holds of a commodity code.
type Goods struct {
	State    GoodsState
	Code     string   // that the measures are of
	Nearest  string   // of an unknown code: the nearest one above it; empty for none
	Below    []string // of a code that cannot be declared: those below it that can
	Import   []measure.Measure
	Meursing bool
	Lacks    []string // kinds of measures that the edition does not hold
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

// calculation computes one line by one tariff.
type calculation struct {
	request *Request
	goods   *goods
	tariff  Tariff
	name    string // measure.UK or measure.XI
	found   Goods
	money   *Money
	convert func(Price) *big.Rat // into pounds; nil if there is no rate
	fiscal  *calculation         // of the UK's tariff, which has excise and VAT also for Northern Ireland
	costs   *big.Rat             // incidental costs in the VAT base
	rest    *rest                // what every option bears besides its own duty
}

func (x *calculation) pounds(p *Price) *big.Rat { return x.convert(*p) }

// meursing returns the component with its amount; otherwise the fact that is missing.
func (x *calculation) meursing(c *measure.Component, reduction int) (measure.Component, *missing) {
	code := x.goods.line.MeursingCode
	lack := x.goods.lacks("meursingCode", "Which Meursing code do the goods have, by their milk fat, milk protein, starch and sugar?", "")
	if code == "" {
		return measure.Component{}, lack
	}
	found, ok := x.tariff.Meursing(c.MeursingType(), code, reduction, x.goods.origin)
	if !ok {
		return measure.Component{}, lack
	}
	found.Expression = c.Expression
	return found, nil
}

// inForce returns the measures of one kind that concern the goods.
func (x *calculation) inForce(kind measure.Kind) (all []*measure.Measure) {
	origin := x.goods.origin
	if kind == measure.Preference {
		origin = x.goods.preferred
	}
	for i := range x.found.Import {
		m := &x.found.Import[i]
		from := origin
		if kind == measure.QuotaDuty || kind == measure.Suspension {
			from = x.originFor(m)
		}
		if measure.KindOf(m.Type) == kind && m.InForce(x.goods.on) && x.tariff.Areas().Applies(m, from) {
			all = append(all, m)
		}
	}
	return all
}

// preferential are the types of quotas and suspensions that need a preferential origin.
var preferential = map[string]bool{"141": true, "143": true, "146": true, "147": true}

func (x *calculation) originFor(m *measure.Measure) string {
	if preferential[m.Type] {
		return x.goods.preferred
	}
	return x.goods.origin
}
