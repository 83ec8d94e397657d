package cbam

import (
	"cmp"
	"math/big"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Terms are the parameters of a report.
type Terms struct {
	At        time.Time      // instant of the snapshot
	Price     quantity.Money // for one tonne of CO2 equivalent, in pounds
	YearPence int64          // customs value of the imports of the twelve months before At; see Chargeable
}

// DefaultPrice is the price of one tonne if none is configured: the EU price for the first quarter of 2026, €75.36, at 0.87
// pounds per euro. The UK rates for 2027 were not published by November 2026.
var DefaultPrice = quantity.MustMoney("65.56")

// Instant is the layout of times in a report: RFC 3339, UTC, milliseconds.
const Instant = "2006-01-02T15:04:05.000Z"

// NewReport creates the report of a quarter from its imports in one pass, in order of their recording, ascending or descending.
// Only the search for duplicates depends on the order. It holds sums, a few examples, and 16 bytes for each import to find
// duplicates.
func NewReport(q calendar.Quarter, entries Entries, terms Terms) (*Report, error) {
	d := newReportBuilder()
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		d.add(&e)
	}
	return d.report(q, terms), nil
}

// reportBuilder is the state while a report is created.
type reportBuilder struct {
	total                            Share
	category, country, source, basis sharesByName
	watch                            *observer
}

func newReportBuilder() *reportBuilder {
	return &reportBuilder{category: sharesByName{}, country: sharesByName{}, source: sharesByName{}, basis: sharesByName{}, watch: newObserver()}
}

// sharesByName holds shares by name.
type sharesByName map[string]*Share

func (t sharesByName) add(of string, e *Entry) {
	s := t[of]
	if s == nil {
		s = &Share{Of: of}
		t[of] = s
	}
	s.add(e)
}

func (s *Share) add(e *Entry) {
	s.ImportsCount++
	s.NetMassKg = s.NetMassKg.Add(e.NetMassKg.Total())
	s.EmissionsKg = s.EmissionsKg.Add(e.EmissionsKg)
	if e.CustomsValueGBP != nil {
		s.CustomsValueGBP = s.CustomsValueGBP.Add(e.CustomsValueGBP.Total())
	}
}

// ranked returns the shares, the most emissions first.
func (t sharesByName) ranked() []Share {
	shares := make([]Share, 0, len(t))
	for _, s := range t {
		shares = append(shares, *s)
	}
	sorting.Stable(shares, func(a, b Share) int { return cmp.Or(b.EmissionsKg.Cmp(a.EmissionsKg), cmp.Compare(a.Of, b.Of)) })
	return shares
}

func (d *reportBuilder) add(e *Entry) {
	d.total.add(e)
	d.category.add(string(e.Category), e)
	d.country.add(e.CountryOfOrigin, e)
	d.source.add(string(e.Source), e)
	d.basis.add(string(e.Basis), e)
	d.watch.observe(e)
}

func (d *reportBuilder) report(q calendar.Quarter, terms Terms) *Report {
	return &Report{
		Quarter: q.String(), TotalImportsCount: d.total.ImportsCount, TotalNetMassKg: d.total.NetMassKg, TotalEmissionsKg: d.total.EmissionsKg,
		TotalCertCostGBP: cost(d.total.EmissionsKg, terms.Price), TotalCustomsValueGBP: d.total.CustomsValueGBP, CertificatePriceGBP: terms.Price,
		YearValueGBP: quantity.RoundTotal(big.NewRat(terms.YearPence, 100), quantity.MoneyPlaces), SnapshotAt: terms.At.UTC().Format(Instant),
		ByCategory: d.category.ranked(), ByCountry: d.country.ranked(), BySource: d.source.ranked(), ByBasis: d.basis.ranked(), Observations: d.watch.observations(d.total),
	}
}

var tonne = big.NewRat(1000, 1) // in kilograms

// cost returns the price of emissions in kilograms, rounded half up to the penny.
func cost(emissions quantity.Total, price quantity.Money) quantity.Total {
	tonnes := new(big.Rat).Quo(emissions.Rat(), tonne)
	return quantity.RoundTotal(tonnes.Mul(tonnes, price.Rat()), quantity.MoneyPlaces)
}
