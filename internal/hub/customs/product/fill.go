package product

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// exportDigits is the length of the commodity code of an export.
const exportDigits = 8

// unitPlaces are the decimal places of supplementary units.
const unitPlaces = 6

// taken is a member of an item that a product can give.
type taken struct {
	member  string
	instead []string // members of the item that say the same in another form; with one of them it is not filled in
	imports bool     // only imports declare it
	value   func(*Product, map[string]json.RawMessage, string) any
}

// taking are the members in the order in which they are filled in.
var taking = []taken{
	{"commodityCode", []string{"classifications"}, false, func(p *Product, _ map[string]json.RawMessage, direction string) any {
		if direction == customs.Export && len(p.CommodityCode) > exportDigits {
			return p.CommodityCode[:exportDigits]
		}
		return p.CommodityCode
	}},
	{"description", nil, false, func(p *Product, _ map[string]json.RawMessage, _ string) any { return p.Description }},
	{"countryOfOrigin", []string{"origins"}, false, func(p *Product, _ map[string]json.RawMessage, _ string) any { return p.CountryOfOrigin }},
	{"preferentialOrigin", []string{"origins"}, true, func(p *Product, _ map[string]json.RawMessage, _ string) any { return p.PreferentialOrigin }},
	{"preferenceCode", nil, true, func(p *Product, _ map[string]json.RawMessage, _ string) any { return p.PreferenceCode }},
	{"supplementaryUnits", []string{"quantity"}, false, units},
	{"documents", nil, false, func(p *Product, _ map[string]json.RawMessage, _ string) any { return p.Documents }},
	{"additionalInformation", nil, false, func(p *Product, _ map[string]json.RawMessage, _ string) any { return p.AdditionalInformation }},
	{"taricAdditionalCodes", []string{"classifications"}, false, func(p *Product, _ map[string]json.RawMessage, _ string) any { return p.codes("TRA") }},
	{"nationalAdditionalCodes", []string{"classifications"}, false, func(p *Product, _ map[string]json.RawMessage, _ string) any { return p.codes("GN") }},
}

// codes returns the additional codes of a type.
func (p *Product) codes(kind string) (all []string) {
	for _, c := range p.AdditionalCodes {
		if c.Type == kind {
			all = append(all, c.Code)
		}
	}
	return all
}

// units returns the supplementary units of an item by its net mass, rounded to six decimal places.
func units(p *Product, item map[string]json.RawMessage, _ string) any {
	var mass quantity.Mass
	if p.UnitFactor == nil || item["netMassKg"] == nil || json.Unmarshal(item["netMassKg"], &mass) != nil {
		return ""
	}
	n, err := quantity.ParseNumber(new(big.Rat).Mul(p.UnitFactor.Rat(), mass.Rat()).FloatString(unitPlaces))
	if err != nil { // more digits than a quantity has
		return ""
	}
	return n
}

// fillItem appends to an item the members that it leaves out and the product has, and returns them. May reports whether a
// member may be filled in. A member with an empty list is not left out.
func fillItem(item json.RawMessage, p *Product, direction string, may func(string) bool) (json.RawMessage, []filing.Derived) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(item, &members); err != nil {
		return item, nil
	}
	there := func(member string) bool { return members[member] != nil }
	filled := slices.Clone(item[:len(item)-1])
	var derived []filing.Derived
	for _, t := range taking {
		if !itemMembers[t.member] || there(t.member) || slices.ContainsFunc(t.instead, there) || t.imports && direction != customs.Import || !may(t.member) {
			continue
		}
		value, err := json.Marshal(t.value(p, members, direction))
		if text := string(value); err != nil || text == `""` || text == "null" {
			continue
		}
		filled = append(append(append(filled, `,"`...), t.member...), `":`...)
		filled = append(filled, value...)
		derived = append(derived, filing.Derived{Field: t.member, Value: value, From: Kind})
	}
	return append(filled, '}'), derived
}

// Supplies returns what a product would fill into an item of a declaration.
func Supplies(f *filing.Filing, item json.RawMessage, direction string) ([]filing.Derived, error) {
	var p Product
	if err := json.Unmarshal(f.Body, &p); err != nil {
		return nil, err
	}
	_, derived := fillItem(item, &p, direction, func(string) bool { return true })
	return derived, nil
}
