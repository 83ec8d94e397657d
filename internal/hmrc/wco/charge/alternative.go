package charge

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Alternative is a lawful way to bring the goods in that costs less than the declared one.
type Alternative struct {
	Label      string         // of the option
	Preference string         // code of DE 4/17
	Quota      string         // order number; empty for none
	Saving     quantity.Money // less than what is declared, with VAT
	Total      quantity.Money
	Documents  []string // of which it needs one or more; nil for none
	Proof      bool     // it needs a proof of origin
	Notes      []string // footnotes of a suspension that alone say for which goods it is; nil for none
}

// mostAlternatives is the largest number of alternatives of an item.
const mostAlternatives = 3

// Alternatives returns the ways to bring the item in that cost less than what it declares, the cheapest first. Documents that they
// need may be ones that the importer cannot get. There are none where a special procedure suspends the duty.
func (t *Tariff) Alternatives(g *Goods, a *Assessment) (all []Alternative) {
	if a.Option == nil || a.Option.Totals.Total == nil || g.Suspends() {
		return nil
	}
	line := t.calculate(g, duty.AnswerUnknown)
	for i := range line.Options {
		o := &line.Options[i]
		if o.Totals.Total == nil || o.PreferenceCode == nil || o.Totals.Total.Cmp(*a.Option.Totals.Total) >= 0 {
			continue
		}
		n := Alternative{Label: o.Label, Preference: *o.PreferenceCode, Total: *o.Totals.Total, Saving: a.Option.Totals.Total.Sub(*o.Totals.Total)}
		n.Documents, n.Proof = needs(o)
		if o.Order != nil {
			n.Quota = *o.Order
		}
		n.Notes = notesOf(o)
		same := func(b Alternative) bool { return b.Label == n.Label && b.Total == n.Total }
		if at := slices.IndexFunc(all, same); at >= 0 {
			all[at].addDocuments(n.Documents)
		} else if len(all) < mostAlternatives {
			all = append(all, n)
		}
	}
	return all
}

// notesOf are the footnotes that alone say for which goods a suspension is.
func notesOf(o *duty.Option) (notes []string) {
	if o.Kind != duty.Suspension || len(o.Charges) == 0 || len(o.Charges[0].Conditions) > 0 {
		return nil
	}
	for _, f := range o.Charges[0].Footnotes {
		notes = append(notes, f.Code)
	}
	return notes
}

// addDocuments adds the documents of another way to the same option, which are instead of the others.
func (a *Alternative) addDocuments(documents []string) {
	if len(a.Documents) == 0 || len(documents) == 0 {
		a.Documents = nil // one way needs none
		return
	}
	for _, code := range documents {
		if !slices.Contains(a.Documents, code) {
			a.Documents = append(a.Documents, code)
		}
	}
}
