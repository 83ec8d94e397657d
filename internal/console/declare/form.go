package declare

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// form is one step as it is shown.
type form struct {
	Sheet  *worksheet.Sheet
	Step   worksheet.Step
	Item   int // that is open, from 0
	Stages []stage
	Title  string
	LRN    string // of a declaration that is corrected

	General, Client, NewClient, Journey, Goods questions
	Documents                                  []questions
	Clients, Journeys                          []choice
	Looked                                     string // for a client

	Wrong            map[int]bool // items with faults
	Suggested        *suggested
	Charges          []charge // by item
	Duty, VAT, Value quantity.Money
	Uncharged        int // items without a known measure
	Faults           []apierr.Detail
	Review           *rules.Review
	Busy             bool // the helpers' budget is used up

	rejected []explain.Explanation
	papers   *customs.ReviewInput // nil where something is wrong
}

// stage is a step in the list of them.
type stage struct {
	worksheet.Step
	Name          string
	Current, Done bool
}

// choice is a record that can be chosen.
type choice struct {
	Name, Value, Label, Hint string
	Chosen                   bool
}

// charge is what an item would cost at the border.
type charge struct {
	Known     bool
	Duty, VAT quantity.Money
}

// names of the steps.
var names = map[worksheet.Step]string{
	worksheet.What: "What and who", worksheet.Journey: "Journey", worksheet.Goods: "Goods", worksheet.Documents: "Documents", worksheet.Check: "Check and save",
}

// Name of the step.
func (f *form) Name() string { return names[f.Step] }

// Newcomer are the questions about a client that is new.
func (f *form) Newcomer() questions {
	if f.Sheet.NewClient {
		return f.Client
	}
	return f.NewClient
}

// Number of the open item, from 1.
func (f *form) Number() int { return f.Item + 1 }

// ItemPath is the beginning of the fields of the open item.
func (f *form) ItemPath() string { return fmt.Sprintf("items[%d].", f.Item) }

// Rejected are what customs found wrong, for the last step.
func (f *form) Rejected() []explain.Explanation { return f.rejected }

// path of a step of a worksheet.
func path(id string, step worksheet.Step) string {
	return "/declarations/form/" + id + "/" + string(step)
}

// Place is the address of a field, with what is wrong shown there.
func (f *form) Place(field string) string {
	step, item := worksheet.At(field)
	address := path(f.Sheet.ID, step) + "?faults=shown"
	if step == worksheet.Goods {
		address += "&item=" + strconv.Itoa(item+1)
	}
	return address + "#" + url.PathEscape(field)
}

// Label is what a field is called.
func (f *form) Label(field string) string { return worksheet.Label(field) }

// gather reads what a step needs besides the worksheet.
func (d *Declare) gather(c *page.Context, tx page.Tx, f *form) (err error) {
	f.Faults = f.Sheet.Errors(d.rules(c))
	f.Item = min(max(f.Item, 0), len(f.Sheet.Items)-1)
	f.Title, f.Wrong = "New declaration", wrongItems(f.Faults)
	if f.Sheet.Purpose() == worksheet.Correction {
		stored, err := tx.Filing(d.Customs.Type.Kind, f.Sheet.ID)
		if err != nil {
			return err
		}
		f.LRN, f.Title = lrnOf(&stored), "Change declaration"
		if f.rejected, err = d.Explain(tx, f.Sheet.ID); err != nil {
			return err
		}
	}
	if f.Faults == nil {
		papers, err := d.papers(tx, f.Sheet)
		if err != nil {
			return err
		}
		f.papers = &papers
	}
	switch f.Step {
	case worksheet.What:
		return d.gatherWho(c, tx, f)
	case worksheet.Journey:
		f.Journeys, err = d.journeys(tx, f.Sheet)
	}
	return err
}

// compose makes the questions of a step, with what is said of each. It asks the rules
// outside of any transaction, as they take their time.
func (d *Declare) compose(c *page.Context, f *form) {
	ask := asking{c.Problem, f.Sheet, d.notes(c, f)}
	f.stages()
	switch f.Step {
	case worksheet.What:
		f.General = ask.of(worksheet.GeneralFields, "", &f.Sheet.General)
		f.Client, f.NewClient = ask.of(worksheet.ClientFields, "client.", &f.Sheet.Client), ask.of(worksheet.ClientFields, "new.", &worksheet.Part{})
	case worksheet.Journey:
		f.Journey = ask.of(worksheet.ShipmentFields, "shipment.", &f.Sheet.Shipment)
	case worksheet.Goods:
		f.Goods = ask.of(worksheet.ItemFields, f.ItemPath(), &f.Sheet.Items[f.Item])
		d.charge(c, f)
	case worksheet.Documents:
		for n := range f.Sheet.Documents {
			f.Documents = append(f.Documents, ask.of(worksheet.DocumentFields, fmt.Sprintf("documents[%d].", n), &f.Sheet.Documents[n]))
		}
	case worksheet.Check:
		d.charge(c, f)
	}
}

// notes are what customs found and, of a worksheet that could be saved, what the rules
// find, by field.
func (d *Declare) notes(c *page.Context, f *form) map[string][]note {
	notes := map[string][]note{}
	rejections(f.rejected, notes)
	if f.papers == nil || c.Value("go") == "check" {
		return notes
	}
	if err := c.TakeFromBudget(d.Helpers); err != nil {
		f.Busy = true
		return notes
	}
	r := d.Judge(*f.papers)
	f.Review = &r
	if f.Step != worksheet.Check {
		findings(r, notes)
	}
	return notes
}

// stages are the steps with where one stands; done is what has nothing wrong in it.
func (f *form) stages() {
	for _, step := range worksheet.Steps {
		done := len(stepFaults(f.Faults, step)) == 0
		switch step {
		case worksheet.Documents:
			done = done && len(f.Sheet.Documents) > 0
		case worksheet.Check:
			done = false
		}
		f.Stages = append(f.Stages, stage{step, names[step], step == f.Step, done})
	}
}

func stepFaults(all []apierr.Detail, step worksheet.Step) (own []apierr.Detail) {
	for _, d := range all {
		if at, _ := worksheet.At(d.Field); at == step {
			own = append(own, d)
		}
	}
	return own
}

func wrongItems(all []apierr.Detail) map[int]bool {
	wrong := map[int]bool{}
	for _, d := range all {
		if step, item := worksheet.At(d.Field); step == worksheet.Goods {
			wrong[item] = true
		}
	}
	return wrong
}

func lrnOf(f *filing.Filing) string { return cmp.Or(added(f).LRN, f.ID) }
