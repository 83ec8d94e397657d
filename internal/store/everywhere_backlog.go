package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/migrations"
)

// The statements of this file see all organisations: they count waiting work for the operator's
// metrics.

// MaxCounted is the limit of each count, so that counting has the same cost however much is
// waiting.
const MaxCounted = 10_000

// Waiting is the waiting work of a queue.
type Waiting struct {
	Due     int           // and not leased
	Oldest  time.Duration // since the one that has waited longest became due
	GivenUp int           // for the operator to look at
}

// Endpoints counts webhook endpoints by state: paused ones get nothing, and the last attempt of
// failing ones was not successful.
type Endpoints struct{ Active, Failing, Paused int }

// Backlog is the waiting work, each figure counted up to MaxCounted.
type Backlog struct {
	Queues     map[string]Waiting
	Deliveries Waiting // of active endpoints
	Endpoints  Endpoints
	Inbox      map[string]int // messages from customs that are not applied, by state
	Sessions   int            // that are not over
	Schema     int64          // of the database
}

// Backlog counts the waiting work, one cheap statement per figure: of every queue that has a
// job, and of the named queues.
func (s *Store) Backlog(ctx context.Context, queues []string) (b Backlog, err error) {
	b = Backlog{Queues: map[string]Waiting{}, Inbox: map[string]int{}}
	err = s.viewAll(ctx, func(a allOrgs) error {
		found, err := a.queues()
		if err != nil {
			return err
		}
		for _, q := range append(found, queues...) {
			if b.Queues[q], err = a.waiting(q); err != nil {
				return err
			}
		}
		if b.Deliveries, err = a.undelivered(); err != nil {
			return err
		}
		if b.Endpoints, err = a.endpoints(); err != nil {
			return err
		}
		for _, state := range []string{"received", "unmatched", "unreadable"} {
			if b.Inbox[state], err = a.count("inbox WHERE org_id = $2 AND state = $3", string(tenant.Operator), state); err != nil {
				return err
			}
		}
		if b.Sessions, err = a.count("sessions WHERE org_id = $2 AND expires_at > $3", string(tenant.Operator), instant(a.tx.now)); err != nil {
			return err
		}
		b.Schema, err = migrations.SchemaOf(a.rows, s.dialect)
		return err
	})
	if err != nil {
		return b, fmt.Errorf("store: backlog: %w", err)
	}
	return b, nil
}

// queues returns the queues that have a job, found by jumping along the index.
func (a allOrgs) queues() (names []string, err error) {
	err = a.rows("WITH RECURSIVE next(queue) AS (SELECT min(queue) FROM jobs "+
		"UNION ALL SELECT (SELECT min(j.queue) FROM jobs j WHERE j.queue > next.queue) FROM next WHERE next.queue IS NOT NULL) "+
		"SELECT queue FROM next WHERE queue IS NOT NULL", nil, func(r engine.Row) error {
		var name string
		err := r.Scan(&name)
		names = append(names, name)
		return err
	})
	return names, err
}

func (a allOrgs) waiting(queue string) (w Waiting, err error) {
	if w.Due, err = a.count("jobs WHERE queue = $2 AND state = 'due' AND run_at <= $3", queue, instant(a.tx.now)); err != nil {
		return w, err
	}
	if w.GivenUp, err = a.count("jobs WHERE queue = $2 AND state = 'dead'", queue); err != nil {
		return w, err
	}
	var oldest instant
	err = a.one("SELECT run_at FROM jobs WHERE queue = $1 AND state = 'due' ORDER BY run_at LIMIT 1", []any{queue}, &oldest)
	w.Oldest = a.since(oldest)
	return w, err
}

// undelivered counts due deliveries with an index lookup for each active endpoint.
func (a allOrgs) undelivered() (w Waiting, err error) {
	if w.Due, err = a.count("endpoints e JOIN deliveries d ON d.org_id = e.org_id AND d.endpoint_id = e.id AND d.status = 'PENDING' AND d.due_at <= $2 WHERE e.active",
		instant(a.tx.now)); err != nil {
		return w, err
	}
	var oldest instant
	err = a.one("SELECT min((SELECT d.due_at FROM deliveries d WHERE d.org_id = e.org_id AND d.endpoint_id = e.id AND d.status = 'PENDING' "+
		"ORDER BY d.due_at LIMIT 1)) FROM endpoints e WHERE e.active", nil, &oldest)
	w.Oldest = a.since(oldest)
	return w, err
}

func (a allOrgs) endpoints() (e Endpoints, err error) {
	err = a.one("SELECT COALESCE(sum(CASE WHEN active AND failing_since IS NULL THEN 1 ELSE 0 END), 0), "+
		"COALESCE(sum(CASE WHEN active AND failing_since IS NOT NULL THEN 1 ELSE 0 END), 0), COALESCE(sum(CASE WHEN active THEN 0 ELSE 1 END), 0) "+
		"FROM endpoints", nil, &e.Active, &e.Failing, &e.Paused)
	return e, err
}

// count counts the matching rows of a table, at most MaxCounted.
func (a allOrgs) count(what string, args ...any) (n int, err error) {
	err = a.one("SELECT count(*) FROM (SELECT 1 FROM "+what+" LIMIT $1"+computed+") AS counted", append([]any{MaxCounted}, args...), &n)
	return n, err
}

// one scans the only row of a query, if there is one.
func (a allOrgs) one(query string, args []any, dest ...any) error {
	return a.rows(query, args, func(r engine.Row) error { return r.Scan(dest...) })
}

// since returns the time since an instant; 0 if it is in the future or missing.
func (a allOrgs) since(at instant) time.Duration {
	if time.Time(at).IsZero() {
		return 0
	}
	return max(0, a.tx.now.Sub(time.Time(at)))
}
