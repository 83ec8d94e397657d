package customs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
)

// ItemCharges are the charges of one item of an import, and what they rest on.
type ItemCharges struct {
	charge.Assessment
	goods  charge.Goods
	tariff *charge.Tariff
}

// ByMeasures reports whether every measure of the item's code is held, and not only third-country duty and VAT.
func (c *ItemCharges) ByMeasures() bool { return c.Table == nil && len(c.Charges) > 0 }

// Alternatives returns the ways to bring the item in that cost less, the cheapest first.
func (c *ItemCharges) Alternatives() []charge.Alternative {
	return c.tariff.Alternatives(&c.goods, &c.Assessment)
}

// ItemCharges works out what each item owes by the document that would be sent; nil for an export.
func (p *ReviewInput) ItemCharges(s *charge.Source) []ItemCharges {
	t := s.At(p.At)
	return charged(t, p.Goods(t))
}

// ItemCharges works out what each item owes by what the declaration itself declares; nil for an export. The customs values must be
// in place.
func (d *Declaration) ItemCharges(s *charge.Source, on time.Time) []ItemCharges {
	t := s.At(on)
	return charged(t, d.goodsOf(t, on, d.declared))
}

func charged(t *charge.Tariff, goods []charge.Goods) []ItemCharges {
	all := make([]ItemCharges, len(goods))
	for i := range goods {
		all[i] = ItemCharges{t.Assess(&goods[i]), goods[i], t}
	}
	return all
}
