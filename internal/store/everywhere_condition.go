package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// The statements of this file, like those of everywhere.go, see all organisations:
// they tell the operator how the installation is, and no organisation's affairs.

// Condition is how the work that is stored stands.
type Condition struct {
	Queues     []Queue
	Deliveries time.Time // since when the longest waiting delivery of an active endpoint is due; zero for none
	Unreadable int       // messages from customs that nobody could read
	Unmatched  int       // messages from customs that belong to no known submission
	Grants     []Grant
}

// Queue is the work of a queue that nobody has taken up, and what was given up.
type Queue struct {
	Name string
	Due  time.Time // since when the oldest is due; zero where nothing is
	Dead int
}

// Grant is an organisation's connection to Making Tax Digital.
type Grant struct {
	Org    tenant.ID
	Lapsed bool
	Given  time.Time
}

// maxGrants is how many connections are told: those that end first.
const maxGrants = 1000

// Condition looks at what waits, what was given up, and what will run out.
func (s *Store) Condition(ctx context.Context) (c Condition, err error) {
	err = s.viewAll(ctx, func(a everywhere) error {
		queues := map[string]*Queue{}
		of := func(queue string) *Queue {
			if queues[queue] == nil {
				queues[queue] = &Queue{Name: queue}
			}
			return queues[queue]
		}
		if err := a.backlogs(of); err != nil {
			return err
		}
		for _, b := range queues {
			c.Queues = append(c.Queues, *b)
		}
		if err := a.oldestDelivery(&c.Deliveries); err != nil {
			return err
		}
		if err := a.inbox(&c); err != nil {
			return err
		}
		return a.grants(&c)
	})
	if err != nil {
		return c, fmt.Errorf("store: condition: %w", err)
	}
	return c, nil
}

func (a everywhere) backlogs(of func(string) *Queue) error {
	err := a.rows("SELECT queue, min(run_at) FROM jobs WHERE state = 'due' AND run_at <= $1 GROUP BY queue", []any{instant(a.tx.now)}, func(r *sql.Rows) error {
		var queue string
		var due instant
		err := r.Scan(&queue, &due)
		of(queue).Due = time.Time(due)
		return err
	})
	if err != nil {
		return err
	}
	return a.rows("SELECT queue, count(*) FROM jobs WHERE state = 'dead' GROUP BY queue", nil, func(r *sql.Rows) error {
		var queue string
		var dead int
		err := r.Scan(&queue, &dead)
		of(queue).Dead = dead
		return err
	})
}

// oldestDelivery looks at the first due of each endpoint, which its index begins with.
func (a everywhere) oldestDelivery(since *time.Time) error {
	return a.rows("SELECT min((SELECT min(d.due_at) FROM deliveries d WHERE d.org_id = e.org_id AND d.endpoint_id = e.id AND d.status = 'PENDING')) "+
		"FROM endpoints e WHERE e.active", nil, func(r *sql.Rows) error {
		err := r.Scan((*instant)(since))
		if since.After(a.tx.now) {
			*since = time.Time{}
		}
		return err
	})
}

func (a everywhere) inbox(c *Condition) error {
	return a.rows("SELECT state, count(*) FROM inbox WHERE org_id = $1 AND state IN ('unreadable', 'unmatched') GROUP BY state", []any{string(tenant.Operator)},
		func(r *sql.Rows) error {
			var state string
			var n int
			err := r.Scan(&state, &n)
			if state == "unreadable" {
				c.Unreadable = n
			} else {
				c.Unmatched = n
			}
			return err
		})
}

func (a everywhere) grants(c *Condition) error {
	return a.rows("SELECT org_id, status, connected_at FROM mtd_connections ORDER BY connected_at LIMIT $1"+computed, []any{maxGrants}, func(r *sql.Rows) error {
		var g Grant
		var status string
		err := r.Scan(&g.Org, &status, (*instant)(&g.Given))
		g.Lapsed = status == "LAPSED"
		c.Grants = append(c.Grants, g)
		return err
	})
}

// Standing is how a database is reached, and what its clock says.
type Standing struct {
	Clock     time.Time // zero for SQLite, whose clock is this machine's
	Local     bool      // on this machine
	Encrypted bool
}

// Standing asks the database.
func (s *Store) Standing(ctx context.Context) (st Standing, err error) {
	if s.dialect.name == sqliteDialect.name {
		return Standing{Local: true}, s.Ping(ctx)
	}
	err = s.viewAll(ctx, func(a everywhere) error {
		return a.rows("SELECT clock_timestamp(), COALESCE(inet_client_addr() <<= '127.0.0.0/8' OR inet_client_addr() = '::1', true), "+
			"COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)", nil, func(r *sql.Rows) error {
			return r.Scan((*instant)(&st.Clock), &st.Local, &st.Encrypted)
		})
	})
	if err != nil {
		return st, fmt.Errorf("store: standing: %w", err)
	}
	return st, nil
}

// Settled reads a value of the installation.
func (s *Store) Settled(ctx context.Context, name string) (value string, found bool, err error) {
	err = s.View(ctx, tenant.Operator, func(t *Tx) error {
		found, err = t.row("SELECT value FROM installation WHERE org_id = $1 AND name = $2", []any{name}, &value)
		return err
	})
	if err != nil {
		return "", false, fmt.Errorf("store: settled %s: %w", name, err)
	}
	return value, found, nil
}
