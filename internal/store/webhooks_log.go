package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// statusConditions are the conditions of the statuses, written like those of the indexes.
var statusConditions = map[webhook.Status]string{
	webhook.Pending: "status = 'PENDING'", webhook.Delivered: "status = 'DELIVERED'", webhook.Failed: "status = 'FAILED'",
}

// Deliveries reads a page of an endpoint's log, newest first.
func (t *Tx) Deliveries(q webhook.LogQuery) (page []webhook.Delivery, err error) {
	where, args := logConditions(q)
	where += searchConditions(q, &args) + placeConditions(q, &args)
	query := "SELECT " + deliveryColumns + " FROM deliveries WHERE " + where + newestDeliveries + args.add(q.Limit) + computed
	err = t.rows(query, args, func(r engine.Row) error {
		d, err := scanDelivery(r)
		page = append(page, d)
		return err
	})
	return page, err
}

const newestDeliveries = " ORDER BY created_at DESC, id DESC LIMIT "

// LogPosition returns the position of the nth delivery of a log, of which only the endpoint, the period and an indexed status count.
func (t *Tx) LogPosition(q webhook.LogQuery, nth int) (p webhook.Position, err error) {
	if q.Status != webhook.Failed {
		q.Status = ""
	}
	where, args := logConditions(q)
	query := "SELECT created_at, id FROM deliveries WHERE " + where + placeConditions(q, &args) + newestDeliveries + "1 OFFSET " + args.add(nth-1) + computed
	_, err = t.row(query, args, (*instant)(&p.CreatedAt), &p.ID)
	return p, wrapError("position in a log", err)
}

// logConditions returns the conditions of a log on endpoint, status and period.
func logConditions(q webhook.LogQuery) (where string, args parameters) {
	where = "org_id = $1 AND endpoint_id = " + args.add(q.EndpointID)
	if condition, known := statusConditions[q.Status]; known {
		where += " AND " + condition
	}
	if !q.From.IsZero() {
		where += " AND created_at >= " + args.add(instant(q.From))
	}
	if !q.To.IsZero() {
		where += " AND created_at <= " + args.add(instant(q.To))
	}
	return where, args
}

// placeConditions returns the conditions on the place in a log.
func placeConditions(q webhook.LogQuery, args *parameters) (where string) {
	if q.Before.ID != "" {
		where += " AND (created_at, id) < (" + args.add(instant(q.Before.CreatedAt)) + ", " + args.add(q.Before.ID) + ")"
	}
	if q.Through.ID != "" {
		where += " AND (created_at, id) >= (" + args.add(instant(q.Through.CreatedAt)) + ", " + args.add(q.Through.ID) + ")"
	}
	return where
}

// searchConditions returns the conditions of a log that have no index.
func searchConditions(q webhook.LogQuery, args *parameters) (where string) {
	if q.EventType != "" {
		where += " AND event_type = " + args.add(q.EventType)
	}
	if q.ResourceID != "" {
		where += " AND resource_id = " + args.add(q.ResourceID)
	}
	if q.Text != "" {
		like := ` LIKE lower(CAST(` + args.add("%"+likeEscaper.Replace(q.Text)+"%") + ` AS TEXT)) ESCAPE '\' THEN 1 `
		where += " AND CASE WHEN lower(error)" + like + "WHEN lower(response)" + like + "ELSE 0 END = 1"
	}
	return where
}

// CountDeliveries counts the deliveries of a log among the newest of its endpoint, status and period, at most `among` of them, and
// reports whether there are more of these.
func (t *Tx) CountDeliveries(q webhook.LogQuery, among int) (n int, more bool, err error) {
	where, args := logConditions(q)
	matches := "1 = 1" + searchConditions(q, &args)
	query := "SELECT CASE WHEN " + matches + " THEN 1 ELSE 0 END FROM deliveries WHERE " + where + newestDeliveries + args.add(among+1) + computed
	read := 0
	err = t.rows(query, args, func(r engine.Row) error {
		var one int
		err := r.Scan(&one)
		if read++; read > among {
			more = true
		} else {
			n += one
		}
		return err
	})
	return n, more, wrapError("count deliveries", err)
}

// LatestDeliveries reads the newest delivery of each endpoint.
func (t *Tx) LatestDeliveries() (map[string]webhook.Delivery, error) {
	return t.oneOfEach("ORDER BY l.created_at DESC, l.id DESC")
}

// LatestFailures reads, for each endpoint, the newest delivery that was given up, and one that is tried again.
func (t *Tx) LatestFailures() (givenUp, retried map[string]webhook.Delivery, err error) {
	if givenUp, err = t.oneOfEach("AND l.status = 'FAILED' ORDER BY l.created_at DESC, l.id DESC"); err != nil {
		return nil, nil, err
	}
	retried, err = t.oneOfEach("AND l.status = 'PENDING' AND l.attempts > 0")
	return givenUp, retried, err
}

// oneOfEach reads the first delivery of each endpoint with a condition and an order.
func (t *Tx) oneOfEach(which string) (map[string]webhook.Delivery, error) {
	latest := map[string]webhook.Delivery{}
	err := t.rows("SELECT "+deliveryColumns+" FROM deliveries WHERE org_id = $1 AND id IN (SELECT (SELECT l.id FROM deliveries l "+
		"WHERE l.org_id = $1 AND l.endpoint_id = e.id "+which+" LIMIT 1) FROM endpoints e WHERE e.org_id = $1)", nil,
		func(r engine.Row) error {
			d, err := scanDelivery(r)
			latest[d.EndpointID] = d
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("store: latest deliveries: %w", err)
	}
	return latest, nil
}

// DeliveryAttempts reads every attempt of a delivery, oldest first.
func (t *Tx) DeliveryAttempts(endpointID, id string) ([]webhook.Attempt, error) {
	d, err := t.Delivery(endpointID, id)
	if err != nil {
		return nil, err
	}
	var failures string
	if _, err := t.row("SELECT failures FROM deliveries WHERE org_id = $1 AND id = $2", []any{id}, &failures); err != nil {
		return nil, fmt.Errorf("store: attempts of a delivery: %w", err)
	}
	return webhook.AttemptsOf(&d, failures), nil
}

// DeliveryCounts counts the deliveries of an endpoint that wait or have failed.
func (t *Tx) DeliveryCounts(endpointID string) (n webhook.DeliveryCounts, err error) {
	const few = "(SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE org_id = $1 AND endpoint_id = $2 AND %s LIMIT $3" + computed + ") AS few)"
	_, err = t.row("SELECT "+fmt.Sprintf(few, "status = 'PENDING'")+", "+fmt.Sprintf(few, "status = 'PENDING' AND attempts > 0")+", "+
		fmt.Sprintf(few, "status = 'FAILED'"), []any{endpointID, webhook.MaxCount}, &n.Waiting, &n.Retrying, &n.Failed)
	if err != nil {
		return n, fmt.Errorf("store: tally: %w", err)
	}
	return n, nil
}

// The deliveries that a recovery applies to: given up, or waiting for their next attempt.
const (
	givenUp = "d.status = 'FAILED'"
	putOff  = "d.status = 'PENDING' AND d.attempts > 0 AND d.due_at > $4"
)

// RecoverDeliveries makes failed deliveries of an endpoint due, and returns the ids of their events.
func (t *Tx) RecoverDeliveries(endpointID string, since time.Time, limit int) (events []string, err error) {
	for _, state := range []string{givenUp, putOff} {
		err := t.rows("UPDATE deliveries SET status = 'PENDING', due_at = $4 WHERE org_id = $1 AND id IN ("+
			"SELECT d.id FROM deliveries d WHERE d.org_id = $1 AND d.endpoint_id = $2 AND d.created_at >= $3 AND d.cause = 'event' AND "+state+
			" AND NOT EXISTS (SELECT 1 FROM deliveries r WHERE r.org_id = $1 AND r.original_id = d.id AND r.status = 'DELIVERED') LIMIT $5"+computed+") RETURNING notice_id",
			[]any{endpointID, instant(since), instant(t.now), limit - len(events)}, func(r engine.Row) error {
				var id string
				err := r.Scan(&id)
				events = append(events, id)
				return err
			})
		if err != nil {
			return nil, fmt.Errorf("store: recover deliveries: %w", err)
		}
	}
	if len(events) > 0 {
		t.wakeups = append(t.wakeups, webhook.Wakeup{Ref: webhook.Ref{Org: t.org, EndpointID: endpointID}, Earlier: true})
	}
	return events, nil
}

// clearStep is the number of deliveries of a deleted endpoint that one transaction deletes.
const clearStep = 2000

// ClearLog deletes some of the deliveries of a deleted endpoint, and with the last of them its numbers.
func (s *Store) ClearLog(ctx context.Context, org tenant.ID, endpointID string) (more bool, err error) {
	err = s.Update(ctx, org, func(t *Tx) error {
		n, err := t.exec("DELETE FROM deliveries WHERE org_id = $1 AND id IN "+
			"(SELECT id FROM deliveries WHERE org_id = $1 AND endpoint_id = $2 LIMIT $3"+computed+")", endpointID, clearStep)
		if err == nil && n < clearStep {
			n, err = t.exec("DELETE FROM delivery_numbers WHERE org_id = $1 AND endpoint_id = $2 AND at IN "+
				"(SELECT n.at FROM delivery_numbers n WHERE n.org_id = $1 AND n.endpoint_id = $2 LIMIT $3"+computed+")", endpointID, clearStep)
		}
		more = n >= clearStep
		return err
	})
	return more, err
}
