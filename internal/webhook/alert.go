package webhook

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	accounts "github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Alerts: events about endpoints that others can subscribe to. An alert is never sent to the endpoint that it is about.
const (
	AlertFailing = kind + "." + failing     // with each of the shares, once while an endpoint keeps failing
	AlertPaused  = kind + "." + pausedEvent // the service or a user has paused the endpoint
	AlertGivenUp = "webhook.delivery.given_up"
)

// shares are the parts, in per cent, of failingLimit that cause an alert. With the last one the endpoint is paused.
var shares = []int{50, 70, 90, 100}

// alertTypes are the alerts in the catalogue.
var alertTypes = []EventType{
	{Type: AlertFailing, Hub: hub, Description: "An endpoint has failed for 50, 70, 90 or 100 % of the five days after which it is paused"},
	{Type: AlertPaused, Hub: hub, Description: "The service or a user has paused an endpoint"},
	{Type: AlertGivenUp, Hub: hub, Description: "A delivery has failed for the last time"},
}

// IsAlert reports whether events of a type are alerts.
func IsAlert(eventType string) bool {
	return slices.ContainsFunc(alertTypes, func(t EventType) bool { return t.Type == eventType })
}

// Alert is the object in the body of an alert.
type Alert struct {
	EndpointID string  `json:"endpointId" format:"uuid" doc:"Id of the endpoint that fails" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6c"`
	Share      *int    `json:"share" doc:"Per cent of the five days of failures after which the endpoint is paused; null unless that is the reason" example:"50"`
	EventID    *string `json:"eventId" doc:"Id of the event that could not be delivered; null if a user has paused the endpoint" example:"evt_0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	HTTPStatus *int    `json:"httpStatus" doc:"HTTP status of the last answer; null without one" example:"503"`
}

// ExampleAlert returns the record in the example of an alert.
func ExampleAlert(eventType string) json.RawMessage {
	event, answer := noticePrefix+exampleEvent, 503
	a := Alert{EndpointID: exampleEndpoint, EventID: &event, HTTPStatus: &answer}
	if eventType == AlertFailing {
		a.Share = &shares[0]
	}
	example, _ := json.Marshal(a)
	return example
}

// AlertTx is what raising alerts needs of a transaction.
type AlertTx interface {
	filing.NotifyTx
	accounts.OwnerMailTx
	// RecordNotified records an event and stores its notification.
	RecordNotified(e audit.Event, n filing.Notification) error
}

// MailAlert mails the OWNERs about an endpoint, in the transaction of the alert.
type MailAlert func(tx accounts.OwnerMailTx, m accounts.EndpointAlert) error

// shareOf returns the largest of the shares that a time of failures has reached; 0 for none.
func shareOf(failed time.Duration) (share int) {
	for _, s := range shares {
		if failed >= failingLimit*time.Duration(s)/100 {
			share = s
		}
	}
	return share
}

// gaveUp reports whether the delivery of an event has failed for the last time.
func (d *Delivery) gaveUp() bool { return d.Status == Failed && d.Cause == ByEvent }

// recover ends the time of failures, so that its alerts can be raised again.
func (e *Endpoint) recover() { e.FailingSince, e.FailingShare, e.MailedGivenUp = time.Time{}, 0, false }

// completion is a result that may pause its endpoint or raise alerts, in the transaction that stores it.
type completion struct {
	*Completed
	tx   Tx
	ids  *ident.Source
	mail MailAlert
	e    Endpoint
}

// complete stores the result together with what follows from it. A result that was stored before, by this instance or another
// one, has no consequences again.
func (c *completion) complete() error {
	stored, err := c.tx.CompleteOnce(c.Delivery)
	if err != nil || !stored {
		return err
	}
	c.e, err = c.tx.Endpoint(c.EndpointID)
	if apierr.Is(err, apierr.NotFound) {
		return nil
	} else if err != nil {
		return err
	}
	if c.FailingSince != nil {
		c.e.recover()
		c.e.FailingSince = *c.FailingSince
	}
	if c.Delivery.gaveUp() {
		if err := c.giveUp(); err != nil {
			return err
		}
	}
	reached := 0
	if c.Delivery.Error != "" && !c.e.FailingSince.IsZero() {
		reached = shareOf(c.Ended.Sub(c.e.FailingSince))
	}
	if err := c.fail(reached); err != nil {
		return err
	}
	share, paused := c.pause(reached)
	if err := c.tx.SaveEndpoint(c.e); err != nil || !paused {
		return err
	}
	return c.raise(AlertPaused, share, map[string]any{"reason": c.e.PausedReason}, true) // it seals the endpoint as it is stored
}

// giveUp raises the alert about a delivery that was given up. The first one while an endpoint keeps failing is mailed.
func (c *completion) giveUp() error {
	if err := c.raise(AlertGivenUp, nil, nil, !c.e.MailedGivenUp); err != nil {
		return err
	}
	c.e.MailedGivenUp = true
	return nil
}

// fail raises the alerts of the shares that are reached for the first time while the endpoint keeps failing.
func (c *completion) fail(reached int) error {
	if IsAlert(c.Delivery.EventType) {
		return nil
	}
	for i := range shares {
		if shares[i] <= c.e.FailingShare || shares[i] > reached {
			continue
		}
		if err := c.raise(AlertFailing, &shares[i], map[string]any{"share": shares[i]}, shares[i] < 100); err != nil {
			return err
		}
		c.e.FailingShare = shares[i]
	}
	return nil
}

// pause pauses an endpoint whose receiver wants nothing more, or that has failed for too long. It returns the share if that is the
// reason.
func (c *completion) pause(reached int) (share *int, paused bool) {
	switch {
	case !c.e.Active:
		return nil, false
	case c.Gone:
		c.e.PausedReason = "the receiver answered 410 Gone"
	case reached == 100:
		c.e.PausedReason, share = "nothing but failures for five days", &reached
	default:
		return nil, false
	}
	c.e.Active, c.e.UpdatedAt = false, c.tx.Now()
	return share, true
}

// raise records an alert with its own data, and notifies the other endpoints and the OWNERs. An alert that cannot be delivered
// is recorded alone, so that alerts never follow from alerts.
func (c *completion) raise(eventType string, share *int, data map[string]any, mailed bool) error {
	event := audit.Event{ID: c.ids.UUID(), Hub: hub, Type: eventType, ResourceType: kind, ResourceID: c.e.ID}
	alert := Alert{EndpointID: c.e.ID, Share: share, EventID: &c.Delivery.EventID}
	if c.Delivery.HTTPStatus != 0 {
		alert.HTTPStatus = &c.Delivery.HTTPStatus
	}
	if data == nil {
		data = map[string]any{"eventId": c.Delivery.EventID, "deliveryId": c.Delivery.ID}
	}
	var err error
	if event.Data, err = json.Marshal(data); err != nil {
		return err
	}
	event = audit.By(tenant.Call{Principal: tenant.System(c.Org)}, event)
	if IsAlert(c.Delivery.EventType) {
		return c.tx.Record(event)
	}
	err = notifyOthers(c.tx, c.ids, event, alert)
	if err != nil || !mailed || c.mail == nil {
		return err
	}
	return c.mail(c.tx, c.message(eventType, share))
}

// notifyOthers records an event about an endpoint, and notifies the other endpoints.
func notifyOthers(tx AlertTx, ids *ident.Source, event audit.Event, alert Alert) error {
	object, err := json.Marshal(alert)
	if err != nil {
		return err
	}
	n, err := notifier{tx, ids.UUID, &filing.Change{Event: event}, func() []byte { return object }}.notify(alert.EndpointID)
	if err != nil {
		return err
	}
	return tx.RecordNotified(event, n)
}

// message returns what the OWNERs are mailed.
func (c *completion) message(eventType string, share *int) accounts.EndpointAlert {
	m := accounts.EndpointAlert{EndpointID: c.e.ID, URL: c.e.URL, EventID: c.Delivery.EventID, Answer: c.Delivery.Error}
	switch eventType {
	case AlertPaused:
		m.What = "is paused: " + c.e.PausedReason
	case AlertGivenUp:
		m.What = "has not accepted an event, which is given up"
	default:
		m.What = fmt.Sprintf("has failed for %d %% of the five days after which it is paused", *share)
	}
	return m
}
