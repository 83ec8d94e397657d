package duty

import (
	"fmt"
	"math/big"
	"strings"

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
	euroUsed  bool   // an amount in euro was converted, or could not be
	asked     map[string]*missing

	assumed     string // document whose answer is varied; empty for none
	assumedHeld bool
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
	document string   // code of the document that it asks for; empty for another fact
	northern bool     // it is an answer about Northern Ireland

	// set enters a value of the fact into the answers.
	set func(l *RequestLine, n *NorthernIreland, value string)
}

func newGoods(l *RequestLine, index int) *goods {
	g := &goods{
		line: l, path: fmt.Sprintf("lines[%d]", index), origin: l.Origin, preferred: l.PreferentialOrigin,
		held: map[string]*Document{}, absent: map[string]bool{}, used: make([]bool, len(l.Quantities)),
		asked: map[string]*missing{},
	}
	if g.preferred == "" {
		g.preferred = l.Origin
	}
	g.know()
	return g
}

// know notes which documents are held and which are not.
func (g *goods) know() {
	for i := range g.line.Facts.Documents {
		g.held[g.line.Facts.Documents[i].Code] = &g.line.Facts.Documents[i]
	}
	for _, code := range g.line.Facts.DocumentsAbsent {
		g.absent[code] = true
	}
}

// universalWaiver is CDS's document code that waives any licence. It is no way to save duty, and never counts.
const universalWaiver = "999L"

// assume returns the goods with the answer about one document.
func (g *goods) assume(document string, held bool) *goods {
	n := *g
	n.assumed, n.assumedHeld = document, held
	return &n
}

// document returns Met if a document is held, Unmet if it is known not to be, and Unknown otherwise.
func (g *goods) document(code string) string {
	switch {
	case code == universalWaiver || code == g.assumed && !g.assumedHeld:
		return Unmet
	case code == g.assumed:
		return Met
	case g.held[code] != nil:
		return Met
	case g.absent[code] || g.line.Facts.OtherDocuments == AnswerNone:
		return Unmet
	}
	return Unknown
}

// quantity returns how many of a unit there are; otherwise the fact that is missing.
func (g *goods) quantity(u measure.Unit) (*big.Rat, *missing) {
	if q := g.given(u); q != nil {
		return q, nil
	}
	switch {
	case u.Code == measure.Strength && u.Qualifier == measure.ByVolume:
		return g.strengthByVolume()
	case u.Code == measure.Strength && u.Qualifier == "":
		return g.number(g.line.AlcoholStrength, "alcoholStrength", "How strong is the alcohol, in per cent by volume?", "%")
	case u.Code == measure.RetailPrice:
		return g.number(g.line.RetailPrice, "retailPriceGbp", "What is the retail price of the goods, in pounds?", Sterling)
	case u.Qualifier == measure.SugarPercent:
		return g.sugar(u)
	case u.Code == measure.PureAlcohol:
		return g.pureAlcohol()
	case u.IsMass() && g.line.NetMass != nil:
		converted, _ := measure.Convert(g.line.NetMass.Rat, measure.Unit{Code: measure.Kilogram}, u)
		return converted, nil
	case u.IsMass():
		return nil, g.lacks(massField, "What is the net mass of the goods, in kilograms?", measure.Kilogram)
	}
	return nil, g.lacks("quantities["+u.String()+"]", "How much is it in the unit "+u.Abbreviation()+"?", u.String())
}

// isQuantity reports whether a field of the request is a quantity in a unit of the tariff.
func (g *goods) isQuantity(field string) bool {
	return field == g.path+"."+massField || strings.HasPrefix(field, g.path+".quantities[")
}

// massField is the member of a line that holds the net mass.
const massField = "netMassKg"

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

// vary returns the goods with other answers.
func (g *goods) vary(l *RequestLine) *goods {
	n := *g
	n.line = l
	n.held, n.absent = map[string]*Document{}, map[string]bool{}
	n.know()
	return &n
}

// lack returns the fact that is missing, always the same one for a field; make fills in what is asked.
func (g *goods) lack(field string, make func(*missing)) *missing {
	m := g.asked[field]
	if m == nil {
		m = &missing{field: g.path + "." + field}
		make(m)
		g.asked[field] = m
	}
	return m
}

// lacks returns a number that is missing.
func (g *goods) lacks(field, question, unit string) *missing {
	return g.lack(field, func(m *missing) { m.question, m.unit = question, unit })
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
	if g.given(measure.Unit{Code: measure.Hectolitre}) != nil {
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
