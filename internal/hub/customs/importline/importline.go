// Package importline states the items of import declarations, and the products of the catalogue, as lines of a calculation of
// duties.
package importline

import (
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Line is one line of goods with what a calculation states for all its lines.
type Line struct {
	duty.RequestLine
	Date            string // of acceptance, or else of creation; empty for a product
	Destination     string // empty for a product
	Incoterm        string // empty if it is not declared
	NorthernIreland *duty.NorthernIreland
	Units           *duty.Decimal // in the supplementary unit of the code
	SuspendedBy     string        // procedure that suspends charges; empty for none
}

// OfDeclaration returns the items of an import declaration with their customs values; none of an export. What it does not declare
// counts as not held. A value that r still confirms is built up from price and freight, so that other terms of delivery can change it.
func OfDeclaration(f *filing.Filing, r customs.Rates) ([]Line, error) {
	var d customs.Declaration
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return nil, fmt.Errorf("importline: declaration %s: %w", f.ID, err)
	}
	if d.DeclarationType != customs.Import {
		return nil, nil
	}
	var added customs.DeclarationAdds
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return nil, fmt.Errorf("importline: declaration %s: %w", f.ID, err)
	}
	day := dayOf(f.CreatedAt)
	if at, err := time.Parse(time.RFC3339, added.AcceptedAt); err == nil {
		day = dayOf(at)
	}
	goods := d.WithValues(added.Valuation).DeclaredGoods(f.CreatedAt)
	incoterm := d.Incoterm()
	parts := d.ValueParts(r, f.CreatedAt)
	lines := make([]Line, len(goods))
	for i := range goods {
		lines[i] = lineOf(&goods[i])
		lines[i].Ref, lines[i].Date, lines[i].Incoterm = fmt.Sprintf("%s/%d", added.LRN, i+1), day, incoterm
		if i < len(parts) && parts[i].Customs == goods[i].Simple.CustomsValue {
			lines[i].build(&parts[i], incoterm)
		}
	}
	return lines, nil
}

// Codes of DE 4/9 for what is neither price nor freight.
const (
	otherAdditions  = "AN"
	otherDeductions = "BG"
)

// build states the customs value by its parts. Freight beyond a price that includes it, or under unknown terms, is always added.
func (l *Line) build(p *customs.ValueParts, incoterm string) {
	pounds := func(m quantity.Money) duty.Decimal { return duty.Decimal{Rat: m.Rat()} }
	l.CustomsValue, l.Price = nil, duty.Price{Amount: pounds(p.Price), Currency: duty.Sterling}
	if p.Freight.Sign() > 0 {
		cost := duty.Cost{Amount: pounds(p.Freight), Currency: duty.Sterling}
		if within, known := duty.IncludesFreight(incoterm); within || !known {
			cost.InPrice = new(bool)
		}
		l.Freight = []duty.Cost{cost}
	}
	switch sign := p.Other.Sign(); {
	case sign > 0:
		l.Additions = []duty.CodedAmount{{Code: otherAdditions, Amount: pounds(p.Other), Currency: duty.Sterling}}
	case sign < 0:
		l.Deductions = []duty.CodedAmount{{Code: otherDeductions, Amount: pounds(quantity.Money{}.Sub(p.Other)), Currency: duty.Sterling}}
	}
}

func dayOf(at time.Time) string { return measure.DayOf(at.In(calendar.London())).String() }

// lineOf is what an item declares, as the estimate reads it. What it does not declare counts as not held.
func lineOf(g *charge.Goods) Line {
	q := g.Question(duty.AnswerNone)
	l := Line{RequestLine: q.Lines[0], Destination: q.Destination, NorthernIreland: q.NorthernIreland, SuspendedBy: g.SuspendedBy()}
	if l.Facts.ProofOfOrigin == "" {
		l.Facts.ProofOfOrigin = duty.AnswerNone
	}
	if l.Origin == "" && len(l.DispatchCountry) > 0 && l.DispatchCountry != charge.Elsewhere {
		l.Origin = l.DispatchCountry
	}
	if units := g.Simple.Units; units != nil && g.StatedUnit().Code == "" {
		l.Units = &duty.Decimal{Rat: units.Rat()}
	}
	return l
}

// productValue is the customs value of each product in pounds, so that differences of rates can be compared.
const productValue = 1000

// OfProduct returns a product of the catalogue as a line; none if it has no code or no origin, or is archived.
func OfProduct(f *filing.Filing) ([]Line, error) {
	if f.Status == lifecycle.Archived {
		return nil, nil
	}
	var l Line
	p, err := product.Supply(f, &l.RequestLine)
	if err != nil || l.CommodityCode == "" || l.Origin == "" {
		return nil, err
	}
	value := duty.Decimal{Rat: big.NewRat(productValue, 1)}
	l.Ref, l.Price, l.CustomsValue = p.Code, duty.Price{Amount: value, Currency: duty.Sterling}, &value
	return []Line{l}, nil
}
