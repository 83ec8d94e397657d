package cbam

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// figure judges the emissions that a supplier states by what such goods embed.
func (w *watch) figure(e *Entry, g *goods) {
	if e.Source != Supplier {
		w.note(Estimated, e)
		return
	}
	if strings.TrimSpace(e.Notes) == "" {
		w.note(Unexplained, e)
	}
	factor, ok := e.EmissionsKg.Per(e.NetMassKg.Total())
	if !ok {
		return
	}
	typical, _ := g.typical(e.CountryOfOrigin)
	switch twice := factor.Add(factor); {
	case twice.Cmp(g.least) < 0 || twice.Cmp(g.most.Add(g.most).Add(g.most)) > 0 && !g.countsPower(factor):
		w.note(ImplausibleFactor, e)
	case factor.Cmp(g.least) < 0 || factor.Cmp(g.most) > 0:
		w.note(UnusualFactor, e)
	case twice.Cmp(typical) < 0:
		w.note(FarBelowTypical, e)
	}
	w.same.add(w, e, g, factor)
}

// withPower is about what aluminium embeds when it is smelted with the electricity
// of coal and that is counted too; only direct emissions of it count.
var withPower = quantity.MustTotal("20")

// countsPower tells whether a factor looks as if the emissions of electricity were in it.
func (g *goods) countsPower(factor quantity.Total) bool {
	return g.category == Aluminium && factor.Cmp(g.most) > 0 && factor.Cmp(withPower) <= 0
}

// uniformity finds out whether suppliers of different goods state one factor.
type uniformity struct {
	factor  quantity.Total
	goods   map[*goods]bool
	differs bool
}

// fewestUniform is how many different goods must have one factor to be remarkable.
const fewestUniform = 3

func (u *uniformity) add(w *watch, e *Entry, g *goods, factor quantity.Total) {
	switch {
	case u.differs:
		return
	case u.goods == nil:
		u.factor, u.goods = factor, map[*goods]bool{}
	case u.factor != factor:
		u.differs = true
		delete(w.seen, UniformFactor)
		return
	}
	u.goods[g] = true
	w.note(UniformFactor, e)
}

// origin looks for iron and steel from where goods made of Russian iron come by.
func (w *watch) origin(e *Entry, g *goods) {
	if g.category == IronSteel && sanction.Against(e.CountryOfOrigin).Level == sanction.Transhipped {
		w.note(RussianInputs, e)
	}
}

// fewestOfMany is how many imports there must be for the share of one of them, or of
// their countries, to tell anything.
const fewestOfMany = 5

// observations are what was seen, in the order of their names.
func (w *watch) observations(total Share) []Observation {
	if len(w.same.goods) < fewestUniform {
		delete(w.seen, UniformFactor)
	}
	twice := w.largest.EmissionsKg.Add(w.largest.EmissionsKg)
	if total.ImportsCount >= fewestOfMany && twice.Cmp(total.EmissionsKg) >= 0 && !twice.IsZero() {
		w.note(Largest, &w.largest)
	}
	seen := make([]Observation, 0, len(w.seen))
	for _, of := range slices.Sorted(maps.Keys(w.seen)) {
		seen = append(seen, *w.seen[of])
	}
	return seen
}
