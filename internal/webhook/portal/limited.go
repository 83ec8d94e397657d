package portal

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/numbers"
)

// Limited has the methods of a transaction that reach endpoints and their deliveries, for the holder of a link: an endpoint that
// the link does not cover does not exist. Events that it records name the link.
type Limited struct {
	tx   webhook.Tx
	link *Link
}

// Limit limits a transaction to what a link covers.
func Limit(tx webhook.Tx, link *Link) Limited { return Limited{tx, link} }

func (v Limited) check(endpointID string) error {
	if !v.link.Covers(endpointID) {
		return apierr.Missing()
	}
	return nil
}

// Endpoints lists the endpoints of the link.
func (v Limited) Endpoints() (covered []webhook.Endpoint, err error) {
	all, err := v.tx.Endpoints()
	for _, e := range all {
		if v.link.Covers(e.ID) {
			covered = append(covered, e)
		}
	}
	return covered, err
}

// Endpoint reads an endpoint of the link.
func (v Limited) Endpoint(id string) (webhook.Endpoint, error) {
	if err := v.check(id); err != nil {
		return webhook.Endpoint{}, err
	}
	return v.tx.Endpoint(id)
}

// Deliveries reads a page of the log of an endpoint of the link.
func (v Limited) Deliveries(q webhook.LogQuery) ([]webhook.Delivery, error) {
	if err := v.check(q.EndpointID); err != nil {
		return nil, err
	}
	return v.tx.Deliveries(q)
}

// LogPosition returns a position in the log of an endpoint of the link.
func (v Limited) LogPosition(q webhook.LogQuery, nth int) (webhook.Position, error) {
	if err := v.check(q.EndpointID); err != nil {
		return webhook.Position{}, err
	}
	return v.tx.LogPosition(q, nth)
}

// Delivery reads a delivery to an endpoint of the link.
func (v Limited) Delivery(endpointID, id string) (webhook.Delivery, error) {
	if err := v.check(endpointID); err != nil {
		return webhook.Delivery{}, err
	}
	return v.tx.Delivery(endpointID, id)
}

// DeliveryByID reads a delivery to any endpoint of the link.
func (v Limited) DeliveryByID(id string) (webhook.Delivery, error) {
	d, err := v.tx.DeliveryByID(id)
	if err == nil {
		err = v.check(d.EndpointID)
	}
	if err != nil {
		return webhook.Delivery{}, err
	}
	return d, nil
}

// DeliveryAttempts reads the attempts of a delivery to an endpoint of the link.
func (v Limited) DeliveryAttempts(endpointID, id string) ([]webhook.Attempt, error) {
	if err := v.check(endpointID); err != nil {
		return nil, err
	}
	return v.tx.DeliveryAttempts(endpointID, id)
}

// LatestDeliveries reads the newest delivery of each endpoint of the link.
func (v Limited) LatestDeliveries() (map[string]webhook.Delivery, error) {
	latest, err := v.tx.LatestDeliveries()
	v.drop(latest)
	return latest, err
}

// LatestFailures reads failures of the endpoints of the link.
func (v Limited) LatestFailures() (givenUp, retried map[string]webhook.Delivery, err error) {
	givenUp, retried, err = v.tx.LatestFailures()
	v.drop(givenUp)
	v.drop(retried)
	return givenUp, retried, err
}

func (v Limited) drop(byEndpoint map[string]webhook.Delivery) {
	maps.DeleteFunc(byEndpoint, func(id string, _ webhook.Delivery) bool { return !v.link.Covers(id) })
}

// DeliveryCounts counts deliveries to an endpoint of the link.
func (v Limited) DeliveryCounts(endpointID string) (webhook.DeliveryCounts, error) {
	if err := v.check(endpointID); err != nil {
		return webhook.DeliveryCounts{}, err
	}
	return v.tx.DeliveryCounts(endpointID)
}

// CountDeliveries counts deliveries to an endpoint of the link.
func (v Limited) CountDeliveries(q webhook.LogQuery, among int) (n int, more bool, err error) {
	if err := v.check(q.EndpointID); err != nil {
		return 0, false, err
	}
	return v.tx.CountDeliveries(q, among)
}

// DeliveryNumbers reads the numbers of an endpoint of the link; there are none of several endpoints.
func (v Limited) DeliveryNumbers(q webhook.NumbersQuery, each func(numbers.Place, numbers.Slots) error) error {
	if err := v.checkOne(q.EndpointID); err != nil {
		return err
	}
	if q.EachEndpoint {
		return apierr.Missing()
	}
	return v.tx.DeliveryNumbers(q, each)
}

// DeliveryChanges refuses: they are those of all endpoints.
func (v Limited) DeliveryChanges(int) (numbers.Changes, []string, error) {
	return nil, nil, apierr.Missing()
}

// WaitingDeliveries counts what waits for an endpoint of the link.
func (v Limited) WaitingDeliveries(endpointID, eventType string, limit int) (webhook.Waiting, error) {
	if err := v.checkOne(endpointID); err != nil {
		return webhook.Waiting{}, err
	}
	return v.tx.WaitingDeliveries(endpointID, eventType, limit)
}

// checkOne is check for methods that take an empty ID for all endpoints.
func (v Limited) checkOne(endpointID string) error {
	if endpointID == "" {
		return apierr.Missing()
	}
	return v.check(endpointID)
}

// SaveEndpoint stores an endpoint of the link.
func (v Limited) SaveEndpoint(e webhook.Endpoint) error {
	if err := v.check(e.ID); err != nil {
		return err
	}
	return v.tx.SaveEndpoint(e)
}

// AddEndpoint refuses: a link makes no endpoints.
func (v Limited) AddEndpoint(webhook.Endpoint) error { return apierr.Missing() }

// RemoveEndpoint refuses: a link deletes no endpoints.
func (v Limited) RemoveEndpoint(string) error { return apierr.Missing() }

// AddDelivery stores a delivery to an endpoint of the link.
func (v Limited) AddDelivery(d webhook.Delivery) error {
	if err := v.check(d.EndpointID); err != nil {
		return err
	}
	return v.tx.AddDelivery(d)
}

// RecoverDeliveries makes failed deliveries to an endpoint of the link due.
func (v Limited) RecoverDeliveries(endpointID string, since time.Time, limit int) (events []string, err error) {
	if err := v.check(endpointID); err != nil {
		return nil, err
	}
	return v.tx.RecoverDeliveries(endpointID, since, limit)
}

// Record records an event, and adds the link to its data.
func (v Limited) Record(e audit.Event) error {
	data := map[string]json.RawMessage{}
	if e.Data != nil {
		if err := json.Unmarshal(e.Data, &data); err != nil {
			return err
		}
	}
	data[linkIDMember], _ = json.Marshal(v.link.ID)
	var err error
	if e.Data, err = json.Marshal(data); err != nil {
		return err
	}
	return v.tx.Record(e)
}
