package duty

import (
	"fmt"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// goods are what is known of one line, in the form in which the engine asks for it.
type goods struct {
	line      *RequestLine
	path      string   // of the line in the request
	value     *big.Rat // customs value, rounded; nil if it is not known
	on        measure.Day
	origin    string
	preferred string // preferential origin
	euro      EuroRate
	unit      measure.Unit // supplementary unit of the code; empty if it has none
	held      map[string]*Document
	absent    map[string]bool
	used      []bool // by quantity of the line: whether something asked for it
}

// EuroRate is the pounds for one euro that amounts in euro of the tariff are converted with; Rate is nil if there is none.
type EuroRate struct {
	Rate    *big.Rat
	Period  string
	Earlier bool // it is the latest rate of an earlier month
}

// missing is a fact that a computation needs and that the request lacks.
type missing struct {
	field    string // path in the request
	question string
	unit     string
	values   []string // that it can have; nil for a number
}

func newGoods(l *RequestLine, index int) *goods {
	g := &goods{
		line: l, path: fmt.Sprintf("lines[%d]", index), origin: l.Origin, preferred: l.PreferentialOrigin,
		held: map[string]*Document{}, absent: map[string]bool{}, used: make([]bool, len(l.Quantities)),
	}
	if g.preferred == "" {
		g.preferred = l.Origin
	}
	for i := range l.Facts.Documents {
		g.held[l.Facts.Documents[i].Code] = &l.Facts.Documents[i]
	}
	for _, code := range l.Facts.DocumentsAbsent {
		g.absent[code] = true
	}
	return g
}

// universalWaiver is CDS's document code that waives any licence. It is no way to save duty, and never counts.
const universalWaiver = "999L"

// document returns Met if a document is held, Unmet if it is known not to be, and Unknown otherwise.
func (g *goods) document(code string) string {
	switch {
	case code == universalWaiver:
		return Unmet
	case g.held[code] != nil:
		return Met
	case g.absent[code] || g.line.Facts.OtherDocuments == AnswerNone:
		return Unmet
	}
	return Unknown
}

// quantity returns how many of a unit there are; otherwise the fact that is missing.
func (g *goods) quantity(u measure.Unit) (*big.Rat, *missing) {
	switch {
	case u.Code == measure.Strength && u.Qualifier == measure.ByVolume:
		return g.strengthByVolume()
	case u.Code == measure.Strength && u.Qualifier == "":
		return g.number(g.line.AlcoholStrength, "alcoholStrength", "How strong is the alcohol, in per cent by volume?", "%")
	case u.Code == measure.RetailPrice:
		return g.number(g.line.RetailPrice, "retailPriceGbp", "What is the retail price of the goods, in pounds?", Sterling)
	}
	if q := g.given(u); q != nil {
		return q, nil
	}
	switch {
	case u.Qualifier == measure.SugarPercent:
		return g.sugar(u)
	case u.Code == measure.PureAlcohol:
		return g.pureAlcohol()
	case u.IsMass() && g.line.NetMass != nil:
		converted, _ := measure.Convert(g.line.NetMass.Rat, measure.Unit{Code: measure.Kilogram}, u)
		return converted, nil
	case u.IsMass():
		return nil, g.lacks("netMassKg", "What is the net mass of the goods, in kilograms?", measure.Kilogram)
	}
	return nil, g.lacks("quantities["+u.String()+"]", "How much is it in the unit "+u.Abbreviation()+"?", u.String())
}

// given returns the quantity that the request states in the unit, or in one that can be converted into it; nil for none.
func (g *goods) given(u measure.Unit) *big.Rat {
	for i := range g.line.Quantities {
		q := &g.line.Quantities[i]
		if converted, ok := measure.Convert(q.Value.Rat, q.unit(), u); ok {
			g.used[i] = true
			return converted
		}
	}
	return nil
}

func (g *goods) lacks(field, question, unit string) *missing {
	return &missing{field: g.path + "." + field, question: question, unit: unit}
}

func (g *goods) number(d *Decimal, field, question, unit string) (*big.Rat, *missing) {
	if d == nil {
		return nil, g.lacks(field, question, unit)
	}
	return d.Rat, nil
}

// strengthByVolume is the strength in per cent times the volume in hectolitres, which is as much as the pure alcohol in
// litres.
func (g *goods) strengthByVolume() (*big.Rat, *missing) {
	if q := g.given(measure.Unit{Code: measure.Strength, Qualifier: measure.ByVolume}); q != nil {
		return q, nil
	}
	strength, lack := g.quantity(measure.Unit{Code: measure.Strength})
	if lack != nil {
		return nil, lack
	}
	volume, lack := g.quantity(measure.Unit{Code: measure.Hectolitre})
	if lack != nil {
		return nil, lack
	}
	return new(big.Rat).Mul(strength, volume), nil
}

// pureAlcohol is the pure alcohol in litres, from the strength and the volume.
func (g *goods) pureAlcohol() (*big.Rat, *missing) {
	if g.line.AlcoholStrength != nil && g.given(measure.Unit{Code: measure.Hectolitre}) != nil {
		return g.strengthByVolume()
	}
	return nil, g.lacks("quantities["+measure.PureAlcohol+"]", "How many litres of pure alcohol are there?", measure.PureAlcohol)
}

// sugar is the mass in a unit times the sucrose in per cent.
func (g *goods) sugar(u measure.Unit) (*big.Rat, *missing) {
	percent, lack := g.number(g.line.SucrosePercent, "sucrosePercent", "How much sucrose do the goods have, in per cent of their weight?", "%")
	if lack != nil {
		return nil, lack
	}
	mass, lack := g.quantity(measure.Unit{Code: u.Code})
	if lack != nil {
		return nil, lack
	}
	return new(big.Rat).Mul(percent, mass), nil
}
