// Package analysis reviews a declaration with its shipment, client and organisation before it is submitted: by the
// tariff, controls on goods and countries, and earlier declarations. It changes and blocks nothing. Its tables were
// compiled on 21 November 2026 and are coarser than the current tariff, so findings ask the user to check.
package analysis

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Case is a declaration with its other records, and values that the rules look up.
type Case struct {
	customs.ReviewInput
	Knowledge
	items   []item
	codes   []string // of the documents
	preview customs.Preview
	charges *charge.Tariff // nil if no measures are held, besides third-country duty and VAT
}

// Knowledge holds the lookups of the rules. None of them may block.
type Knowledge struct {
	Tariff  Tariff
	Charges *charge.Source         // of every measure and exchange rate; nil for none
	Customs customs.PreviewOptions // how the simulator checks the document
	// CodeStatus returns the status of a commodity code on a day; nil if no nomenclature is loaded.
	CodeStatus func(code string, day time.Time) CodeStatus
	// Contradict compares a description with a commodity code, by the tariff at a time; nil if there is no classifier.
	Contradict func(description, code string, at time.Time) Contradiction
}

// Tariff estimates the charges of goods.
type Tariff interface {
	Find(code string) (tariff.Line, bool)
	Estimate(tariff.Goods) tariff.Charge
}

// Contradiction is how far a description contradicts a commodity code.
type Contradiction struct {
	Heading, Chapter bool   // whether another heading, and even another chapter, fits better
	Likely           string // the code that fits best
}

// CodeStatus is the status of a commodity code.
type CodeStatus int

// All statuses.
const (
	Unknown    CodeStatus = iota // no nomenclature
	Declarable                   // goods can be declared under it
	Grouping                     // only groups the codes below it
	OutOfForce                   // in force on other days only
	NotFound                     // does not exist
)

// StatusFromTree returns a lookup in a complete nomenclature, sorted by code. A code of eight digits has the best
// status of the ten-digit codes below it.
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

// below returns the best status of the codes that begin with a prefix.
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

// item is a goods item with looked-up values.
type item struct {
	*customs.Item
	n       int
	line    tariff.Line
	known   bool // the tariff has a measure for the code
	units   *quantity.Number
	words   []string // of the description
	contra  Contradiction
	control exportcontrol.Classification
	charged *charged // by the measures of its code; nil if they are not held
}

// Review applies every rule to a case. The same case and facts give the same review.
func Review(c *Case, f rules.Facts) rules.Review {
	c.prepare()
	found := Rules.Review(c, f).Findings
	if c.Declaration.LiftsRequired() {
		found = slices.DeleteFunc(found, func(f rules.Finding) bool { return slices.Contains(plainRules, f.Code) })
	}
	return rules.NewReview(withoutRepeats(found))
}

// plainRules are about what a plain declaration must have, and takes from its shipment and its client. With a data set, or
// with nothing added, the checks of customs (DEC-3nn) look at the whole document instead.
var plainRules = strings.Fields("DEC-002 DEC-005 DEC-009 DEC-011 DEC-017 DEC-018 DEC-019 DEC-030 DEC-033 DEC-045 DEC-051 DEC-091 DEC-093 DEC-107")

// maxTexts limits the descriptions that are compared with their codes, because classification is slow.
const maxTexts = 20

// prepare looks up the values of each item, once for equal goods.
func (c *Case) prepare() {
	c.preview = c.Preview(c.Customs)
	type goods struct{ code, description string }
	controls, compared := map[goods]exportcontrol.Classification{}, map[goods]Contradiction{}
	c.items = make([]item, len(c.Declaration.Items))
	for n := range c.Declaration.Items {
		i := &c.items[n]
		i.Item, i.n = inShort(&c.Declaration.Items[n]), n
		i.units, i.words = i.Units(), wordsOf(i.Description)
		if c.Tariff != nil {
			i.line, i.known = c.Tariff.Find(i.CommodityCode)
		}
		key := goods{i.CommodityCode, i.Description}
		found, seen := controls[key]
		if !seen {
			found = c.classify(i)
			controls[key] = found
		}
		i.control = found
		if _, known := compared[key]; !known && c.Contradict != nil && len(compared) < maxTexts {
			compared[key] = c.Contradict(i.Description, i.CommodityCode, c.At)
		}
		i.contra = compared[key]
	}
	c.assess()
}

// classify returns the export controls for an item. The rules for imports need only the entries of species and
// drugs.
func (c *Case) classify(i *item) exportcontrol.Classification {
	goods := exportcontrol.Item{Description: i.Description, Code: i.CommodityCode, Destination: c.destination()}
	if c.imports() {
		return exportcontrol.Classification{Entries: exportcontrol.Entries(goods, exportcontrol.CITES, exportcontrol.Drugs)}
	}
	return exportcontrol.Classify(goods)
}

// inShort returns an item in the short forms that the rules read.
func inShort(i *customs.Item) *customs.Item {
	if i.Classifications == nil && i.Procedures == nil && i.Origins == nil && i.Packages == nil && i.TaxLines == nil {
		return i
	}
	short := i.Short()
	return &short
}

func (c *Case) imports() bool { return c.Declaration.DeclarationType == customs.Import }

// destination returns the country of destination of an export; empty if unknown, and for imports.
func (c *Case) destination() string {
	if c.imports() {
		return ""
	}
	if d := cmp.Or(c.Declaration.Destination, c.Shipment.Destination); d != nil {
		return d.Country
	}
	return firstOf(c.Shipment.CountryOfDestination, c.Shipment.CounterpartyCountry)
}

// dispatch returns the country of dispatch of an import; empty if unknown.
func (c *Case) dispatch() string {
	return firstOf(c.Declaration.DispatchCountry, c.Shipment.DispatchCountry, c.Shipment.CountryOfDispatch, c.Shipment.CounterpartyCountry)
}

func (i *item) procedure(c *Case) string {
	if c.imports() {
		return firstOf(i.ProcedureCode, "4000")
	}
	return firstOf(i.ProcedureCode, "1040")
}

func (i *item) chapter() string { return i.CommodityCode[:min(2, len(i.CommodityCode))] }
func (i *item) heading() string { return i.CommodityCode[:min(4, len(i.CommodityCode))] }
