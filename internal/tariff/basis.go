package tariff

import "math/big"

// basis is the quantity on which a term is charged, as MissingError names it.
type basis string

const (
	customsValue    basis = "customs value"
	netMass         basis = "net mass (KGM)"
	volume          basis = "volume (LTR)"
	pureAlcohol     basis = "pure alcohol (LPA)"
	items           basis = "number of items (NAR)"
	drainedMass     basis = "drained net mass (KGME)"
	dryMatter       basis = "net mass of dry matter (DTNM)"
	lacticMatter    basis = "mass of lactic matter (KGMP)"
	sucroseContent  basis = "sucrose content (DTNZ)"
	standardQuality basis = "mass of standard quality (DTNR)"
)

// measured is a number of units of a basis: pounds, kilograms, litres or items.
type measured struct {
	basis basis
	size  int64
}

// rateUnits are the units of rates, in capitals and without spaces. One per cent of alcohol in
// a hectolitre is a litre of pure alcohol.
var rateUnits = map[string]measured{
	"KG":                  {netMass, 1},
	"100KG":               {netMass, 100},
	"1000KG":              {netMass, 1000},
	"TONNE":               {netMass, 1000},
	"L":                   {volume, 1},
	"HL":                  {volume, 100},
	"%VOL/HL":             {pureAlcohol, 1},
	"ITEM":                {items, 1},
	"P/ST":                {items, 1},
	"100P/ST":             {items, 100},
	"1000P/ST":            {items, 1000},
	"100ITEMS":            {items, 100},
	"1000ITEMS":           {items, 1000},
	"100KGEDA":            {drainedMass, 100},
	"100KG/NETDRAINEDWT":  {drainedMass, 100},
	"100KG/NETEDA":        {drainedMass, 100},
	"100KGMAS":            {dryMatter, 100},
	"100KG/NETDRY":        {dryMatter, 100},
	"100KG/NETMAS":        {dryMatter, 100},
	"KG/LACTICMATTER":     {lacticMatter, 1},
	"100KG/NET/%SACCHAR.": {sucroseContent, 100},
	"100KGSTDQUAL":        {standardQuality, 100},
	"100KG/STDQUAL":       {standardQuality, 100},
}

// supplementaryUnits are the codes of DE 6/2 on which a duty can be charged.
var supplementaryUnits = map[string]measured{
	"LTR":  {volume, 1},
	"HLT":  {volume, 100},
	"KLT":  {volume, 1000},
	"MTQ":  {volume, 1000},
	"LPA":  {pureAlcohol, 1},
	"NAR":  {items, 1},
	"CEN":  {items, 100},
	"MIL":  {items, 1000},
	"KGME": {drainedMass, 1},
	"KGMP": {lacticMatter, 1},
}

// amount returns the declared amount of the basis. A quantity of zero counts as not declared;
// a value may be zero.
func (g Goods) amount(b basis, unit string) (*big.Rat, error) {
	switch {
	case b != customsValue && b != netMass:
		return g.supplementary(b, unit)
	case b == customsValue && g.CustomsValue.Sign() >= 0:
		return g.CustomsValue.Rat(), nil
	case b == netMass && g.NetMass.Sign() > 0:
		return g.NetMass.Rat(), nil
	}
	return nil, &MissingError{string(b)}
}

func (g Goods) supplementary(b basis, unit string) (*big.Rat, error) {
	u := supplementaryUnits[unit]
	if u.basis != b {
		return nil, &MissingError{string(b)}
	}
	if g.Units == nil || g.Units.Sign() <= 0 {
		return nil, &MissingError{"supplementary units (" + unit + ")"}
	}
	return new(big.Rat).Mul(g.Units.Rat(), big.NewRat(u.size, 1)), nil
}
