package store

import (
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// ofEndpoints is the condition that deliveries are of an endpoint, or of any of the organisation. It lets the log's index find them.
func ofEndpoints(endpointID string, args *parameters) string {
	if endpointID == "" {
		return "d.endpoint_id IN (SELECT e.id FROM endpoints e WHERE e.org_id = $1)"
	}
	return "d.endpoint_id = " + args.add(endpointID)
}

// Measure reads the deliveries of a period and endpoint, of all types, in no order.
func (t *Tx) Measure(q webhook.MetricsQuery, limit int, each func(*webhook.Measured) error) error {
	var args parameters
	where := "d.org_id = $1 AND " + ofEndpoints(q.EndpointID, &args) +
		" AND d.created_at >= " + args.add(instant(q.From)) + " AND d.created_at < " + args.add(instant(q.To))
	query := "SELECT d.endpoint_id, d.notice_id, d.event_type, d.status, d.attempts, d.http_status, d.created_at, d.delivered_at, " +
		"CASE WHEN d.attempts > 1 THEN d.failures ELSE '' END FROM deliveries d WHERE " + where + " LIMIT " + args.add(limit) + computed
	return t.rows(query, args, func(r engine.Row) error {
		var m webhook.Measured
		err := r.Scan(&m.EndpointID, &m.EventID, &m.EventType, &m.Status, &m.Attempts, &m.HTTPStatus, (*instant)(&m.CreatedAt), (*instant)(&m.DeliveredAt), &m.Failures)
		if err != nil {
			return err
		}
		return each(&m)
	})
}

// WaitingDeliveries counts PENDING deliveries among at most limit of them.
func (t *Tx) WaitingDeliveries(endpointID, eventType string, limit int) (w webhook.Waiting, err error) {
	var args parameters
	waiting := "SELECT d.created_at, d.event_type FROM deliveries d WHERE d.org_id = $1 AND " + ofEndpoints(endpointID, &args) +
		" AND d.status = 'PENDING' LIMIT " + args.add(limit) + computed
	query := "SELECT count(*), min(w.created_at) FROM (" + waiting + ") AS w"
	if eventType != "" {
		query += " WHERE w.event_type = " + args.add(eventType)
	}
	_, err = t.row(query, args, &w.Number, (*instant)(&w.Oldest))
	return w, wrapError("waiting deliveries", err)
}
