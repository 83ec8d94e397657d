package cbam

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// figure compares a supplier's emissions with the range of such goods.
func (w *observer) figure(e *Entry, g *goods) {
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
	case twice.Cmp(g.least) < 0 || twice.Cmp(g.most.Add(g.most).Add(g.most)) > 0 && !g.includesElectricity(factor):
		w.note(ImplausibleFactor, e)
	case factor.Cmp(g.least) < 0 || factor.Cmp(g.most) > 0:
		w.note(UnusualFactor, e)
	case twice.Cmp(typical) < 0:
		w.note(FarBelowTypical, e)
	}
	w.same.add(w, e, g, factor)
}

// factorWithElectricity is the approximate factor of aluminium smelted with coal power if electricity is included. Only direct emissions
// count for aluminium.
var factorWithElectricity = quantity.MustTotal("20")

// includesElectricity reports whether a factor probably includes emissions of electricity.
func (g *goods) includesElectricity(factor quantity.Total) bool {
	return g.category == Aluminium && factor.Cmp(g.most) > 0 && factor.Cmp(factorWithElectricity) <= 0
}

// uniformity checks whether different goods have the same supplier's factor.
type uniformity struct {
	factor  quantity.Total
	goods   map[*goods]bool
	differs bool
}

// minUniform is the minimum number of different goods with the same factor for an observation.
const minUniform = 3

func (u *uniformity) add(w *observer, e *Entry, g *goods, factor quantity.Total) {
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

// origin checks for iron and steel from countries that process Russian iron.
func (w *observer) origin(e *Entry, g *goods) {
	if g.category == IronSteel && sanction.Against(e.CountryOfOrigin).Level == sanction.Transhipped {
		w.note(RussianInputs, e)
	}
}

// minImports is the minimum number of imports for an observation about shares.
const minImports = 5

// observations returns the observations, sorted by type.
func (w *observer) observations(total Share) []Observation {
	if len(w.same.goods) < minUniform {
		delete(w.seen, UniformFactor)
	}
	twice := w.largest.EmissionsKg.Add(w.largest.EmissionsKg)
	if total.ImportsCount >= minImports && twice.Cmp(total.EmissionsKg) >= 0 && !twice.IsZero() {
		w.note(Largest, &w.largest)
	}
	seen := make([]Observation, 0, len(w.seen))
	for _, of := range slices.Sorted(maps.Keys(w.seen)) {
		seen = append(seen, *w.seen[of])
	}
	return seen
}
