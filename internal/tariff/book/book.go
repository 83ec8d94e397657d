// Package book holds the measures of one tariff in memory, as far as they were imported, and answers what the duty engine
// asks for.
package book

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// Book is the tariff of one service. It does not change.
type Book struct {
	holding    duty.Holding
	recordings map[string][]*recording.Recording // by code, the newest first
	areas      *measure.Areas
	details    measure.Details
	quotas     map[string][]measure.Quota // by order number, by first day
	meursing   map[meursingKey]*big.Rat
}

// meursingKey names the amount of an agricultural component.
type meursingKey struct {
	typ, code string
	reduction int
	area      string
}

// Amount is one amount of an agricultural component, in euro for 100 kg.
type Amount struct {
	Type, Code, Area string // Code has three digits, behind the 7
	Reduction        int
	Euro             *big.Rat
}

// Contents are what a book is made of.
type Contents struct {
	Holding    duty.Holding
	Recordings []*recording.Recording
	Groups     map[string][]string // members of areas, besides those of the recordings
	Quotas     []measure.Quota     // besides those of the recordings
	Meursing   []Amount
}

// New makes a book. An area that contains itself is an error.
func New(c Contents) (*Book, error) {
	b := &Book{
		holding: c.Holding, recordings: map[string][]*recording.Recording{}, details: measure.NewDetails(),
		quotas: map[string][]measure.Quota{}, meursing: make(map[meursingKey]*big.Rat, len(c.Meursing)),
	}
	groups := maps.Clone(c.Groups)
	if groups == nil {
		groups = map[string][]string{}
	}
	sorted := slices.Clone(c.Recordings)
	slices.SortStableFunc(sorted, func(a, b *recording.Recording) int { return cmp.Compare(a.Name.Day, b.Name.Day) })
	for _, r := range sorted {
		b.recordings[r.Code] = slices.Insert(b.recordings[r.Code], 0, r)
		b.details.Add(&r.Details)
		maps.Copy(groups, r.Groups)
		for _, q := range r.Quotas {
			b.quota(q)
		}
	}
	for _, q := range c.Quotas {
		b.quota(q)
	}
	for _, a := range c.Meursing {
		b.meursing[meursingKey{a.Type, a.Code, a.Reduction, a.Area}] = a.Euro
	}
	var err error
	b.areas, err = measure.NewAreas(groups)
	return b, err
}

// quota adds a period of a quota. The newest balance of a period counts.
func (b *Book) quota(q measure.Quota) {
	all := b.quotas[q.Order]
	at, same := slices.BinarySearchFunc(all, q, func(a, b measure.Quota) int { return cmp.Compare(a.From, b.From) })
	if !same {
		b.quotas[q.Order] = slices.Insert(all, at, q)
	} else if q.AsOf >= all[at].AsOf {
		all[at] = q
	}
}

// Holding names what the book holds.
func (b *Book) Holding() duty.Holding { return b.holding }

// Areas are the groups of countries.
func (b *Book) Areas() *measure.Areas { return b.areas }

// Details are what the tariff says about the things that measures name.
func (b *Book) Details() *measure.Details { return &b.details }

// Quota returns the period of a quota on a day.
func (b *Book) Quota(order string, on measure.Day) (measure.Quota, bool) {
	for _, q := range b.quotas[order] {
		if q.From <= on && (q.To == 0 || on <= q.To) {
			return q, true
		}
	}
	return measure.Quota{}, false
}

// Meursing returns the amount of an agricultural component, of the most special area that has one.
func (b *Book) Meursing(typ, code string, reduction int, origin string) (measure.Component, bool) {
	if len(code) != len("7000") {
		return measure.Component{}, false
	}
	var found *big.Rat
	size := 0
	for _, area := range append([]string{origin, measure.Everywhere}, slices.Sorted(maps.Keys(b.areas.Groups()))...) {
		euro := b.meursing[meursingKey{typ, code[1:], reduction, area}]
		if euro == nil || area != measure.Everywhere && !b.areas.Contains(area, origin) {
			continue
		}
		countries, _ := b.areas.Countries(area)
		if found == nil || len(countries) < size {
			found, size = euro, len(countries)
		}
	}
	if found == nil {
		return measure.Component{}, false
	}
	return measure.Component{Amount: found, Currency: "EUR", Unit: measure.Hundredkilo}, true
}

// Goods returns what is held of a commodity code.
func (b *Book) Goods(code, origin string, on measure.Day) duty.Goods {
	all := b.recordings[code]
	if len(all) == 0 {
		return duty.Goods{State: duty.CodeUnknown, Nearest: b.nearest(code)}
	}
	before, other := false, false
	for _, r := range all {
		switch {
		case r.Name.Day > on:
			before = true
		case r.Name.Country != "" && r.Name.Country != origin:
			other = true
		default:
			return inRecording(r)
		}
	}
	if other || !before {
		return duty.Goods{State: duty.CountryNotHeld}
	}
	return duty.Goods{State: duty.BeforeData}
}

// inRecording are the goods of a recording. What ended before it was made is not renewed by it.
func inRecording(r *recording.Recording) duty.Goods {
	g := duty.Goods{Code: r.Code, Meursing: r.Meursing}
	if !r.Lines[len(r.Lines)-1].Declarable {
		g.State = duty.CodeNotDeclarable
		return g
	}
	g.Import = r.Import
	return g
}

// nearest returns the nearest code above one that is held; empty if there is none.
func (b *Book) nearest(code string) string {
	for digits := len(code) - 1; digits >= 2; digits-- {
		above := code[:digits] + "0000000000"[:len(code)-digits]
		for _, all := range b.recordings {
			for _, l := range all[0].Lines {
				if l.Code == above {
					return above
				}
			}
		}
	}
	return ""
}

// Has reports whether there is a recording of a code.
func (b *Book) Has(code string) bool { return len(b.recordings[code]) > 0 }
