package store

import (
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// ofEndpoints is the condition that deliveries are of an endpoint, or of any of the organisation. It lets the log's index find them.
func ofEndpoints(endpointID string, args *parameters) string {
	if endpointID == "" {
		return "d.endpoint_id IN (SELECT e.id FROM endpoints e WHERE e.org_id = $1)"
	}
	return "d.endpoint_id = " + args.add(endpointID)
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
