// Package analysis reviews a declaration to customs before it goes out, as an
// experienced broker would read it: the declaration with its shipment, its client
// and the organisation, against what the tariff, the controls on goods and countries,
// and earlier declarations say. It changes nothing and stops nothing.
//
// Its tables are of its own writing, as at 21 November 2026, and coarser than the
// tariff of the day: they ask, and leave the answer to whoever declares.
package analysis

import (
	"sort"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Case is a declaration with its papers, and what was looked up for it beforehand.
type Case struct {
	customs.ReviewInput
	Knowledge
	items []item
}

// Knowledge is what the rules may ask. All of it answers without waiting.
type Knowledge struct {
	Tariff Tariff
	// CodeStatus says what the nomenclature knows of a code on a day; nil where there is none.
	CodeStatus func(code string, day time.Time) CodeStatus
	// Suggest gives the codes that a description leads to, the likeliest first; nil where nobody can.
	Suggest func(description string) []Suggestion
}

// Tariff says what goods cost at the border.
type Tariff interface {
	Find(code string) (tariff.Line, bool)
	Estimate(tariff.Goods) tariff.Charge
}

// Suggestion is a code that a description leads to.
type Suggestion struct {
	Code       string
	Confidence float64
}

// CodeStatus is what is known of a code.
type CodeStatus int

// The standings there are.
const (
	Unknown    CodeStatus = iota // nobody knows
	Declarable                   // goods can be declared under it
	Grouping                     // it has codes below it
	OutOfForce                   // it was, or will be, in force on another day
	NotFound                     // there is no such code
)

// StatusFromTree gives the standing of codes by a tree that has all of the nomenclature, in the
// order of its codes. A code of eight digits stands if one of ten below it can be declared.
func StatusFromTree(tree *nomenclature.Tree) func(code string, day time.Time) CodeStatus {
	return func(code string, day time.Time) CodeStatus {
		place, found := tree.Find(code)
		switch {
		case len(code) == exportDigits:
			return below(tree, code, day.Format(time.DateOnly))
		case !found:
			return NotFound
		case !tree.At(place).Declarable:
			return Grouping
		case !tree.At(place).InForce(day.Format(time.DateOnly)):
			return OutOfForce
		}
		return Declarable
	}
}

// below is the best standing of the codes that begin with another.
func below(tree *nomenclature.Tree, beginning, on string) CodeStatus {
	from := sort.Search(tree.Len(), func(i int) bool { return tree.At(i).Code >= beginning })
	best := NotFound
	for i := from; i < tree.Len() && strings.HasPrefix(tree.At(i).Code, beginning); i++ {
		switch n := tree.At(i); {
		case n.Declarable && n.InForce(on):
			return Declarable
		case n.Declarable:
			best = OutOfForce
		}
	}
	return best
}

// item is one goods item with what was looked up for it.
type item struct {
	*customs.Item
	n       int
	line    tariff.Line
	known   bool // the tariff has a measure for its code
	units   *quantity.Number
	words   []string     // of the description
	leads   []Suggestion // codes that the description leads to, the likeliest first
	control exportcontrol.Classification
}

// Review reviews a case by every rule. The same case and facts give the same review.
func Review(c *Case, f rules.Facts) rules.Review {
	c.prepare()
	return Rules.Review(c, f)
}

// wordings is how many descriptions are put to the classifier of codes, which takes its time.
const maxSuggestedTexts = 20

// prepare reads each item once, and equal goods once for all items.
func (c *Case) prepare() {
	type goods struct{ code, description string }
	controls, leads := map[goods]exportcontrol.Classification{}, map[string][]Suggestion{}
	c.items = make([]item, len(c.Declaration.Items))
	for n := range c.Declaration.Items {
		i := &c.items[n]
		i.Item, i.n = &c.Declaration.Items[n], n
		i.units, i.words = i.Units(), wordsOf(i.Description)
		if c.Tariff != nil {
			i.line, i.known = c.Tariff.Find(i.CommodityCode)
		}
		key := goods{i.CommodityCode, i.Description}
		found, seen := controls[key]
		if !seen {
			found = exportcontrol.Classify(exportcontrol.Item{Description: i.Description, Code: i.CommodityCode, Destination: c.destination()})
			controls[key] = found
		}
		i.control = found
		if _, known := leads[i.Description]; !known && c.Suggest != nil && len(leads) < maxSuggestedTexts {
			leads[i.Description] = c.Suggest(i.Description)
		}
		i.leads = leads[i.Description]
	}
}

func (c *Case) imports() bool { return c.Declaration.DeclarationType == customs.Import }

// destination is where an export goes; empty where nothing says so, and for imports.
func (c *Case) destination() string {
	if c.imports() {
		return ""
	}
	return firstOf(c.Shipment.CountryOfDestination, c.Shipment.CounterpartyCountry)
}

// dispatch is where an import comes from; empty where nothing says so.
func (c *Case) dispatch() string {
	return firstOf(c.Shipment.CountryOfDispatch, c.Shipment.CounterpartyCountry)
}

func (i *item) procedure(c *Case) string {
	if c.imports() {
		return firstOf(i.ProcedureCode, "4000")
	}
	return firstOf(i.ProcedureCode, "1040")
}

func (i *item) chapter() string { return i.CommodityCode[:min(2, len(i.CommodityCode))] }
func (i *item) heading() string { return i.CommodityCode[:min(4, len(i.CommodityCode))] }
