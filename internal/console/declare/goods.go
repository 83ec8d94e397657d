package declare

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// suggest shows codes for the goods that the open item describes.
func (d *Declare) suggest(c *page.Context, f *form) error {
	item := &f.Sheet.Items[f.Item]
	err := c.TakeFromBudget(d.Helpers)
	if err == nil && item.Get("description") == "" {
		err = apierr.Invalid(apierr.Detail{Field: f.ItemPath() + "description", Message: "is needed to suggest codes"})
	}
	var found assist.Suggestions
	if err == nil {
		found, err = d.Classify(c.R.Context(), c.Session.Org, assist.Question{Description: item.Get("description"), CountryOfOrigin: item.Get("countryOfOrigin")})
	}
	show := func() error { return d.show(c, f, func(page.Tx) error { return nil }) }
	if err != nil {
		c.Label = worksheet.Label
		return c.Redisplay(err, show)
	}
	f.Suggested = &suggested{Suggestions: found}
	for _, s := range found.Suggestions {
		one := suggestion{Suggestion: s, charge: d.chargeOf(c, f.Sheet, f.Item, s.Code)}
		if !f.Sheet.Imports() {
			one.Code = s.Code[:exportDigits]
		}
		f.Suggested.all = append(f.Suggested.all, one)
	}
	return show()
}

// exportDigits is the length of the code of an export.
const exportDigits = 8

// suggested are codes for the item that is open.
type suggested struct {
	assist.Suggestions
	all []suggestion
}

// suggestion is one of them, with what the item would cost under it.
type suggestion struct {
	assist.Suggestion
	charge
}

// likely is how many suggestions are shown at first.
const likely = 3

// First are the likeliest.
func (s *suggested) First() []suggestion { return s.all[:min(likely, len(s.all))] }

// Others are the rest.
func (s *suggested) Others() []suggestion { return s.all[len(s.First()):] }

// mark is a word that stands out.
type mark struct{ Text, Kind string }

// Sure is how sure a suggestion is.
func (s suggestion) Sure() mark {
	sure := int(s.Confidence*100 + 0.5)
	kind := ""
	if sure >= sureEnough {
		kind = "good"
	}
	return mark{fmt.Sprintf("%d%% sure", sure), kind}
}

// charge works out what the items would cost at the border; exports cost nothing.
func (d *Declare) charge(c *page.Context, f *form) {
	f.Charges = make([]charge, len(f.Sheet.Items))
	for n := range f.Sheet.Items {
		one := d.chargeOf(c, f.Sheet, n, "")
		f.Charges[n] = one
		f.Duty, f.VAT = f.Duty.Add(one.Duty), f.VAT.Add(one.VAT)
		if !one.Known {
			f.Uncharged++
		}
		if item, ok := itemOf(f.Sheet, n); ok {
			f.Value = f.Value.Add(item.CustomsValueGBP)
		}
	}
}

// chargeOf is what an item would cost under its code or another.
func (d *Declare) chargeOf(c *page.Context, s *worksheet.Sheet, n int, code string) charge {
	item, ok := itemOf(s, n)
	if !ok || !s.Imports() {
		return charge{Known: !s.Imports()}
	}
	if code != "" {
		item.CommodityCode = code
	}
	estimate := d.Tariff().Tariff.Estimate(item.Goods(c.Now()))
	return charge{Known: estimate.Known, Duty: estimate.Duty, VAT: estimate.VAT}
}

// itemOf is an item as far as it can be read.
func itemOf(s *worksheet.Sheet, n int) (item customs.Item, ok bool) {
	one := worksheet.Sheet{Items: s.Items[n : n+1]}
	var declared struct{ Items []customs.Item }
	err := json.Unmarshal(one.DeclarationBody(unknown), &declared)
	if err != nil || len(declared.Items) != 1 {
		return item, false
	}
	return declared.Items[0], true
}
