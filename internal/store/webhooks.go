package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

const (
	endpointColumns = "id, url, description, events, active, paused_reason, secret, secret_hint, former_secret, former_until, failing_since, created_at, updated_at, filter, version, options, mtls, oauth, failing_share, mailed_given_up, kind, config, credentials"
	deliveryColumns = "id, endpoint_id, notice_id, event_type, resource_id, sequence, cause, original_id, status, attempts, due_at, " +
		"http_status, duration_ms, error, response, created_at, delivered_at, attempted_at, answer_headers"
	waitingColumns = "d.id, d.notice_id, d.event_type, d.resource_id, d.sequence, d.cause, d.attempts, d.due_at, d.created_at, " +
		"COALESCE(d.trace, ''), n.body, COALESCE(d.counted, -1) < d.attempts" // without what the next attempt replaces
)

// Endpoints lists the organisation's endpoints, oldest first.
func (t *Tx) Endpoints() ([]webhook.Endpoint, error) {
	return t.endpoints("SELECT " + endpointColumns + " FROM endpoints WHERE org_id = $1 ORDER BY created_at, id")
}

// Endpoint reads an endpoint.
func (t *Tx) Endpoint(id string) (webhook.Endpoint, error) {
	found, err := t.endpoints("SELECT "+endpointColumns+" FROM endpoints WHERE org_id = $1 AND id = $2", id)
	if err == nil && len(found) == 0 {
		err = apierr.Missing()
	}
	if err != nil {
		return webhook.Endpoint{}, err
	}
	return found[0], nil
}

func (t *Tx) endpoints(query string, args ...any) (all []webhook.Endpoint, err error) {
	err = t.rows(query, args, func(r engine.Row) error {
		e, err := scanEndpoint(r)
		all = append(all, e)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: endpoints: %w", err)
	}
	return all, nil
}

func scanEndpoint(r engine.Row) (e webhook.Endpoint, err error) {
	var events string
	var filter, options, mtls, oauth, config, credentials sql.NullString
	err = r.Scan(&e.ID, &e.URL, &e.Description, &events, &e.Active, &e.PausedReason, &e.Secret, &e.SecretHint, &e.FormerSecret,
		(*instant)(&e.FormerUntil), (*instant)(&e.FailingSince), (*instant)(&e.CreatedAt), (*instant)(&e.UpdatedAt), &filter, &e.Version, &options, &mtls, &oauth, &e.FailingShare, &e.MailedGivenUp,
		&e.Kind, &config, &credentials)
	e.MTLS, e.OAuth, e.Broker = webhook.Sealed(mtls.String), webhook.Sealed(oauth.String), webhook.Sealed(credentials.String)
	if err == nil && filter.Valid {
		err = json.Unmarshal([]byte(filter.String), &e.Filter)
	}
	if err == nil && options.Valid {
		err = json.Unmarshal([]byte(options.String), &e.Options)
	}
	if err == nil && config.Valid {
		err = json.Unmarshal([]byte(config.String), &e.Config)
	}
	if err != nil {
		return e, err
	}
	return e, json.Unmarshal([]byte(events), &e.Events)
}

// AddEndpoint stores a new endpoint.
func (t *Tx) AddEndpoint(e webhook.Endpoint) error {
	events, err := json.Marshal(e.Events)
	if err != nil {
		return err
	}
	filter, options, config, err := optionColumns(&e)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO endpoints (org_id, "+endpointColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)",
		e.ID, e.URL, textOf(e.Description), string(events), e.Active, e.PausedReason, string(e.Secret), e.SecretHint, string(e.FormerSecret),
		instant(e.FormerUntil), instant(e.FailingSince), instant(e.CreatedAt), instant(e.UpdatedAt), filter, e.Version,
		options, nullable(string(e.MTLS)), nullable(string(e.OAuth)), e.FailingShare, e.MailedGivenUp,
		cmp.Or(e.Kind, webhook.Webhook), config, nullable(string(e.Broker)))
	if err != nil {
		return fmt.Errorf("store: add endpoint: %w", err)
	}
	t.changed(e.ID)
	return nil
}

// SaveEndpoint stores a changed endpoint as its next version.
func (t *Tx) SaveEndpoint(e webhook.Endpoint) error {
	events, err := json.Marshal(e.Events)
	if err != nil {
		return err
	}
	filter, options, config, err := optionColumns(&e)
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE endpoints SET url = $3, description = $4, events = $5, active = $6, paused_reason = $7, secret = $8, secret_hint = $9, "+
		"former_secret = $10, former_until = $11, failing_since = $12, updated_at = $13, filter = $14, options = $15, mtls = $16, oauth = $17, failing_share = $18, mailed_given_up = $19, config = $20, credentials = $21, version = version + 1 WHERE org_id = $1 AND id = $2",
		e.ID, e.URL, textOf(e.Description), string(events), e.Active, e.PausedReason, string(e.Secret), e.SecretHint, string(e.FormerSecret),
		instant(e.FormerUntil), instant(e.FailingSince), instant(e.UpdatedAt), filter,
		options, nullable(string(e.MTLS)), nullable(string(e.OAuth)), e.FailingShare, e.MailedGivenUp, config, nullable(string(e.Broker)))
	if err != nil {
		return fmt.Errorf("store: save endpoint: %w", err)
	}
	t.changed(e.ID)
	return nil
}

// optionColumns are the texts of the columns filter, options and config; nil for none.
func optionColumns(e *webhook.Endpoint) (filter, options, config any, err error) {
	if filter, err = jsonOrNull(e.Filter == nil, e.Filter); err != nil {
		return nil, nil, nil, err
	}
	if options, err = jsonOrNull(len(e.Headers) == 0 && e.Retry == nil, e.Options); err != nil {
		return nil, nil, nil, err
	}
	config, err = jsonOrNull(e.Config == destination.Config{}, e.Config)
	return filter, options, config, err
}

func jsonOrNull(none bool, value any) (any, error) {
	if none {
		return nil, nil
	}
	text, err := json.Marshal(value)
	return string(text), err
}

// RemoveEndpoint deletes an endpoint; ClearLog deletes its deliveries.
func (t *Tx) RemoveEndpoint(id string) error {
	if _, err := t.exec("DELETE FROM endpoints WHERE org_id = $1 AND id = $2", id); err != nil {
		return fmt.Errorf("store: remove endpoint: %w", err)
	}
	t.changed(id)
	return nil
}

// changed drops the subscribers that were read, and wakes the dispatcher for the endpoint.
func (t *Tx) changed(id string) {
	h := t.heads[t.org]
	h.subscribers = nil
	t.heads[t.org] = h
	t.wakeups = append(t.wakeups, webhook.Wakeup{Ref: webhook.Ref{Org: t.org, EndpointID: id}, Changed: true})
}

func textOf(text *string) any {
	if text == nil {
		return nil
	}
	return *text
}

// AddNotice stores a notice to be delivered.
func (t *Tx) AddNotice(n webhook.Notice) error {
	err := t.execDeferred("INSERT INTO notices (org_id, id, type, resource_id, created_at, body, counted) VALUES ($1, $2, $3, $4, $5, $6, TRUE)",
		n.ID, n.Type, n.ResourceID, instant(n.CreatedAt), n.Body)
	if err != nil {
		return fmt.Errorf("store: add notice: %w", err)
	}
	t.count(t.org, "", n.Type, n.CreatedAt).AddEvents(1)
	return nil
}

// Notice reads a notice.
func (t *Tx) Notice(id string) (n webhook.Notice, err error) {
	found, err := t.row("SELECT id, type, resource_id, created_at, body FROM notices WHERE org_id = $1 AND id = $2", []any{id},
		&n.ID, &n.Type, &n.ResourceID, (*instant)(&n.CreatedAt), &n.Body)
	if err == nil && !found {
		err = apierr.Missing()
	}
	return n, err
}

// AddDelivery stores a new delivery.
func (t *Tx) AddDelivery(d webhook.Delivery) error {
	err := t.execDeferred("INSERT INTO deliveries (org_id, id, endpoint_id, notice_id, event_type, resource_id, sequence, cause, original_id, status, attempts, due_at, "+
		"http_status, duration_ms, error, response, created_at, trace, counted) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, 0, '', '', $13, $14, $11)",
		d.ID, d.EndpointID, d.EventID, d.EventType, d.ResourceID, d.Sequence, string(d.Cause), nullable(d.OriginalID), string(d.Status), d.Attempts,
		instant(d.DueAt), instant(d.CreatedAt), nullable(t.trace))
	if err != nil {
		return fmt.Errorf("store: add delivery: %w", err)
	}
	if d.Cause != webhook.ByResend {
		t.count(t.org, d.EndpointID, d.EventType, d.CreatedAt).AddEvents(1)
	}
	return nil
}

// Delivery reads a delivery of an endpoint.
func (t *Tx) Delivery(endpointID, id string) (d webhook.Delivery, err error) {
	err = apierr.Missing()
	if failed := t.rows("SELECT "+deliveryColumns+" FROM deliveries WHERE org_id = $1 AND id = $2 AND endpoint_id = $3", []any{id, endpointID},
		func(r engine.Row) error {
			d, err = scanDelivery(r)
			return err
		}); failed != nil {
		return d, failed
	}
	return d, err
}

// DeliveryByID reads a delivery of any endpoint of the organisation.
func (t *Tx) DeliveryByID(id string) (webhook.Delivery, error) {
	var endpointID string
	found, err := t.row("SELECT endpoint_id FROM deliveries WHERE org_id = $1 AND id = $2", []any{id}, &endpointID)
	if err == nil && !found {
		err = apierr.Missing()
	}
	if err != nil {
		return webhook.Delivery{}, err
	}
	return t.Delivery(endpointID, id)
}

func scanDelivery(r engine.Row) (d webhook.Delivery, err error) {
	var ms int64
	var original sql.NullString
	err = r.Scan(&d.ID, &d.EndpointID, &d.EventID, &d.EventType, &d.ResourceID, &d.Sequence, &d.Cause, &original, &d.Status, &d.Attempts,
		(*instant)(&d.DueAt), &d.HTTPStatus, &ms, &d.Error, &d.Response, (*instant)(&d.CreatedAt), (*instant)(&d.DeliveredAt),
		(*instant)(&d.AttemptedAt), &d.Headers)
	d.Duration, d.OriginalID = time.Duration(ms)*time.Millisecond, original.String
	return d, err
}

// completeDelivery stores the result of an attempt, unless another instance has stored the same
// attempt before. It does not filter by the status, because PostgreSQL would then scan all due
// deliveries.
const completeDelivery = "UPDATE deliveries SET status = $4, attempts = $5, due_at = $6, http_status = $7, duration_ms = $8, error = $9, response = $10, delivered_at = $11, " +
	"attempted_at = $12, answer_headers = $13, failures = failures || $14, counted = CASE WHEN $15 THEN counted ELSE $5 END " +
	"WHERE org_id = $1 AND id = $2 AND attempts = $3 AND created_at = $16"

func completionArgs(d *webhook.Delivery) []any {
	return []any{
		d.ID, d.Attempts - 1, string(d.Status), d.Attempts, instant(d.DueAt), d.HTTPStatus, d.Duration.Milliseconds(),
		storable(d.Error), storable(d.Response), instant(d.DeliveredAt),
		instant(d.AttemptedAt), storable(d.Headers), storable(d.Failure()), d.Uncounted, instant(d.CreatedAt),
	}
}

// CompleteDelivery stores the result of an attempt.
func (t *Tx) CompleteDelivery(d webhook.Delivery) error {
	if err := t.execDeferred(completeDelivery, completionArgs(&d)...); err != nil {
		return fmt.Errorf("store: complete delivery: %w", err)
	}
	t.countAttempt(t.org, &d)
	return nil
}

// CompleteOnce stores the result of an attempt, and reports false if the result of the attempt was stored before.
func (t *Tx) CompleteOnce(d webhook.Delivery) (bool, error) {
	n, err := t.exec(completeDelivery, completionArgs(&d)...)
	if err != nil {
		return false, fmt.Errorf("store: complete delivery: %w", err)
	}
	if n == 1 {
		t.countAttempt(t.org, &d)
	}
	return n == 1, nil
}

// RecordNotified records an event that changes no record, and stores its notification.
func (t *Tx) RecordNotified(e audit.Event, n filing.Notification) error {
	if err := t.record(&e); err != nil {
		return err
	}
	return t.addDeliveries(&filing.Change{Event: e, Notification: n})
}
