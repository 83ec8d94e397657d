package customs

import (
	"context"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
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

// Value returns the customs value of all items.
func (d *Declaration) Value() (total quantity.Money) {
	for i := range d.Items {
		total = total.Add(d.Items[i].Value())
	}
	return total
}
