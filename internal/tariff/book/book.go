// Package book holds the measures of one tariff in memory, as far as they were imported, and answers what the duty engine
// asks for.
package book

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// Book is the tariff of one service. It does not change.
type Book struct {
	holding    duty.Holding
	recordings map[string][]*recording.Recording // by code, the newest first
	read       map[string][]*recording.Recording // as recordings, of the codes that With was given; nil without With
	areas      *measure.Areas
	own        map[recording.Name]*measure.Areas // of recordings whose areas have other members
	details    measure.Details
	quotas     map[string][]measure.Quota // by order number, by first day
	meursing   map[meursingKey]*big.Rat

	meursingAreas []string        // that have amounts, sorted
	lines         map[string]bool // codes of all lines above the recorded codes
	declarable    []string        // codes that were recorded and can be declared, sorted
	table         *Measures       // nil for none
	seasons       map[string][]Season
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

// Area is a country, or a group with its members.
type Area struct {
	ID, Name string
	Members  []string
}

// Contents are what a book is made of.
type Contents struct {
	Holding    duty.Holding
	Recordings []*recording.Recording
	Areas      []Area          // besides those of the recordings
	AreasDay   measure.Day     // of the list of areas: older recordings do not change it
	Quotas     []measure.Quota // besides those of the recordings
	Meursing   []Amount
	Seasons    []Season
	Table      *Measures // nil for none
}

// New makes a book. An area that contains itself is an error.
func New(c Contents) (*Book, error) {
	b := &Book{
		holding: c.Holding, recordings: map[string][]*recording.Recording{}, details: measure.NewDetails(), quotas: map[string][]measure.Quota{},
		meursing: make(map[meursingKey]*big.Rat, len(c.Meursing)), lines: map[string]bool{}, table: c.Table, seasons: map[string][]Season{},
	}
	if c.Table != nil {
		b.details.Add(c.Table.Details())
	}
	for _, s := range c.Seasons {
		b.seasons[s.Code] = append(b.seasons[s.Code], s)
	}
	groups := b.record(c)
	for _, q := range c.Quotas {
		b.quota(q)
	}
	areas := map[string]bool{}
	for _, a := range c.Meursing {
		b.meursing[meursingKey{a.Type, a.Code, a.Reduction, a.Area}] = a.Euro
		areas[a.Area] = true
	}
	b.meursingAreas = slices.Sorted(maps.Keys(areas))
	for code, all := range b.recordings {
		if canDeclare(all[0]) {
			b.declarable = append(b.declarable, code)
		}
	}
	slices.Sort(b.declarable)
	var err error
	if b.areas, err = measure.NewAreas(groups); err == nil {
		b.own, err = ownAreas(c.Recordings, groups)
	}
	return b, err
}

// record adds the recordings, and the list of areas before those that are newer. It returns the members of areas.
func (b *Book) record(c Contents) map[string][]string {
	groups, listed := map[string][]string{}, false
	sorted := slices.Clone(c.Recordings)
	slices.SortStableFunc(sorted, func(a, b *recording.Recording) int { return cmp.Compare(a.Name.Day, b.Name.Day) })
	for _, r := range sorted {
		if !listed && r.Name.Day > c.AreasDay {
			b.list(c.Areas, groups)
			listed = true
		}
		b.recordings[r.Code] = slices.Insert(b.recordings[r.Code], 0, r)
		for _, l := range r.Lines {
			b.lines[l.Code] = true
		}
		b.details.Add(&r.Details)
		maps.Copy(groups, r.Groups)
		for _, q := range r.Quotas {
			b.quota(q)
		}
	}
	if !listed {
		b.list(c.Areas, groups)
	}
	return groups
}

// list adds the areas of a list to the groups.
func (b *Book) list(areas []Area, groups map[string][]string) {
	for _, a := range areas {
		b.details.Areas[a.ID] = a.Name
		if len(a.Members) > 0 {
			groups[a.ID] = a.Members
		}
	}
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

// Measures is the number of measures on imports and exports that were recorded, and of those of the table.
func (b *Book) Measures() (n int) {
	if b.table != nil {
		n = b.table.Len()
	}
	for _, all := range b.recordings {
		for _, r := range all {
			n += len(r.Import) + len(r.Export)
		}
	}
	return n
}

// Areas are the groups of countries.
func (b *Book) Areas() *measure.Areas { return b.areas }

// Details are what the tariff says about the things that measures name.
func (b *Book) Details() *measure.Details { return &b.details }

// Quota returns the period of a quota on a day.
func (b *Book) Quota(order string, on measure.Day) (measure.Quota, bool) {
	for _, q := range b.quotas[order] {
		if q.From <= on && (q.To == 0 || on <= q.To) {
			q.Status = q.StatusOn(on)
			return q, true
		}
	}
	return measure.Quota{}, false
}

// Meursing returns the amount of an agricultural component that holds for an area: that of the most special area that contains it.
func (b *Book) Meursing(typ, code string, reduction int, of string) (measure.Component, bool) {
	if len(code) != len("7000") {
		return measure.Component{}, false
	}
	key := meursingKey{typ, code[1:], reduction, of}
	found := b.meursing[key]
	if found == nil {
		key.area = b.smallest(key)
		found = b.meursing[key]
	}
	return measure.Component{Amount: found, Currency: "EUR", Unit: measure.Hundredkilo}, found != nil
}

// smallest is the smallest group with an amount that contains the area of a key; all countries if there is none.
func (b *Book) smallest(key meursingKey) string {
	smallest, size := measure.Everywhere, 0
	for _, area := range b.meursingAreas {
		countries, group := b.areas.Countries(area)
		less := smallest == measure.Everywhere || len(countries) < size
		has := b.meursing[meursingKey{key.typ, key.code, key.reduction, area}] != nil
		if group && has && less && area != measure.Everywhere && b.areas.Contains(area, key.area) {
			smallest, size = area, len(countries)
		}
	}
	return smallest
}

// Goods returns what is held of a commodity code: what the newest recording that is not after the day says, or the table if it is
// newer than that. They are never mixed.
func (b *Book) Goods(code, origin string, on measure.Day) duty.Goods {
	r, state := b.newest(code, origin, on)
	if b.table != nil && (r == nil || b.table.Day > r.Name.Day) {
		if codes, held := b.table.path(code); held {
			return b.inTable(code, codes, origin, on)
		}
	}
	switch {
	case r != nil:
		return b.inRecording(r)
	case len(b.recordings[code]) > 0:
		return duty.Goods{State: state}
	case b.lines[code]:
		return duty.Goods{State: duty.CodeNotDeclarable, Code: code, Below: b.below(code)}
	}
	return duty.Goods{State: duty.CodeUnknown, Nearest: b.nearest(code)}
}

// newest returns the newest recording of a code that is not after a day and holds the measures for an origin; nil if there is
// none, with what is missing.
func (b *Book) newest(code, origin string, on measure.Day) (*recording.Recording, duty.GoodsState) {
	state := duty.BeforeData
	for _, r := range b.recorded(code) {
		switch {
		case r.Name.Day > on:
		case r.Name.Country != "" && r.Name.Country != origin:
			state = duty.CountryNotHeld
		default:
			return r, duty.Declarable
		}
	}
	return nil, state
}

// inRecording are the goods of a recording. What ended before it was made is not renewed by it.
func (b *Book) inRecording(r *recording.Recording) duty.Goods {
	g := duty.Goods{Code: r.Code, Meursing: r.Meursing, Areas: b.own[r.Name]}
	if canDeclare(r) {
		g.Import = r.Import
	} else {
		g.State, g.Below = duty.CodeNotDeclarable, b.below(r.Code)
	}
	return g
}

func canDeclare(r *recording.Recording) bool { return r.Lines[len(r.Lines)-1].Declarable }

// mostBelow is the largest number of codes that are named for one that cannot be declared.
const mostBelow = 50

// below returns the codes below one that can be declared.
func (b *Book) below(code string) (some []string) {
	stem := stemOf(code)
	at, _ := slices.BinarySearch(b.declarable, stem)
	for ; at < len(b.declarable) && len(some) < mostBelow && strings.HasPrefix(b.declarable[at], stem); at++ {
		if b.declarable[at] != code {
			some = append(some, b.declarable[at])
		}
	}
	return some
}

// nearest returns the nearest code above one that is held; empty if there is none.
func (b *Book) nearest(code string) string {
	for digits := len(code) - 2; digits >= 2; digits -= 2 {
		if above := code[:digits] + "0000000000"[:len(code)-digits]; b.lines[above] {
			return above
		}
	}
	if b.table != nil {
		return b.table.Tree.Nearest(code)
	}
	return ""
}

// Has reports whether there is a recording of a code, or a measure in the table.
func (b *Book) Has(code string) bool {
	if b.table != nil {
		if _, held := b.table.path(code); held {
			return true
		}
	}
	return len(b.recordings[code]) > 0
}
