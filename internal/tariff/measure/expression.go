package measure

import (
	"math/big"
	"strings"
)

// Sense is how a component is combined with those before it.
type Sense int

// Senses of components.
const (
	Nothing  Sense = iota // it carries no duty
	First                 // the first amount, or one that is added
	Minus                 // an amount that is deducted
	Min                   // what follows is the least
	Max                   // what follows is the most
	Nil                   // no duty
	Agri                  // the agricultural component
	Sugar                 // the additional duty on sugar
	Flour                 // the additional duty on flour
	UnitNote              // the supplementary unit
)

// senses of the ids of duty expressions, of TARIC.
var senses = map[string]Sense{
	"01": First, "04": First, "19": First, "20": First, "02": Minus, "36": Minus, "15": Min, "17": Max, "35": Max, "37": Nil,
	"12": Agri, "14": Agri, "21": Sugar, "25": Sugar, "27": Flour, "29": Flour, "99": UnitNote,
}

// Sense returns how the component is combined with those before it.
func (c *Component) Sense() Sense { return senses[c.Expression] }

// words of the components that are filled in by other measures, by id.
var words = map[string]string{"12": "EA", "14": "EAR", "21": "ADSZ", "25": "ADSZR", "27": "ADFM", "29": "ADFMR"}

// meursingTypes are the measure types whose amounts are put in place of a component.
var meursingTypes = map[Sense]string{Agri: "674", Sugar: "672", Flour: "673"}

// MeursingType returns the type of the measures that give the amount of the component; empty if it needs none.
func (c *Component) MeursingType() string { return meursingTypes[c.Sense()] }

// Text writes components as one duty, such as "12.80 % + 176.80 EUR / 100 kg".
func Text(all []Component) string {
	var b strings.Builder
	for i := range all {
		text := all[i].Text()
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(joint(&all[i]))
		}
		b.WriteString(text)
	}
	return b.String()
}

// joint is what stands between a component and those before it.
func joint(c *Component) string {
	switch c.Sense() {
	case Minus:
		return " - "
	case Min:
		return " MIN "
	case Max:
		return " MAX "
	}
	return " + "
}

// Text writes the component without what joins it to others.
func (c *Component) Text() string {
	unit := Unit{c.Unit, c.Qualifier}
	switch {
	case words[c.Expression] != "" && c.Amount == nil:
		return words[c.Expression]
	case c.Sense() == Nil:
		return "NIHIL"
	case c.Amount == nil && c.Unit != "":
		return unit.Abbreviation()
	case c.Amount == nil:
		return ""
	}
	text := Decimal(c.Amount)
	if c.Currency == "" {
		text += " %"
	} else {
		text += " " + c.Currency
	}
	if c.Unit != "" {
		text += " / " + unit.Abbreviation()
	}
	return text
}

// leastPlaces and mostPlaces are the decimal places of amounts in duties.
const (
	leastPlaces = 2
	mostPlaces  = 9
)

// Decimal writes an amount with two decimal places, or as many more as it has.
func Decimal(r *big.Rat) string {
	text := strings.TrimRight(r.FloatString(mostPlaces), "0")
	if point := strings.IndexByte(text, '.'); len(text)-point-1 < leastPlaces {
		return r.FloatString(leastPlaces)
	}
	return text
}
