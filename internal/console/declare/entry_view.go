package declare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/paste"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// linesShown is the number of lines in the grid at a time, so that a page of 999 lines stays small.
const linesShown = 20

// entryView is the data of the form on one page.
type entryView struct {
	*stepView
	From  int // index of the first line that is shown
	Costs worksheet.Costs

	Shipping, Parties questions
	Lines             []line
	Merges            []worksheet.Merge
	rateForm
	Checks checks

	line       int    // index of the line that the user is at
	digest     string // of the stored items
	unsaved    bool   // the page shows more than is stored
	moved      bool   // the lines were made from other items than those that are stored
	finished   bool   // the declaration is saved, and the worksheet is gone
	showFaults bool
	checked    bool              // the user asked for the errors
	refused    []apierr.Detail   // errors of what is in no body
	notes      map[string]string // what to check about pasted cells, by field
	pasted     *paste.Table
	added      int // pasted lines

	supplied map[int]map[string]string // texts that the products of items fill in, by item and column
	unknown  []apierr.Detail           // product codes that are not known
	declared customs.Declaration       // as far as it is typed
	values   []duty.Value
	mistakes map[string]string // errors by field
}

// showEntry reads in one snapshot what the form needs, and shows it.
func (d *Declare) showEntry(c *page.Context, f *entryView, read func(page.Tx) error) error {
	c.Label = labelOf
	err := c.View(func(tx page.Tx) error {
		if err := read(tx); err != nil {
			return err
		}
		return d.loadEntry(c, tx, f)
	})
	if err != nil {
		return err
	}
	d.buildEntry(c, f)
	if f.checked {
		c.Status = 0 // nothing was to be stored, so that nothing failed
	}
	return c.Show("declare-page", f.Title, f)
}

// loadEntry reads what the form needs besides the worksheet.
func (d *Declare) loadEntry(c *page.Context, tx page.Tx, f *entryView) error {
	if err := d.load(c, tx, f.stepView); err != nil {
		return err
	}
	if err := d.loadClients(c, tx, f.stepView); err != nil {
		return err
	}
	var err error
	if err := errors.Join(d.offerExcise(tx, f.stepView), d.offerSummaries(tx, f.stepView)); err != nil {
		return err
	}
	if f.Journeys, err = d.shipmentChoices(tx, f.Worksheet); err != nil {
		return err
	}
	if f.simplified, err = d.simplifiedChoices(tx, f.Worksheet); err != nil {
		return err
	}
	if err := d.fillProducts(tx, f); err != nil {
		return err
	}
	f.declared, f.values = d.valued(c, f.withProducts())
	return d.draftInput(tx, f)
}

// draftInput sets the input of a review, as far as it is typed. Without errors it is that of the declaration that would be saved.
func (d *Declare) draftInput(tx page.Tx, f *entryView) error {
	if f.reviewInput != nil && f.supplied == nil {
		return nil
	}
	shipment, client := readable[customs.Shipment](f.Worksheet.ShipmentBody(placeholderID)), readable[customs.Client](f.Worksheet.ClientBody())
	id := ""
	if f.Worksheet.Purpose() == worksheet.Correction && !f.OfTemplate() {
		id = f.Worksheet.ID
	}
	input, err := d.Customs.ReviewInputOfDraft(tx, id, f.declared, shipment, client)
	f.reviewInput = &input
	return err
}

// buildEntry builds the fields of the form with their errors, the findings and the estimate. It is called outside of transactions,
// because the rules may be slow.
func (d *Declare) buildEntry(c *page.Context, f *entryView) {
	s := f.Worksheet
	f.Errors = slices.Concat(f.Errors, f.refused, f.unknown)
	f.Costs, f.Merges = s.Costs(), s.Merges()
	f.From = max(0, min(f.From, len(s.Items)-1))
	f.From -= f.From % linesShown
	f.mistakes = map[string]string{}
	if f.showFaults && len(f.Errors) > 0 && c.Problem == nil {
		shown := f.Errors[:min(len(f.Errors), mostListed)]
		_ = c.Redisplay(apierr.Invalid(shown...), func() error { return nil }) // sets c.Problem only
	}
	if f.showFaults || c.Problem != nil {
		f.addMistakes(c)
	}
	f.rateForm = rateForm{rateFields(s, f.values, func(path string) string { return f.mistakes[path] }), monthOf(c)}
	d.buildChecks(c, f)
	ask := questionBuilder{problem: c.Problem, worksheet: s, notes: f.notesOfRejection(), simplified: f.simplified}
	f.General = ask.build(worksheet.GeneralFields, "", &s.General)
	f.Client, f.NewClient = ask.build(worksheet.ClientFields, "client.", &s.Client), ask.build(worksheet.ClientFields, "new.", &worksheet.Part{})
	f.Shipping = ask.build(shippingFields, "shipment.", &s.Shipment)
	f.Parties = ask.build(partyFields, "shipment.", &s.Shipment)
	for _, all := range []*questions{&f.Shipping, &f.Parties} {
		named(all, fields.Shipment)
	}
	named(&f.Client, fields.Client)
	named(&f.NewClient, fields.Client)
	if len(s.Documents) < worksheet.MaxDocuments {
		s.Documents = append(slices.Clip(s.Documents), worksheet.Part{}) // a row for another one
	}
	for n := range s.Documents {
		f.Documents = append(f.Documents, ask.build(worksheet.DocumentFields, fmt.Sprintf("documents[%d].", n), &s.Documents[n]))
	}
	f.addLines()
}

// addMistakes sets the error of each field, as a sentence.
func (f *entryView) addMistakes(c *page.Context) {
	for _, e := range f.Errors {
		if _, known := f.mistakes[e.Field]; !known {
			f.mistakes[e.Field] = labelOf(e.Field) + " " + e.Message
		}
	}
	if c.Problem != nil {
		for _, e := range c.Problem.Fields {
			f.mistakes[e.Field] = e.Message
		}
	}
}

func (f *entryView) notesOfRejection() map[string][]note {
	notes := map[string][]note{}
	addRejections(f.rejected, notes)
	return notes
}

// Fields of a shipment that say who is at the other end, and all others.
var partyFields, shippingFields = split(worksheet.ShipmentFields)

func split(all []worksheet.Field) (parties, others []worksheet.Field) {
	for _, f := range all {
		if strings.HasPrefix(f.Name, "counterparty") || strings.HasPrefix(f.Name, "countryOf") {
			parties = append(parties, f)
		} else {
			others = append(others, f)
		}
	}
	return parties, others
}

// named gives questions the labels that their fields have in the review and on the record.
func named(all *questions, r fields.Record) {
	for _, list := range [][]question{all.Main, all.More} {
		for n := range list {
			if field, ok := fields.At(r, list[n].Name); ok {
				list[n].Label = field.Label
			}
		}
	}
}

// nameOfColumn returns the label of a column as in the review and on the record.
func nameOfColumn(name string) string {
	field, _ := fields.At(fields.Declaration, itemPrefix+name)
	return cmp.Or(columnNames[name], field.Label, name)
}

// columnNames are the labels of columns that have none of their own.
var columnNames = map[string]string{"itemPrice.amount": "Item price", "itemPrice.currency": "Currency of the price"}

// Action returns the path to which the form is sent.
func (f *entryView) Action() string {
	if f.Worksheet.ID == "" {
		return "/declarations/new/page"
	}
	return f.pagePath()
}

// Digest returns the digest of the stored items.
func (f *entryView) Digest() string { return f.digest }

// Moved reports whether the lines were made from other items than those that are stored.
func (f *entryView) Moved() bool { return f.moved }

// Total returns the number of lines.
func (f *entryView) Total() int { return len(f.Worksheet.Items) }

// Last returns the number of the last shown line.
func (f *entryView) Last() int { return min(f.From+linesShown, f.Total()) }

// First returns the number of the first shown line.
func (f *entryView) First() int { return f.From + 1 }

// Before returns the index of the first line of the part before; negative for none.
func (f *entryView) Before() int { return f.From - linesShown }

// After returns the index of the first line of the next part; 0 for none.
func (f *entryView) After() int {
	if f.Last() < f.Total() {
		return f.Last()
	}
	return 0
}

// Mistake returns the error of a field; empty for none.
func (f *entryView) Mistake(field string) string { return f.mistakes[field] }

// costField is freight or insurance.
type costField struct {
	Name, Label, Error, Currency string
	Cost                         worksheet.Cost
}

// CostField returns the field for freight or insurance.
func (f *entryView) CostField(name string) costField {
	one := costField{Name: name, Label: "Freight", Cost: f.Costs.Freight, Currency: f.Currency(len(f.Worksheet.Items) - 1)}
	if name == "insurance" {
		one.Label, one.Cost = "Insurance", f.Costs.Insurance
	}
	if one.Cost.Amount != "" {
		one.Error = f.costMistake(name)
	}
	return one
}

// costMistake returns the error of freight or insurance, which the declaration has as additions to the price.
func (f *entryView) costMistake(name string) string {
	n := 0
	if name == "insurance" && f.Costs.Freight.Amount != "" {
		n = 1
	}
	at := fmt.Sprintf("valuationAdjustments[%d].amount", n)
	return cmp.Or(f.mistakes[at+".amount"], f.mistakes[at+".currency"], f.mistakes[at])
}

// SuggestionLists returns the lists of suggested values of the whole form.
func (f *entryView) SuggestionLists() map[string][]worksheet.Choice {
	lists := map[string][]worksheet.Choice{}
	for _, name := range []string{"countries", "ports", "packages", "documents"} {
		lists[name] = worksheet.SuggestionLists[name]
	}
	for _, code := range codelist.Currencies().All() {
		lists["currencies"] = append(lists["currencies"], worksheet.Choice{Value: code})
	}
	return lists
}
