package webhook

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// inlineGrace is the time after which the dispatcher takes over an inline attempt whose process
// died.
const inlineGrace = time.Minute

// Started is an inline attempt that is stored and not made yet.
type Started struct {
	endpoint Endpoint
	delivery *delivery
	clock    time.Time // of a test organisation; zero for real time
}

// Example is the event of a test. A nil Record is the endpoint itself.
type Example struct {
	EventType
	Record json.RawMessage
}

// PingExample is the default event of a test.
func PingExample() Example { return Example{EventType: EventType{Type: Ping}} }

// Test starts the delivery of an example to an endpoint, whatever its subscriptions.
func (s *Service) Test(tx Tx, call tenant.Call, id string, x Example) (Started, error) {
	e, err := activeEndpoint(tx, id)
	if err != nil {
		return Started{}, err
	}
	event := endpointEvent(s.IDs, call, e.ID, tested, map[string]string{"eventType": x.Type})
	if err := tx.Record(event); err != nil {
		return Started{}, err
	}
	event.Type, event.OccurredAt, event.FromStatus = x.Type, tx.Now(), string(x.From)
	if x.Record == nil {
		x.Record = pingObject(&e)
	}
	n := NewNotice(call.Org, tx.Mode(), &event, x.Record)
	if err := tx.AddNotice(n); err != nil {
		return Started{}, err
	}
	return s.start(tx, e, n, Delivery{Cause: ByTest})
}

// Resend starts a copy of an earlier delivery, with the same bytes.
func (s *Service) Resend(tx Tx, call tenant.Call, id, deliveryID string) (Started, error) {
	e, err := tx.Endpoint(id)
	if err != nil {
		return Started{}, err
	}
	original, err := tx.Delivery(e.ID, deliveryID)
	if err != nil {
		return Started{}, err
	}
	if !e.Active {
		return Started{}, paused()
	}
	n, err := tx.Notice(original.EventID)
	if err != nil {
		return Started{}, err
	}
	event := endpointEvent(s.IDs, call, e.ID, resent, map[string]string{"deliveryId": original.ID, "eventId": n.ID})
	if err := tx.Record(event); err != nil {
		return Started{}, err
	}
	return s.start(tx, e, n, Delivery{Cause: ByResend, OriginalID: original.ID, Sequence: original.Sequence})
}

func activeEndpoint(tx Tx, id string) (Endpoint, error) {
	e, err := tx.Endpoint(id)
	if err == nil && !e.Active {
		err = paused()
	}
	return e, err
}

func paused() error {
	return apierr.New(apierr.EndpointPaused, "The endpoint is paused. Resume it first; in the API, PATCH it with active true.")
}

func (s *Service) start(tx Tx, e Endpoint, n Notice, d Delivery) (Started, error) {
	now := tx.Now()
	d.ID, d.EndpointID, d.EventID, d.EventType, d.ResourceID = s.IDs.UUID(), e.ID, n.ID, n.Type, n.ResourceID
	d.Status, d.CreatedAt, d.DueAt = Pending, now, now.Add(inlineGrace)
	return Started{e, &delivery{Delivery: d, body: n.Body}, tx.TestClock()}, tx.AddDelivery(d)
}

// Finish makes the attempt of a started delivery; the caller stores the result.
func (s *Service) Finish(ctx context.Context, sender *Sender, org tenant.ID, started Started) (Delivery, error) {
	to, err := sender.target(s.Sealer, org, &started.endpoint, sender.Now())
	if err != nil {
		return Delivery{}, err
	}
	d := started.delivery.Delivery
	d.complete(sender.send(ctx, to, started.delivery).by(started.clock), nil)
	return d, nil
}

// Complete stores a finished delivery. An endpoint that answered is no longer failing.
func (s *Service) Complete(tx Tx, d Delivery) error {
	if err := tx.CompleteDelivery(d); err != nil {
		return err
	}
	e, err := tx.Endpoint(d.EndpointID)
	if apierr.Is(err, apierr.NotFound) || err == nil && (d.Status != Delivered || e.FailingSince.IsZero()) {
		return nil
	} else if err != nil {
		return err
	}
	e.recover()
	return tx.SaveEndpoint(e)
}
