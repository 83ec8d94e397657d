package cbam

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// goods are codes whose making emits about alike: the least, the usual and the most
// that a tonne of them embeds, in tonnes of CO2 equivalent, and what is usual of
// some countries.
type goods struct {
	name               string
	category           Category
	codes              []string // beginnings
	least, usual, most quantity.Total
	of                 map[string]quantity.Total
	bulk               bool // they come by the shipload
}

// typical is what a tonne of the goods usually embeds, from the country where that
// is known.
func (g *goods) typical(country string) (factor quantity.Total, ofCountry bool) {
	if country == "XI" {
		country = "GB"
	}
	if factor, ok := g.of[country]; ok {
		return factor, true
	}
	return g.usual, false
}

// sectors stand in for the goods where a code says nothing, allGoods are the goods
// in the order of the table, and byBeginning finds them by their codes.
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

// include widens a sector by some of its goods; the commonest stand for it.
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

// digits are those of a commodity code that may have spaces and points in it; ok
// is false when there is anything else, or too little or too much.
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

// Lengths of a commodity code: of the Harmonised System, and of what is reported.
const (
	headingDigits  = 4
	reportedDigits = 8
)

// goodsOf finds the goods of a code in digits. A code too short to tell belongs to
// the goods that it may be.
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

// perTonne writes a factor with its unit.
func perTonne(factor quantity.Total) string { return fmt.Sprintf("%s t CO2e/t", factor) }
