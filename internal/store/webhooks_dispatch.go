package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// addDeliveries stores the notification of a change. Its deliveries are ordered by the
// sequence of the event, so the event is recorded first.
func (t *Tx) addDeliveries(c *filing.Change) error {
	if len(c.Notification.Deliveries) == 0 {
		return nil
	}
	e, n := &c.Event, &c.Notification
	err := t.AddNotice(webhook.Notice{ID: n.ID, Type: e.Type, ResourceID: e.ResourceID, Body: n.Body, CreatedAt: e.OccurredAt})
	if err != nil {
		return err
	}
	due := t.dueAt(e)
	for _, d := range n.Deliveries {
		if err := t.AddDelivery(webhook.Delivery{
			ID: d.ID, EndpointID: d.EndpointID, EventID: n.ID, EventType: e.Type, ResourceID: e.ResourceID, Sequence: e.Sequence,
			Cause: webhook.ByEvent, Status: webhook.Pending, DueAt: due, CreatedAt: e.OccurredAt,
		}); err != nil {
			return err
		}
		t.wakeups = append(t.wakeups, webhook.Wakeup{Ref: webhook.Ref{Org: t.org, EndpointID: d.EndpointID}, Earlier: due.Before(e.OccurredAt)})
	}
	return nil
}

// dueAt returns when the first attempt to deliver an event is due. Times of events never go back, unlike the clocks of
// instances, so that deliveries keep the order of events. An event that has the time of a former test clock is due since
// the return to real time.
func (t *Tx) dueAt(e *audit.Event) time.Time {
	if t.heldUntil.IsZero() || e.OccurredAt.After(t.heldUntil) {
		return e.OccurredAt
	}
	return t.heldSince
}

// Subscribers lists the endpoints of the organisation, read once per organisation and commit.
func (t *Tx) Subscribers() ([]filing.Subscriber, error) {
	h := t.heads[t.org]
	if h.subscribers != nil {
		return h.subscribers, nil
	}
	endpoints, err := t.Endpoints()
	if err != nil {
		return nil, err
	}
	h.subscribers = make([]filing.Subscriber, len(endpoints))
	for i := range endpoints {
		h.subscribers[i] = filing.Subscriber{EndpointID: endpoints[i].ID, Events: endpoints[i].Events, Accepts: endpoints[i].Accepts()}
	}
	t.heads[t.org] = h
	return h.subscribers, nil
}

// LeaseEndpoint leases an active endpoint to an instance, or renews its lease.
func (s *Store) LeaseEndpoint(ctx context.Context, r webhook.Ref, holder string, hold time.Duration) (e webhook.Endpoint, held bool, err error) {
	err = s.Update(ctx, r.Org, func(t *Tx) error {
		found, err := t.endpoints("UPDATE endpoints SET holder = $3, held_until = $4 WHERE org_id = $1 AND id = $2 AND active AND "+
			leasable("$3", "$5")+" RETURNING "+endpointColumns,
			r.EndpointID, holder, instant(t.real.Add(hold)), instant(t.real.Add(-s.leaseExtension())))
		if held = len(found) == 1; held {
			e = found[0]
			e.TestClock = t.test.Clock
		}
		return err
	})
	return e, held, err
}

// DueDeliveries reads the due deliveries of an endpoint in order, after a cursor, without the result of their last attempt. It leaves
// out those that wait for the retry of an earlier delivery of their record. It looks for that only if the endpoint has any retry.
func (s *Store) DueDeliveries(ctx context.Context, r webhook.Ref, behind webhook.Cursor, limit int) (due []webhook.DueDelivery, err error) {
	err = s.ViewSingle(ctx, r.Org, func(t *Tx) error {
		place := behind.DueAt
		if place.IsZero() {
			place = longAgo
		}
		return t.rowsByKeys("SELECT "+waitingColumns+" FROM deliveries d JOIN notices n ON n.org_id = d.org_id AND n.id = d.notice_id "+
			"WHERE d.org_id = $1 AND d.endpoint_id = $2 AND d.status = 'PENDING' AND d.due_at <= $3 AND (d.due_at, d.sequence, d.id) > ($4, $5, $6) "+
			"AND CASE WHEN EXISTS (SELECT 1 FROM deliveries f WHERE f.org_id = $1 AND f.endpoint_id = $2 AND f.status = 'PENDING' AND f.attempts > 0) "+
			"THEN d.sequence <= COALESCE((SELECT min(p.sequence) FROM deliveries p WHERE p.org_id = $1 AND p.endpoint_id = $2 AND p.resource_id = d.resource_id "+
			"AND p.status = 'PENDING' AND p.attempts > 0 AND p.attempts <= $7 AND p.cause = 'event'), d.sequence) ELSE TRUE END "+
			"ORDER BY d.due_at, d.sequence, d.id LIMIT $8"+computed,
			[]any{r.EndpointID, instant(t.now), instant(place), behind.Sequence, orNil(behind.ID), webhook.MaxBlockingAttempts, limit}, func(rows engine.Row) error {
				w := webhook.DueDelivery{Delivery: webhook.Delivery{EndpointID: r.EndpointID, Status: webhook.Pending}}
				err := rows.Scan(&w.ID, &w.EventID, &w.EventType, &w.ResourceID, &w.Sequence, &w.Cause, &w.Attempts, (*instant)(&w.DueAt),
					(*instant)(&w.CreatedAt), &w.Trace, &w.Body, &w.Uncounted)
				due = append(due, w)
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("store: due deliveries: %w", err)
	}
	return due, nil
}

// rowsByKeys is rows for a query that reads every table by an index: see ByKeys.
func (t *Tx) rowsByKeys(query string, args []any, scan func(engine.Row) error) error {
	if t.dialect.Name != engine.Postgres {
		return t.rows(query, args, scan)
	}
	checkScope(query)
	return t.db.QueryAll([]engine.Statement{{Query: ByKeys}, {Query: query, Args: t.scoped(args)}}, func(query int, row engine.Row) error {
		if query == 0 {
			return nil
		}
		return scan(row)
	})
}

// longAgo is before everything, and nilID before every id.
var longAgo = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

const nilID = "00000000-0000-0000-0000-000000000000"

func orNil(id string) string {
	if id == "" {
		return nilID
	}
	return id
}

// wakeupQueue collects the endpoints that committed transactions have changed or added deliveries to.
type wakeupQueue struct {
	mu     sync.Mutex
	calls  map[webhook.Ref]webhook.Wakeup
	signal chan struct{}
}

func newWakeupQueue() *wakeupQueue {
	return &wakeupQueue{calls: map[webhook.Ref]webhook.Wakeup{}, signal: make(chan struct{}, 1)}
}

func (b *wakeupQueue) add(calls []webhook.Wakeup) {
	if len(calls) == 0 {
		return
	}
	b.mu.Lock()
	for _, c := range calls {
		b.calls[c.Ref] = c.And(b.calls[c.Ref])
	}
	b.mu.Unlock()
	select {
	case b.signal <- struct{}{}:
	default:
	}
}

// Wakeups gets a value when TakeWakeups has something to return.
func (s *Store) Wakeups() <-chan struct{} { return s.wakeupQueue.signal }

// TakeWakeups returns and clears the wakeups of this process.
func (s *Store) TakeWakeups() []webhook.Wakeup {
	s.wakeupQueue.mu.Lock()
	defer s.wakeupQueue.mu.Unlock()
	calls := slices.Collect(maps.Values(s.wakeupQueue.calls))
	clear(s.wakeupQueue.calls)
	return calls
}
