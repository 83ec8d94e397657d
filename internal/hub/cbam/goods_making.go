package cbam

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Candidate is a possible type of goods or production route, if the tables alone cannot decide.
type Candidate struct {
	Goods    string // in words
	estimate Estimate
}

// Candidates returns the options for a language model that reads the notes. There are none if there is a published default
// value, which has priority, or if the production route makes no known difference.
func (d Defaults) Candidates(q Question) (all []Candidate) {
	if _, _, ok := d.published(q); ok {
		return nil
	}
	code, _ := digits(q.CommodityCode)
	if g, known := goodsOf(code); known {
		return g.made()
	}
	for _, g := range allGoods {
		if g.category != q.Category {
			continue
		}
		factor, ofCountry := g.typical(q.CountryOfOrigin)
		all = append(append(all, Candidate{g.name, offline(factor, basisOf(true, ofCountry), typicalEdition)}), g.made()...)
	}
	return all
}

func (g *goods) made() (all []Candidate) {
	for _, m := range productionRoutes {
		if factor, ok := m.of[g.name]; ok {
			all = append(all, Candidate{g.name + ", " + m.name, offline(factor, OnProductionRoute, typicalEdition)})
		}
	}
	return all
}

// maxChosen is the maximum confidence of an unchecked choice of a model.
const maxChosen = 0.7

// Chosen returns the estimate from a candidate that a model found in words of the notes.
func (c Candidate) Chosen(words string, confidence float64) Estimate {
	e := c.estimate
	e.Source, e.Confidence = EstimatedAI, min(max(confidence, 0), maxChosen)
	e.Note = fmt.Sprintf("Estimated without supplier data, from the typical value of %s: this is how the configured model reads “%s” in the notes.", c.Goods, words)
	return e
}

// productionRoute is a production route with its emissions factors.
type productionRoute struct {
	name string
	of   map[string]quantity.Total
}

func makes(name, factors string) productionRoute {
	m := productionRoute{name: name, of: map[string]quantity.Total{}}
	for _, line := range strings.Split(factors, ";") {
		goods, factor, _ := strings.Cut(strings.TrimSpace(line), ": ")
		m.of[goods] = quantity.MustTotal(factor)
	}
	return m
}

// productionRoutes lists this project's own values, each within the published range of such goods. Steel and hydrogen: rounded from
// figures of industry associations and the International Energy Agency for the early 2020s, direct emissions of all steps.
// Ammonia: IPCC guidelines of 2006, volume 3, chapter 3. Aluminium: published values of countries with only primary or only
// secondary production. Cement: the clinker content by EN 197-1 times the value of clinker.
var productionRoutes = []productionRoute{
	makes("made from iron ore by blast furnace and basic oxygen furnace",
		"carbon steel: 2.2; rails, tubes and fittings: 2.4; structures and containers of steel: 2.5; fasteners and other articles of steel: 2.4"),
	makes("melted in an electric arc furnace from iron reduced with natural gas",
		"carbon steel: 1.1; rails, tubes and fittings: 1.3; structures and containers of steel: 1.4; fasteners and other articles of steel: 1.3"),
	makes("melted from scrap in an electric arc furnace",
		"carbon steel: 0.35; rails, tubes and fittings: 0.5; structures and containers of steel: 0.6; fasteners and other articles of steel: 0.5"),
	makes("smelted from alumina (primary)",
		"unwrought aluminium: 1.7; aluminium powders, bars, profiles, wire and tubes: 2.05; aluminium plates, foil, containers and other articles: 2.5"),
	makes("remelted from scrap (secondary)",
		"unwrought aluminium: 0.36; aluminium powders, bars, profiles, wire and tubes: 0.75; aluminium plates, foil, containers and other articles: 1.15"),
	makes("made from natural gas by steam reforming", "hydrogen: 10.82; ammonia: 1.7"),
	makes("made from coal or heavy oil by gasification", "hydrogen: 19; ammonia: 2.8"),
	makes("made by electrolysis of water", "hydrogen: 0"),
	makes("with at least 95% clinker (CEM I)", "cement: 1.22"),
	makes("with up to a third of other constituents (CEM II)", "cement: 0.95"),
	makes("mostly of blast furnace slag or other constituents (CEM III to V)", "cement: 0.55"),
}
