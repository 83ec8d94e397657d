package cbam

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// ObservationType is a type of observation about an import.
type ObservationType string

// Types of observation.
const (
	MalformedCode     ObservationType = "MALFORMED_CODE"
	ShortCode         ObservationType = "SHORT_CODE"
	OutOfScope        ObservationType = "OUT_OF_SCOPE"
	OtherCategory     ObservationType = "OTHER_CATEGORY"
	NoMass            ObservationType = "NO_MASS"
	LargeMass         ObservationType = "LARGE_MASS"
	ExcessiveMass     ObservationType = "EXCESSIVE_MASS"
	Repeated          ObservationType = "REPEATED"
	NoValue           ObservationType = "NO_VALUE"
	ImplausibleValue  ObservationType = "STRANGE_VALUE"
	Estimated         ObservationType = "ESTIMATED"
	ImplausibleFactor ObservationType = "IMPLAUSIBLE_FACTOR"
	UnusualFactor     ObservationType = "UNUSUAL_FACTOR"
	FarBelowTypical   ObservationType = "FAR_BELOW_TYPICAL"
	Unexplained       ObservationType = "UNEXPLAINED"
	UniformFactor     ObservationType = "UNIFORM_FACTOR"
	Largest           ObservationType = "LARGEST"
	RussianInputs     ObservationType = "RUSSIAN_INPUTS"
)

// maxExamples is the maximum number of imports in an observation.
const maxExamples = 5

// observer makes observations about the imports of a report.
type observer struct {
	seen    map[ObservationType]*Observation
	goods   map[string]*goods // by code as given; nil for codes out of scope
	seed    maphash.Seed
	known   map[uint64]int64 // by hash of all fields, the last time of recording in milliseconds
	largest Entry
	same    uniformity
}

func newObserver() *observer {
	return &observer{seen: map[ObservationType]*Observation{}, goods: map[string]*goods{}, seed: maphash.MakeSeed(), known: map[uint64]int64{}}
}

func (w *observer) note(of ObservationType, e *Entry) {
	o := w.seen[of]
	if o == nil {
		o = &Observation{Of: of}
		w.seen[of] = o
	}
	o.ImportsCount++
	o.NetMassKg = o.NetMassKg.Add(e.NetMassKg.Total())
	o.EmissionsKg = o.EmissionsKg.Add(e.EmissionsKg)
	o.addExample(e)
}

// addExample stores an import as an example if it is one of those with the most emissions; of equals, the one recorded first.
func (o *Observation) addExample(e *Entry) {
	at, _ := slices.BinarySearchFunc(o.Examples, e, func(x Example, e *Entry) int {
		if c := e.EmissionsKg.Cmp(x.EmissionsKg); c != 0 {
			return c
		}
		return strings.Compare(x.ImportID, e.ID)
	})
	if at == maxExamples {
		return
	}
	o.Examples = slices.Insert(o.Examples, at, Example{
		ImportID: e.ID, Category: e.Category, CommodityCode: e.CommodityCode, CountryOfOrigin: e.CountryOfOrigin,
		NetMassKg: e.NetMassKg, EmissionsKg: e.EmissionsKg, CustomsValueGBP: e.CustomsValueGBP,
	})
	o.Examples = o.Examples[:min(len(o.Examples), maxExamples)]
}

// observe processes one import.
func (w *observer) observe(e *Entry) {
	g := w.code(e)
	w.mass(e, g)
	w.value(e)
	w.figure(e, g)
	w.origin(e, g)
	if w.repeats(e) {
		w.note(Repeated, e)
	}
	if c := e.EmissionsKg.Cmp(w.largest.EmissionsKg); c > 0 || c == 0 && (w.largest.ID == "" || e.ID < w.largest.ID) {
		w.largest = *e
	}
}

// code returns the goods of an import: those of its code, or of its sector if the code is unknown.
func (w *observer) code(e *Entry) *goods {
	code, ok := digits(e.CommodityCode)
	if !ok {
		w.note(MalformedCode, e)
		return sectors[e.Category]
	}
	g, looked := w.goods[code]
	if !looked {
		g, _ = goodsOf(code)
		w.goods[code] = g
	}
	switch {
	case g == nil:
		w.note(OutOfScope, e)
		return sectors[e.Category]
	case g.category != e.Category:
		w.note(OtherCategory, e)
	case len(code) < reportedDigits:
		w.note(ShortCode, e)
	}
	return g
}

// repeatedWithin is the time between two identical imports in which they are probably one import recorded twice. The next
// lorry of a series comes later or has another note.
const repeatedWithin = 24 * time.Hour

func (w *observer) repeats(e *Entry) bool {
	all := struct {
		category               Category
		code, country, notes   string
		mass, value, emissions quantity.Total
		valued                 bool
	}{category: e.Category, code: e.CommodityCode, country: e.CountryOfOrigin, notes: e.Notes, mass: e.NetMassKg.Total(), emissions: e.EmissionsKg}
	if e.CustomsValueGBP != nil {
		all.value, all.valued = e.CustomsValueGBP.Total(), true
	}
	sum := maphash.Comparable(w.seed, all)
	at := e.RecordedAt.UnixMilli()
	last, known := w.known[sum]
	w.known[sum] = at
	return known && max(at-last, last-at) <= repeatedWithin.Milliseconds()
}

// Masses in kilograms above which the unit is probably wrong: a large shipload, and an impossible mass.
var (
	shipload       = quantity.MustMass("60000000")
	bulkShipload   = quantity.MustMass("250000000")
	impossibleMass = quantity.MustMass("1000000000")
)

func (w *observer) mass(e *Entry, g *goods) {
	most := shipload
	if g.bulk {
		most = bulkShipload
	}
	switch {
	case e.NetMassKg.Sign() <= 0:
		w.note(NoMass, e)
	case e.Category == Electricity:
	case e.NetMassKg.Cmp(impossibleMass) > 0:
		w.note(ExcessiveMass, e)
	case e.NetMassKg.Cmp(most) > 0:
		w.note(LargeMass, e)
	}
}

// Limits of a plausible value in pounds per kilogram: iron ore and clinker cost more than the lower one, aircraft screws less
// than the upper one.
var (
	minValuePerKg = quantity.MustTotal("0.01")
	maxValuePerKg = quantity.MustTotal("5000")
)

func (w *observer) value(e *Entry) {
	switch {
	case e.CustomsValueGBP == nil || e.CustomsValueGBP.Sign() <= 0:
		w.note(NoValue, e)
	case e.NetMassKg.Sign() > 0 && e.Category != Electricity:
		each, _ := e.CustomsValueGBP.Total().Per(e.NetMassKg.Total())
		if each.Cmp(minValuePerKg) < 0 || each.Cmp(maxValuePerKg) > 0 {
			w.note(ImplausibleValue, e)
		}
	}
}
