package declare

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// suggest shows commodity codes for the description of the open item.
func (d *Declare) suggest(c *page.Context, f *stepView) error {
	item := &f.Worksheet.Items[f.Item]
	err := c.TakeFromBudget(d.AssistBudget)
	if err == nil && item.Get("description") == "" {
		err = apierr.Invalid(apierr.Detail{Field: f.ItemPath() + "description", Message: "is needed to suggest codes"})
	}
	var found assist.Suggestions
	if err == nil {
		found, err = d.Classify(c.R.Context(), c.Session.Org, assist.Question{Description: item.Get("description"), CountryOfOrigin: item.Get("countryOfOrigin"), At: c.Now()})
	}
	show := func() error { return d.show(c, f, func(page.Tx) error { return nil }) }
	if err != nil {
		c.Label = worksheet.Label
		return c.Redisplay(err, show)
	}
	f.Suggested = &suggestionList{Suggestions: found}
	for _, s := range found.Suggestions {
		one := suggestion{Suggestion: s, estimate: d.estimateItem(c, f.Worksheet, f.Item, s.Code)}
		if !f.Worksheet.Imports() {
			one.Code = s.Code[:exportDigits]
		}
		f.Suggested.all = append(f.Suggested.all, one)
	}
	return show()
}

// exportDigits is the number of digits of an export's commodity code.
const exportDigits = 8

// suggestionList is the suggested codes for the open item.
type suggestionList struct {
	assist.Suggestions
	all []suggestion
}

// suggestion is a suggested code with the item's estimate under it.
type suggestion struct {
	assist.Suggestion
	estimate
}

// firstSuggestions is how many suggestions are shown at first.
const firstSuggestions = 3

// First returns the most likely suggestions.
func (s *suggestionList) First() []suggestion { return s.all[:min(firstSuggestions, len(s.all))] }

// Others returns the other suggestions.
func (s *suggestionList) Others() []suggestion { return s.all[len(s.First()):] }

// ConfidenceTag returns the confidence of a suggestion.
func (s suggestion) ConfidenceTag() page.Tag {
	percent := int(s.Confidence*100 + 0.5)
	kind := ""
	if percent >= confidentFrom {
		kind = "good"
	}
	return page.Tag{Text: fmt.Sprintf("%d%% confidence", percent), Kind: kind}
}

// estimateAll estimates duty and VAT of all items; exports have none.
func (d *Declare) estimateAll(c *page.Context, f *stepView) {
	f.Estimates = make([]estimate, len(f.Worksheet.Items))
	for n := range f.Worksheet.Items {
		one := d.estimateItem(c, f.Worksheet, n, "")
		f.Estimates[n] = one
		f.Duty, f.VAT, f.Other, f.Suspended = f.Duty.Add(one.Duty), f.VAT.Add(one.VAT), f.Other.Add(one.Other), f.Suspended.Add(one.Suspended)
		if !one.Known {
			f.ItemsWithoutEstimate++
		}
		if item, ok := itemOf(f.Worksheet, n); ok {
			f.Value = f.Value.Add(item.Value())
		}
	}
}

// HasOther reports whether an item owes other taxes than duty and VAT.
func (f *stepView) HasOther() bool { return f.Other.Sign() > 0 }

// estimateItem estimates what an item owes; code replaces the item's code if not empty.
func (d *Declare) estimateItem(c *page.Context, s *worksheet.Worksheet, n int, code string) estimate {
	declared, ok := declarationOf(s, n)
	if !ok || !s.Imports() {
		return estimate{Known: !s.Imports()}
	}
	declared.DeclarationType = customs.Import
	if code != "" {
		declared.Items[0].CommodityCode = code
	}
	charges := declared.ItemCharges(d.Customs.ChargeSource(), c.Now())[0]
	var sums charge.Sums
	sums.Add(&charges.Assessment)
	known := charges.ByMeasures() || charges.Table != nil && charges.Table.Known
	return estimate{Known: known, Duty: sums.Duty, VAT: sums.VAT, Other: sums.Other, Suspended: sums.Suspended, item: &charges}
}

// itemOf returns the item with index n; ok is false if it cannot be parsed.
func itemOf(s *worksheet.Worksheet, n int) (item customs.Item, ok bool) {
	d, ok := declarationOf(s, n)
	if !ok {
		return item, false
	}
	return d.Items[0], true
}

// declarationOf returns the declaration with the item at index n alone; ok is false if it cannot be parsed.
func declarationOf(s *worksheet.Worksheet, n int) (d customs.Declaration, ok bool) {
	one := worksheet.Worksheet{Items: s.Items[n : n+1], Documents: s.Documents}
	err := json.Unmarshal(one.DeclarationBody(placeholderID), &d)
	return d, err == nil && len(d.Items) == 1
}
