package extract

import (
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// kilograms are units of mass in kilograms, exactly.
var kilograms = map[string]*big.Rat{
	"kg": big.NewRat(1, 1), "kgs": big.NewRat(1, 1), "kgm": big.NewRat(1, 1), "kilo": big.NewRat(1, 1), "kilos": big.NewRat(1, 1), "kilogram": big.NewRat(1, 1), "kilograms": big.NewRat(1, 1), "kilogramm": big.NewRat(1, 1), "kilogrammes": big.NewRat(1, 1),
	"g": big.NewRat(1, 1000), "gr": big.NewRat(1, 1000), "gram": big.NewRat(1, 1000), "grams": big.NewRat(1, 1000), "gramm": big.NewRat(1, 1000), "grm": big.NewRat(1, 1000), "grammes": big.NewRat(1, 1000),
	"t": big.NewRat(1000, 1), "to": big.NewRat(1000, 1), "mt": big.NewRat(1000, 1), "mts": big.NewRat(1000, 1), "tonne": big.NewRat(1000, 1), "tonnes": big.NewRat(1000, 1), "tonnen": big.NewRat(1000, 1), "tne": big.NewRat(1000, 1), "ton": big.NewRat(1000, 1), "tons": big.NewRat(1000, 1),
	"lb": big.NewRat(45359237, 100000000), "lbs": big.NewRat(45359237, 100000000), "lbr": big.NewRat(45359237, 100000000), "pound": big.NewRat(45359237, 100000000), "pounds": big.NewRat(45359237, 100000000),
}

// cubicMetres are units of volume in cubic metres.
var cubicMetres = map[string]*big.Rat{
	"cbm": big.NewRat(1, 1), "m3": big.NewRat(1, 1), "m": big.NewRat(1, 1), "mtq": big.NewRat(1, 1), "cu": big.NewRat(1, 1), "cubic": big.NewRat(1, 1), "cbms": big.NewRat(1, 1),
	"l": big.NewRat(1, 1000), "ltr": big.NewRat(1, 1000), "litres": big.NewRat(1, 1000),
	"cft": big.NewRat(28316846592, 1000000000000), "cuft": big.NewRat(28316846592, 1000000000000), "ft3": big.NewRat(28316846592, 1000000000000),
}

var unitWord = lazyregexp.New(`^[a-z]+[0-9³]?`)

// unitIn returns the first unit in a text.
func unitIn(text string, units map[string]*big.Rat) *big.Rat {
	for w := range strings.FieldsSeq(fold(strings.NewReplacer("(", " ", ")", " ", "/", " ", ".", "", "[", " ", "]", " ", ",", " ").Replace(text))) {
		if factor, ok := units[strings.Replace(unitWord.FindString(w), "³", "3", 1)]; ok {
			return factor
		}
	}
	return nil
}

// mass reads a mass. Without a unit beside it or in its label it is in kilograms.
func (r *reading) mass(c candidate) (quantity.Mass, Confidence, bool) {
	v, sure, ok := r.measure(c, kilograms)
	if !ok {
		return quantity.Mass{}, 0, false
	}
	m, err := quantity.ParseMass(v.String())
	return m, sure, err == nil && m.Sign() > 0
}

func (r *reading) volume(c candidate) (quantity.Number, Confidence, bool) {
	return r.measure(c, cubicMetres)
}

func (r *reading) measure(c candidate, units map[string]*big.Rat) (quantity.Number, Confidence, bool) {
	s := r.style
	if c.plain {
		s = pointStyle
	}
	n, ok := findNumber(c.text, s)
	if !ok || len(strings.Fields(n.before)) > 2 {
		return quantity.Number{}, 0, false
	}
	v, ok := exact(n.plain)
	sure := certain
	factor := unitIn(n.after, units)
	if factor == nil && c.label != nil {
		factor = unitIn(c.label.hint+" "+c.label.Text, units)
	}
	if factor == nil {
		factor, sure = big.NewRat(1, 1), fair
	}
	if n.doubtful {
		sure = sure.times(fair)
		if strings.Contains(n.plain, ".") {
			sure = min(sure, doubtful) // "9.400 kg" in a document without another number
		}
	}
	if !ok || factor.Cmp(big.NewRat(1, 1)) == 0 {
		return v, sure, ok
	}
	scaled := new(big.Rat).Mul(v.Rat(), factor).FloatString(quantity.MassPlaces)
	v, ok = exact(strings.TrimRight(strings.TrimRight(scaled, "0"), "."))
	return v, sure, ok
}
