package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// head is what a transaction has read of an organisation: the newest event of its chain, and the
// webhook subscribers.
type head struct {
	read        bool
	sequence    int64
	hash        string
	occurredAt  time.Time
	subscribers []filing.Subscriber // nil until they are read
}

const eventColumns = "sequence, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, " +
	"actor_user_id, actor_type, key_id, request_id, ip_address, data, hash, previous_hash, personal"

// Record appends an event to the organisation's chain.
func (t *Tx) Record(e audit.Event) error { return t.record(&e) }

func (t *Tx) record(e *audit.Event) error {
	last, err := t.head()
	if err != nil {
		return err
	}
	e.OccurredAt = t.eventTime(&last)
	if err := t.sealSetting(e); err != nil {
		return err
	}
	if err := e.Hide(t.random); err != nil {
		return err
	}
	e.Seal(t.org, last.sequence, last.hash)
	err = t.execDeferred("INSERT INTO events (org_id, "+eventColumns+") "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)",
		e.Sequence, e.ID, instant(e.OccurredAt), e.Hub, e.Type, e.ResourceType, e.ResourceID, e.FromStatus, e.ToStatus,
		e.ActorUserID, string(e.ActorType), e.KeyID, e.RequestID, e.IPAddress, string(e.Data), e.Hash, e.PreviousHash, string(e.AppendPersonal(nil)))
	if err != nil {
		return fmt.Errorf("store: record event: %w", err)
	}
	last.sequence, last.hash, last.occurredAt = e.Sequence, e.Hash, e.OccurredAt
	t.heads[t.org] = last
	t.changes = append(t.changes, sse.Change{Org: t.org, Resource: e.ResourceID, Sequence: e.Sequence})
	return nil
}

// NextEventTime returns the time that the next recorded event of the organisation gets.
func (t *Tx) NextEventTime() (time.Time, error) {
	last, err := t.head()
	return t.eventTime(&last), err
}

// eventTime is the time of the event after the last one: never before it, even if the clocks
// of instances differ.
func (t *Tx) eventTime(last *head) time.Time {
	if last.occurredAt.After(t.now) {
		return last.occurredAt
	}
	return t.now
}

// head reads the end of the chain, once for each organisation and transaction: no other
// transaction appends to it while this one is open.
func (t *Tx) head() (head, error) {
	h := t.heads[t.org]
	if h.read {
		return h, nil
	}
	_, err := t.row("SELECT sequence, hash, occurred_at FROM events WHERE org_id = $1 ORDER BY sequence DESC LIMIT 1", nil,
		&h.sequence, &h.hash, (*instant)(&h.occurredAt))
	if err != nil {
		return h, fmt.Errorf("store: end of the trail: %w", err)
	}
	h.read = true
	t.heads[t.org] = h
	return h, nil
}

// EachEvent calls fn for every event of the trail, oldest first.
func (t *Tx) EachEvent(fn func(audit.Event) error) error { return t.eventsAfter(0, math.MaxInt32, fn) }

// EventsAfter reads a page of the trail, oldest first.
func (t *Tx) EventsAfter(sequence int64, limit int) (part []audit.Event, err error) {
	err = t.eventsAfter(sequence, limit, func(e audit.Event) error { part = append(part, e); return nil })
	return part, err
}

func (t *Tx) eventsAfter(sequence int64, limit int, fn func(audit.Event) error) error {
	return t.rows("SELECT "+eventColumns+" FROM events WHERE org_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3"+computed,
		[]any{sequence, limit}, func(r engine.Row) error {
			e, err := scanEvent(r)
			if err != nil {
				return err
			}
			return fn(e)
		})
}

func scanEvent(r engine.Row) (e audit.Event, err error) {
	var data, personal string
	err = r.Scan(&e.Sequence, &e.ID, (*storedEventTime)(&e.OccurredAt), &e.Hub, &e.Type, &e.ResourceType, &e.ResourceID, &e.FromStatus, &e.ToStatus,
		&e.ActorUserID, &e.ActorType, &e.KeyID, &e.RequestID, &e.IPAddress, &data, &e.Hash, &e.PreviousHash, &personal)
	e.ReadPersonal(personal)
	if data != "" {
		e.Data = []byte(data)
	}
	return e, err
}

// storedEventTime is the time of an event. A value that the store would not have written becomes the
// zero time, so that verification finds the event changed.
type storedEventTime time.Time

// Scan reads the value of either database.
func (w *storedEventTime) Scan(src any) error {
	var at instant
	if err := at.Scan(src); err != nil {
		at = instant{}
	}
	if text, ok := src.(string); ok && text != audit.Instant(time.Time(at)) {
		at = instant{}
	}
	*w = storedEventTime(at)
	return nil
}

// EventsSince reads a page of an organisation's trail, oldest first.
func (s *Store) EventsSince(ctx context.Context, org tenant.ID, sequence int64, limit int) (part []audit.Event, err error) {
	err = s.View(ctx, org, func(t *Tx) error {
		part, err = t.EventsAfter(sequence, limit)
		return err
	})
	return part, err
}
