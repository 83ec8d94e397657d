package cbam

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// goods is a group of commodity codes with similar emissions: the least, usual and most embedded emissions in tonnes of CO2
// equivalent per tonne of goods, and the usual values of some countries.
type goods struct {
	name               string
	category           Category
	codes              []string // prefixes
	least, usual, most quantity.Total
	of                 map[string]quantity.Total
	bulk               bool // transported by the shipload
}

// typical returns the usual emissions factor, and whether it is that of the country.
func (g *goods) typical(country string) (factor quantity.Total, ofCountry bool) {
	if country == "XI" {
		country = "GB"
	}
	if factor, ok := g.of[country]; ok {
		return factor, true
	}
	return g.usual, false
}

// sectors holds the values for unknown codes, allGoods the goods in the order of the table, and byBeginning the goods by
// code prefix.
var sectors, allGoods, byBeginning = tables()

func tables() (map[Category]*goods, []*goods, map[string]*goods) {
	whole, all, found := map[Category]*goods{}, []*goods{}, map[string]*goods{}
	for _, r := range typicalValues {
		g := r.goods()
		all = append(all, g)
		sector := whole[g.category]
		if sector == nil {
			sector = &goods{name: sectorNames[g.category], category: g.category, least: g.least, most: g.most}
			whole[g.category] = sector
		}
		sector.include(g, r.commonest)
		for _, code := range g.codes {
			found[code] = g
		}
	}
	return whole, all, found
}

var sectorNames = map[Category]string{
	Cement: "cement", IronSteel: "iron and steel", Aluminium: "aluminium", Fertiliser: "fertilisers", Hydrogen: "hydrogen", Electricity: "electricity",
}

// include widens the range of a sector by some of its goods. The commonest goods give its usual values.
func (g *goods) include(part *goods, commonest bool) {
	if part.least.Cmp(g.least) < 0 {
		g.least = part.least
	}
	if part.most.Cmp(g.most) > 0 {
		g.most = part.most
	}
	g.bulk = g.bulk || part.bulk
	if commonest {
		g.usual, g.of = part.usual, part.of
	}
}

func (r row) goods() *goods {
	g := &goods{
		name: r.name, category: r.category, bulk: r.bulk, codes: strings.Fields(r.codes), of: map[string]quantity.Total{},
		least: quantity.MustTotal(r.least), usual: quantity.MustTotal(r.usual), most: quantity.MustTotal(r.most),
	}
	words := strings.Fields(r.countries)
	for at := 0; at < len(words); at += 2 {
		g.of[words[at]] = quantity.MustTotal(words[at+1])
	}
	return g
}

// digits returns the digits of a commodity code without spaces and points; ok is false if there are other characters or an
// invalid number of digits.
func digits(text string) (code string, ok bool) {
	const least, most = 6, 10
	if len(text) >= least && len(text) <= most && strings.Trim(text, "0123456789") == "" {
		return text, true
	}
	code = strings.Map(func(r rune) rune {
		if r == ' ' || r == '.' {
			return -1
		}
		return r
	}, text)
	return code, len(code) >= least && len(code) <= most && strings.Trim(code, "0123456789") == ""
}

// Lengths of a commodity code: in the Harmonised System, and in reports.
const (
	headingDigits  = 4
	reportedDigits = 8
)

// goodsOf finds the goods of a code in digits. A short code belongs to the goods that it may be.
func goodsOf(code string) (*goods, bool) {
	for n := min(len(code), reportedDigits); n >= headingDigits; n-- {
		if g := byBeginning[code[:n]]; g != nil {
			return g, true
		}
	}
	if len(code) < headingDigits || len(code) >= reportedDigits {
		return nil, false
	}
	for _, g := range allGoods {
		if slices.ContainsFunc(g.codes, func(beginning string) bool { return strings.HasPrefix(beginning, code) }) {
			return g, true
		}
	}
	return nil, false
}

// perTonne formats a factor with its unit.
func perTonne(factor quantity.Total) string { return fmt.Sprintf("%s t CO2e/t", factor) }
