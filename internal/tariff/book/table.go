package book

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// Measures are one of the publisher's tables, with the nomenclature that says which codes are above which.
type Measures struct {
	*table.Table
	Day    measure.Day // of the table
	Source string
	Tree   *nomenclature.Tree
	Quotas bool     // whether quotas of the tariff can be used
	Lacks  []string // kinds that the table does not hold for any code
}

// path returns the codes whose measures hold for a code: itself and those above it. A code outside the nomenclature has its own
// measures only; false if it has none.
func (m *Measures) path(code string) ([]string, bool) {
	if at, ok := m.Tree.Find(code); ok {
		codes := m.Tree.Codes(at)
		return codes, m.HasAny(codes)
	}
	return []string{code}, m.Has(code)
}

// Table returns the publisher's table that the book holds; nil for none.
func (b *Book) Table() *Measures { return b.table }

// HasQuotas reports whether the book holds a period of any quota.
func (b *Book) HasQuotas() bool { return len(b.quotas) > 0 }

// inTable are the goods of the table, whose measures hold for codes.
func (b *Book) inTable(code string, codes []string, origin string, on measure.Day) duty.Goods {
	t := b.table
	if at, ok := t.Tree.Find(code); ok {
		if t.Tree.BeginsAfter(code, on.String()) {
			return duty.Goods{State: duty.BeforeData}
		}
		if !t.Tree.Declarable(code, on.String()) {
			return duty.Goods{State: duty.CodeNotDeclarable, Code: code, Below: t.Tree.Below(at, on.String(), mostBelow)}
		}
	} else if below := t.below(code); len(below) > 0 {
		return duty.Goods{State: duty.CodeNotDeclarable, Code: code, Below: below}
	}
	all, later := t.Table.Measures(codes, on)
	if later {
		return duty.Goods{State: duty.BeforeData}
	}
	g := duty.Goods{Code: code, Import: all, Lacks: slices.Clone(t.Lacks)}
	for _, typ := range b.lapsed(codes, all, origin, on) {
		g.Lacks = append(g.Lacks, duty.Lacks(measure.KindOf(typ)))
	}
	for i := range all {
		m := &all[i]
		m.Code = code
		g.Meursing = g.Meursing || slices.ContainsFunc(m.Components, func(c measure.Component) bool { return c.MeursingType() != "" })
		if lacks := b.lacks(m); lacks != "" && !slices.Contains(g.Lacks, lacks) {
			g.Lacks = append(g.Lacks, lacks)
		}
	}
	return g
}

// lacks is what the book does not hold about a measure: the members of its group of countries, or the balance of its quota.
func (b *Book) lacks(m *measure.Measure) string {
	kind := measure.KindOf(m.Type)
	switch {
	case b.areas.Unknown(m):
		return duty.Lacks(kind)
	case kind == measure.QuotaDuty && b.table.Quotas && len(b.quotas) == 0:
		return duty.LacksBalance
	}
	return ""
}

// below returns the codes of the table below one that is not in the nomenclature.
func (m *Measures) below(code string) (some []string) {
	stem := stemOf(code)
	if stem == "" {
		return nil
	}
	codes := m.Codes()
	at, _ := slices.BinarySearch(codes, stem)
	for ; at < len(codes) && len(some) < mostBelow && strings.HasPrefix(codes[at], stem); at++ {
		if codes[at] != code {
			some = append(some, codes[at])
		}
	}
	return some
}

// stemOf is a code without the pairs of zeros at its end.
func stemOf(code string) string {
	stem := strings.TrimRight(code, "0")
	if len(stem)%2 == 1 {
		stem += "0"
	}
	return stem
}
