package declare

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// valued returns the declaration as far as it is typed, with the customs values that follow from price, rate, freight and
// insurance, and their working; nil for a declaration without prices, and for an export.
func (d *Declare) valued(c *page.Context, s *worksheet.Worksheet) (declared customs.Declaration, values []duty.Value) {
	declared = typed(s)
	if !s.Imports() {
		return declared, nil
	}
	declared.DeclarationType = customs.Import
	values = declared.Values(d.Customs.Rates, c.Now())
	for n := range values {
		declared.Items[n].CustomsValueGBP = values[n].Customs
	}
	return declared, values
}

// complete returns the worksheet as it is saved: an item of a plain import with a price and without a customs value gets the one
// that follows from its price by the rate of the month, with its share of freight and insurance (DE 4/9, AK). A declaration with a
// data set is completed when it is sent, unless it has the usual values.
func (d *Declare) complete(c *page.Context, s *worksheet.Worksheet) *worksheet.Worksheet {
	if !s.StatesValues() || !s.Imports() {
		return s
	}
	_, values := d.valued(c, s)
	whole := *s
	whole.Items = append([]worksheet.Part(nil), s.Items...)
	for n, v := range values {
		if v.Given || v.Customs == nil || s.Items[n].Get("customsValueGbp") != "" {
			continue
		}
		item := s.Items[n].Copy()
		item.Found = s.Items[n].Found
		item.Set("customsValueGbp", v.Customs.String())
		whole.Items[n] = item
	}
	return &whole
}

// withoutComputed removes the customs values that complete would fill in again, so that they follow the price when it is changed.
func (d *Declare) withoutComputed(c *page.Context, s *worksheet.Worksheet) {
	if !s.StatesValues() || !s.Imports() {
		return
	}
	bare := *s
	bare.Items = make([]worksheet.Part, len(s.Items))
	for n := range s.Items {
		bare.Items[n] = s.Items[n].Copy()
		if amount, _ := s.Items[n].Price(); amount != "" {
			bare.Items[n].Set("customsValueGbp", "")
		}
	}
	_, stated := d.valued(c, s)
	_, computed := d.valued(c, &bare)
	for n := range computed {
		if stated[n].Given && stated[n].Customs != nil && computed[n].Customs != nil && stated[n].Customs.Cmp(*computed[n].Customs) == 0 && !computed[n].Given {
			s.Items[n].Set("customsValueGbp", "")
		}
	}
}
