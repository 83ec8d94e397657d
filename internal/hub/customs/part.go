package customs

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Sent is one attempt to tell customs something of a declaration.
func (s *Service) Sent(tx Tx, id, part string) (Transmission, error) {
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

// Reason is why customs did not take it, in a sentence; empty where it did, or where
// nobody knows.
func (t *Transmission) Reason() string {
	var p problem
	if t.State != refused || json.Unmarshal([]byte(t.Problem), &p) != nil {
		return ""
	}
	return p.Message
}

// Received is one thing that customs said of a declaration, with the message as it came.
func (s *Service) Received(ctx context.Context, org tenant.ID, id, part string) (m Message, raw Inbound, err error) {
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

// Value is the customs value of all items.
func (d *Declaration) Value() (total quantity.Money) {
	for i := range d.Items {
		total = total.Add(d.Items[i].CustomsValueGBP)
	}
	return total
}

// Charges are what each item would cost by a tariff on a day; an export costs nothing.
func (d *Declaration) Charges(t Tariff, on time.Time) []tariff.Charge {
	all := make([]tariff.Charge, len(d.Items))
	for i := range d.Items {
		if d.DeclarationType == Import {
			all[i] = t.Estimate(d.Items[i].Goods(on))
		}
	}
	return all
}
