package declare

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// rowsShown is how many items a table of them has.
const rowsShown = 100

// offered are the lists of usual values that the fields of a step refer to.
var offered = map[worksheet.Step][]string{
	worksheet.What: {"countries"}, worksheet.Journey: {"countries", "ports"}, worksheet.Goods: {"countries", "packages", "preferences", "procedures"},
	worksheet.Documents: {"documents"},
}

// Offers are the lists of usual values of the step.
func (f *form) Offers() map[string][]worksheet.Choice {
	lists := map[string][]worksheet.Choice{}
	for _, name := range offered[f.Step] {
		lists[name] = worksheet.Offers[name]
	}
	return lists
}

// row is an item in a table.
type row struct {
	Part *worksheet.Part
	charge
	Index, Number int
	Open, Wrong   bool
}

// Rows are the items, or those around the open one where they are many.
func (f *form) Rows() (rows []row) {
	first := max(0, min(f.Item-rowsShown/2, len(f.Sheet.Items)-rowsShown))
	for n := first; n < min(first+rowsShown, len(f.Sheet.Items)); n++ {
		rows = append(rows, row{&f.Sheet.Items[n], f.Charges[n], n, n + 1, n == f.Item, f.Wrong[n]})
	}
	return rows
}

// Hidden is how many items the table has no room for.
func (f *form) Hidden() int { return max(0, len(f.Sheet.Items)-rowsShown) }

// Ask is the question about one field of the open item.
func (f *form) Ask(name string) (question, error) {
	for _, q := range f.Goods.Main {
		if q.Name == name {
			return q, nil
		}
	}
	return question{}, fmt.Errorf("declare: nobody asks for %s", name)
}

// Charged is what the open item would cost; nothing where that is not known.
func (f *form) Charged() *charge {
	c := f.Charges[f.Item]
	if !c.Costs() {
		return nil
	}
	return &c
}

// Costs tells whether there is something to pay.
func (c charge) Costs() bool { return c.Known && (c.Duty.Sign() > 0 || c.VAT.Sign() > 0) }

// Nth is a number from 1.
func (f *form) Nth(n int) int { return n + 1 }

// Asks tells whether a field is asked for on one of the steps.
func (f *form) Asks(field string) bool {
	step, _ := worksheet.At(field)
	return step != worksheet.Check
}

// Said is a fault in a sentence.
func (f *form) Said(d apierr.Detail) string {
	sentence := worksheet.Label(d.Field) + " " + d.Message
	if step, item := worksheet.At(d.Field); step == worksheet.Goods && len(f.Sheet.Items) > 1 {
		sentence += fmt.Sprintf(" (item %d)", item+1)
	}
	return sentence
}

// Note is a finding as it is shown.
func (f *form) Note(finding rules.Finding) note { return noteOf(finding) }

// Mode is how the goods travel.
func (f *form) Mode() string { return modes[f.Sheet.Shipment.Get("transportMode")] }

// Arrival is when the goods arrive, in words; empty where nothing is said of it.
func (f *form) Arrival() string {
	text := f.Sheet.Shipment.Get("expectedArrival")
	at, err := time.Parse("2006-01-02T15:04", text)
	if err != nil {
		return text
	}
	return at.Format("2 January 2006, 15:04")
}

// pounds is an amount with its thousands apart.
func pounds(m quantity.Money) string {
	text := m.Fixed()
	for at := len(text) - len("000.00"); at > 0 && text[at-1] != '-'; at -= len("000") {
		text = text[:at] + "," + text[at:]
	}
	return "£" + text
}
