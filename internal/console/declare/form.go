package declare

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// stepView is the data of the page of a step.
type stepView struct {
	Worksheet *worksheet.Worksheet
	Step      worksheet.Step
	Item      int // index of the open item
	Steps     []stepLink
	Title     string
	LRN       string // of a stored declaration
	Amends    bool   // customs has the declaration: the form is for an amendment

	rateForm // on the step of goods

	Section fields.Section   // open section on a page of other members; empty for the list of sections
	All     bool             // other members that the data set does not have are shown too
	Members *form.FilledForm // form of the open section
	Windows []window         // shown parts of its long lists

	General, Client, NewClient, Journey, Goods questions
	Documents                                  []questions
	Clients, Journeys                          []choice
	Excise                                     []exciseMovement // that documents can name
	Summaries                                  []entrySummaryOffer
	ClientSearch                               string // search text

	ItemsWithErrors      map[int]bool // by index
	Suggested            *suggestionList
	Estimates            []estimate     // by item
	Duty, VAT, Other     quantity.Money // of all items, estimated
	Suspended            quantity.Money // of them
	Value                quantity.Money
	ItemsWithoutEstimate int // number of items without a known duty rate
	Errors               []apierr.Detail
	Review               *rules.Review
	OverBudget           bool // AssistBudget is used up

	simplified  []worksheet.Choice // declarations that it can complete
	rejected    []explain.Explanation
	reviewInput *customs.ReviewInput // nil if the worksheet has errors
	day         string               // today (YYYY-MM-DD)
	query       url.Values
}

// stepLink is a step in the list of steps.
type stepLink struct {
	worksheet.Step
	Name          string
	Current, Done bool
}

// choice is a client or a shipment to choose.
type choice struct {
	Name, Value, Label, Hint string
	Chosen                   bool
}

// estimate is what an item is estimated to owe.
type estimate struct {
	Known            bool
	Duty, VAT, Other quantity.Money
	Suspended        quantity.Money       // of them, by a special procedure
	item             *customs.ItemCharges // nil if it cannot be estimated
}

// Charges returns the charges of the item with its alternatives; nil if only third-country duty and VAT of its code are held.
func (e estimate) Charges() *page.Charges {
	if e.item == nil {
		return nil
	}
	return page.ChargesOf(e.item, 0)
}

// HasOther reports whether the item owes other taxes than duty and VAT.
func (e estimate) HasOther() bool { return e.Other.Sign() > 0 }

// names are the names of the steps.
var names = map[worksheet.Step]string{
	worksheet.StepBasics: "What and who", worksheet.StepJourney: "Shipment", worksheet.StepDetails: "More details", worksheet.StepGoods: "Goods", worksheet.StepItem: "Item", worksheet.StepDocuments: "Documents", worksheet.StepCheck: "Check and save",
}

// Name returns the name of the step.
func (f *stepView) Name() string { return names[f.Step] }

// NewClientQuestions returns the questions about a new client.
func (f *stepView) NewClientQuestions() questions {
	if f.Worksheet.NewClient {
		return f.Client
	}
	return f.NewClient
}

// Number returns the number of the open item, from 1.
func (f *stepView) Number() int { return f.Item + 1 }

// ItemPath returns the path prefix of the open item's fields.
func (f *stepView) ItemPath() string { return fmt.Sprintf("items[%d].", f.Item) }

// Rejected returns the errors that customs found, for the last step.
func (f *stepView) Rejected() []explain.Explanation { return f.rejected }

// path returns the path of a worksheet's step.
func path(id string, step worksheet.Step) string {
	return "/declarations/form/" + id + "/" + string(step)
}

// FieldURL returns the URL of a field on its step, with errors shown.
func (f *stepView) FieldURL(field string) string { return placeOf(field).url(f.Worksheet.ID) }

// Label returns the label of a field.
func (f *stepView) Label(field string) string { return labelOf(field) }

// labelOf returns the label of a field for the beginning of a sentence.
func labelOf(field string) string {
	if field == nameField {
		return "The name of the template"
	}
	if at := placeOf(field); at.Section == "" {
		return worksheet.Label(field)
	}
	return cmp.Or(fields.Name(fields.Declaration, field), worksheet.Label(field))
}

// load reads what a step needs besides the worksheet.
func (d *Declare) load(c *page.Context, tx page.Tx, f *stepView) (err error) {
	f.Errors = d.errors(c, f)
	f.Item = min(max(f.Item, 0), len(f.Worksheet.Items)-1)
	f.Title, f.ItemsWithErrors = "New declaration", itemsWithErrors(f.Errors)
	switch {
	case f.OfTemplate():
		f.Title = "Change template"
	case f.Worksheet.Purpose() == worksheet.Correction:
		stored, err := tx.Filing(d.Customs.Type.Kind, f.Worksheet.ID)
		if err != nil {
			return err
		}
		f.LRN, f.Title = lrnOf(&stored), "Change declaration"
		if f.Amends = customs.MayAmend(&stored) == nil; f.Amends {
			f.Title = "Amend declaration"
		}
		if f.rejected, err = d.Explain(tx, f.Worksheet.ID); err != nil {
			return err
		}
	}
	if f.Errors == nil && !f.OfTemplate() {
		input, err := d.reviewInput(tx, d.complete(c, f.Worksheet))
		if err != nil {
			return err
		}
		f.reviewInput = &input
	}
	switch f.Step {
	case worksheet.StepBasics:
		if f.simplified, err = d.simplifiedChoices(tx, f.Worksheet); err != nil {
			return err
		}
		return d.loadClients(c, tx, f)
	case worksheet.StepDocuments:
		return errors.Join(d.offerExcise(tx, f), d.offerSummaries(tx, f))
	case worksheet.StepJourney:
		f.Journeys, err = d.shipmentChoices(tx, f.Worksheet)
	}
	return err
}

// buildQuestions builds the questions of a step with their errors and notes. It is called
// outside of transactions, because the rules may be slow.
func (d *Declare) buildQuestions(c *page.Context, f *stepView) {
	ask := questionBuilder{problem: c.Problem, worksheet: f.Worksheet, notes: d.notes(c, f), simplified: f.simplified}
	f.setSteps()
	f.hideOtherRecords()
	switch f.Step {
	case worksheet.StepBasics:
		f.General = ask.build(worksheet.GeneralFields, "", &f.Worksheet.General)
		f.Client, f.NewClient = ask.build(worksheet.ClientFields, "client.", &f.Worksheet.Client), ask.build(worksheet.ClientFields, "new.", &worksheet.Part{})
	case worksheet.StepJourney:
		f.Journey = ask.build(worksheet.ShipmentFields, "shipment.", &f.Worksheet.Shipment)
	case worksheet.StepGoods:
		f.Goods = ask.build(worksheet.ItemFields, f.ItemPath(), &f.Worksheet.Items[f.Item])
		_, values := d.valued(c, f.Worksheet)
		f.rateForm = rateForm{rateFields(f.Worksheet, values, func(path string) string { return errorAt(c, rateOf(f.Worksheet, path)) }), monthOf(c)}
		d.estimateAll(c, f)
	case worksheet.StepDocuments:
		for n := range f.Worksheet.Documents {
			f.Documents = append(f.Documents, ask.build(worksheet.DocumentFields, fmt.Sprintf("documents[%d].", n), &f.Worksheet.Documents[n]))
		}
	case worksheet.StepDetails, worksheet.StepItem:
		if f.Section != "" && f.Members == nil {
			d.fillMembers(f, f.query)
		}
	case worksheet.StepCheck:
		d.estimateAll(c, f)
	}
}

// notes returns the errors that customs found and, if the worksheet is complete, the
// findings of the rules, by field.
func (d *Declare) notes(c *page.Context, f *stepView) map[string][]note {
	notes := map[string][]note{}
	addRejections(f.rejected, notes)
	if f.reviewInput == nil || c.Value("go") == "check" {
		return notes
	}
	if err := c.TakeFromBudget(d.AssistBudget); err != nil {
		f.OverBudget = true
		return notes
	}
	r := d.Review(*f.reviewInput)
	f.Review = &r
	if f.Step != worksheet.StepCheck {
		addFindings(r, notes)
	}
	return notes
}

// setSteps sets the list of steps. A step is done if it has no errors.
func (f *stepView) setSteps() {
	for _, step := range f.Worksheet.Steps() {
		done := len(errorsOfStep(f.Errors, step)) == 0
		switch step {
		case worksheet.StepDocuments:
			done = done && len(f.Worksheet.Documents) > 0
		case worksheet.StepCheck:
			done = false
		}
		f.Steps = append(f.Steps, stepLink{step, names[step], step == f.Step || step == worksheet.StepGoods && f.Step == worksheet.StepItem, done})
	}
}

func errorsOfStep(all []apierr.Detail, step worksheet.Step) (own []apierr.Detail) {
	for _, d := range all {
		if at := placeOf(d.Field).Step; at == step || step == worksheet.StepGoods && at == worksheet.StepItem {
			own = append(own, d)
		}
	}
	return own
}

func itemsWithErrors(all []apierr.Detail) map[int]bool {
	wrong := map[int]bool{}
	for _, d := range all {
		if at := placeOf(d.Field); at.Step == worksheet.StepGoods || at.Step == worksheet.StepItem {
			wrong[at.Item] = true
		}
	}
	return wrong
}

func lrnOf(f *filing.Filing) string { return cmp.Or(added(f).LRN, f.ID) }
