package customs

import (
	"context"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// TransmissionOf returns one transmission of a declaration.
func (s *Service) TransmissionOf(tx Tx, id, part string) (Transmission, error) {
	all, err := tx.Transmissions(id)
	if err != nil {
		return Transmission{}, err
	}
	at := slices.IndexFunc(all, func(t Transmission) bool { return t.ID == part })
	if at < 0 {
		return Transmission{}, apierr.Missing()
	}
	return all[at], nil
}

// Reason returns why a transmission was refused, in a sentence; empty if it was not.
func (t *Transmission) Reason() string {
	if t.State != outbox.Refused {
		return ""
	}
	return t.Problem.Message
}

// MessageOf returns one message about a declaration, decoded and as it was received.
func (s *Service) MessageOf(ctx context.Context, org tenant.ID, id, part string) (m Message, raw Inbound, err error) {
	err = s.Store.ViewCustoms(ctx, org, func(tx Tx) error {
		all, err := tx.Messages(id)
		at := slices.IndexFunc(all, func(m Message) bool { return m.ID == part })
		if err == nil && at < 0 {
			return apierr.Missing()
		}
		if err == nil {
			m = all[at]
		}
		return err
	})
	if err != nil {
		return m, raw, err
	}
	raw, err = s.Store.Inbound(ctx, m.InboxID)
	return m, raw, err
}

// Unconverted returns the sum of the prices of items whose value in pounds is not known, because a currency has no rate; empty if
// there are none or in several currencies.
func (d *Declaration) Unconverted() (sum quantity.Sum, currency string) {
	for n := range d.Items {
		i := &d.Items[n]
		if i.CustomsValueGBP != nil || !i.Priced() {
			continue
		}
		if currency == "" {
			sum, currency = *i.ItemPrice.Amount, i.ItemPrice.Currency
			continue
		}
		whole, err := quantity.AddSums(sum, *i.ItemPrice.Amount)
		if err != nil || i.ItemPrice.Currency != currency {
			return quantity.Sum{}, ""
		}
		sum = whole
	}
	return sum, currency
}

// Worth returns the customs value as it is written in pounds, with the prices that are not converted; without pounds these alone.
func (d *Declaration) Worth(pounds string) string {
	sum, currency := d.Unconverted()
	switch value := d.Value(); {
	case currency == "":
		return pounds
	case value.IsZero():
		return currency + " " + quantity.Grouped(sum.String())
	}
	return pounds + " and " + currency + " " + quantity.Grouped(sum.String())
}

// AddsUsual reports whether the service adds usual constants, such as the procedure.
func (d *Declaration) AddsUsual() bool { return d.Filling() == datamodel.FillUsual }

// Value returns the customs value of all items.
func (d *Declaration) Value() (total quantity.Money) {
	for i := range d.Items {
		total = total.Add(d.Items[i].Value())
	}
	return total
}
