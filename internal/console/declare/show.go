package declare

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// itemsShown is the maximum number of items in a table.
const itemsShown = 100

// optionLists are the names of the lists of suggested values by step.
var optionLists = map[worksheet.Step][]string{
	worksheet.StepBasics: {"countries"}, worksheet.StepJourney: {"countries", "ports"}, worksheet.StepGoods: {"countries", "packages", "preferences", "procedures"},
	worksheet.StepDocuments: {"documents"},
}

// SuggestionLists returns the lists of suggested values of the step.
func (f *stepView) SuggestionLists() map[string][]worksheet.Choice {
	lists := map[string][]worksheet.Choice{}
	for _, name := range optionLists[f.Step] {
		lists[name] = worksheet.SuggestionLists[name]
	}
	return lists
}

// row is an item in a table.
type row struct {
	Part *worksheet.Part
	estimate
	Index, Number   int
	Open, HasErrors bool
}

// Rows returns the items; if there are more than itemsShown, those around the open one.
func (f *stepView) Rows() (rows []row) {
	first := max(0, min(f.Item-itemsShown/2, len(f.Worksheet.Items)-itemsShown))
	for n := first; n < min(first+itemsShown, len(f.Worksheet.Items)); n++ {
		rows = append(rows, row{&f.Worksheet.Items[n], f.Estimates[n], n, n + 1, n == f.Item, f.ItemsWithErrors[n]})
	}
	return rows
}

// Hidden returns the number of items that are not in the table.
func (f *stepView) Hidden() int { return max(0, len(f.Worksheet.Items)-itemsShown) }

// Question returns the question for a field of the open item.
func (f *stepView) Question(name string) (question, error) {
	for _, q := range f.Goods.Main {
		if q.Name == name {
			return q, nil
		}
	}
	return question{}, fmt.Errorf("declare: no question for %s", name)
}

// ItemEstimate returns the estimate of the open item; nil if it is unknown or zero.
func (f *stepView) ItemEstimate() *estimate {
	c := f.Estimates[f.Item]
	if !c.Positive() {
		return nil
	}
	return &c
}

// Positive reports whether duty or VAT is known and not zero.
func (c estimate) Positive() bool { return c.Known && (c.Duty.Sign() > 0 || c.VAT.Sign() > 0) }

// Nth returns the number of an index, counted from 1.
func (f *stepView) Nth(n int) int { return n + 1 }

// HasField reports whether a field is on one of the steps.
func (f *stepView) HasField(field string) bool {
	return placeOf(field).Step != worksheet.StepCheck
}

// ErrorText returns an error as a sentence.
func (f *stepView) ErrorText(d apierr.Detail) string {
	sentence := labelOf(d.Field) + " " + d.Message
	if at := placeOf(d.Field); at.Section == "" && at.Step == worksheet.StepGoods && len(f.Worksheet.Items) > 1 {
		sentence += fmt.Sprintf(" (item %d)", at.Item+1)
	}
	return sentence
}

// Findings returns the findings about usual values that the service adds, or all others.
func (f *stepView) Findings(usual bool) (all []rules.Finding) {
	for _, one := range f.Review.Findings {
		if usual == (one.Value != "" && one.Severity != rules.Blocker) {
			all = append(all, one)
		}
	}
	return all
}

// Note returns a finding as a note.
func (f *stepView) Note(finding rules.Finding) note { return noteOf(finding) }

// Mode returns the mode of transport in words.
func (f *stepView) Mode() string { return modes[f.Worksheet.Shipment.Get("transportMode")] }

// Arrival returns the expected arrival in words; empty if it is not set.
func (f *stepView) Arrival() string {
	text := f.Worksheet.Shipment.Get("expectedArrival")
	at, err := time.Parse("2006-01-02T15:04", text)
	if err != nil {
		return text
	}
	return at.Format("2 January 2006, 15:04")
}

// typedPounds formats a typed amount as pounds does; a text that is no amount stays as it was typed.
func typedPounds(text string) string {
	m, err := quantity.ParseMoney(strings.ReplaceAll(text, ",", ""))
	if err != nil {
		return text
	}
	return pounds(m)
}

// pounds formats an amount with thousands separators.
func pounds(m quantity.Money) string {
	text := m.Fixed()
	for at := len(text) - len("000.00"); at > 0 && text[at-1] != '-'; at -= len("000") {
		text = text[:at] + "," + text[at:]
	}
	return "£" + text
}
