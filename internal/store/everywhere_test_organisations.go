package store

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file see all organisations: a live organisation does not know its test organisation.

// TestOf returns the test organisation of a live one.
func (s *Store) TestOf(ctx context.Context, live tenant.ID) (test tenant.ID, found bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id FROM test_organisations WHERE live_org = $1", []any{string(live)}, func(r engine.Row) error {
			found = true
			return r.Scan(&test)
		})
	})
	return test, found, wrapError("test organisation of a live one", err)
}

// SandboxByHash returns the sandbox without an account that has the hash of a claim token, unless it has ended.
func (s *Store) SandboxByHash(ctx context.Context, hash string) (org tenant.ID, expiresAt time.Time, found bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id, expires_at FROM test_organisations WHERE claim_hash = $1 AND expires_at > $2", []any{hash, instant(a.tx.now)}, func(r engine.Row) error {
			found = true
			return r.Scan(&org, (*instant)(&expiresAt))
		})
	})
	return org, expiresAt, found, wrapError("sandbox by hash", err)
}

// EndedSandboxes returns sandboxes without an account whose time is over and that are still open.
func (s *Store) EndedSandboxes(ctx context.Context, now time.Time, limit int) (ended []tenant.ID, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT t.org_id FROM test_organisations t JOIN organisations o ON o.org_id = t.org_id AND o.closed_at IS NULL "+
			"WHERE t.expires_at <= $1 ORDER BY t.expires_at LIMIT $2"+computed, []any{instant(now), limit}, func(r engine.Row) error {
			var org tenant.ID
			err := r.Scan(&org)
			ended = append(ended, org)
			return err
		})
	})
	return ended, wrapError("ended sandboxes", err)
}

// IsTest reports whether an organisation is a test organisation. It needs a query only if the ID suggests one.
func (s *Store) IsTest(ctx context.Context, org tenant.ID) (test bool, err error) {
	if !org.MayBeTest() {
		return false, nil
	}
	err = s.View(ctx, org, func(t *Tx) error { test = t.test.Test; return nil })
	return test, err
}

// TimeOf returns the time of an organisation: real time, or that of its test clock. It needs a query only if the ID
// suggests a test organisation.
func (s *Store) TimeOf(ctx context.Context, org tenant.ID) (now time.Time, err error) {
	if !org.MayBeTest() {
		return s.now(), nil
	}
	err = s.View(ctx, org, func(t *Tx) error { now = t.now; return nil })
	return now, err
}

// WasRemoved reports whether a test organisation deleted the record of a submission with one of these references.
func (s *Store) WasRemoved(ctx context.Context, conversationID, reference string) (removed bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT 1 FROM removed_transmissions WHERE reference IN ($1, $2) LIMIT 1", []any{conversationID, reference}, func(engine.Row) error {
			removed = true
			return nil
		})
	})
	return removed, wrapError("removed transmission", err)
}

// DropRemovedTransmissions deletes the references of records that test organisations deleted before a time.
func (s *Store) DropRemovedTransmissions(ctx context.Context, before time.Time) error {
	return wrapError("drop removed transmissions", s.updateAll(ctx, func(a allOrgs) error {
		_, err := a.exec("DELETE FROM removed_transmissions WHERE removed_at < $1", instant(before))
		return err
	}))
}

// TestClocks returns the test organisations whose clock stands, with its time, after one of them.
func (s *Store) TestClocks(ctx context.Context, after tenant.ID, limit int) (all []timer.TestClock, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id, clock FROM test_organisations WHERE clock IS NOT NULL AND org_id > $1 ORDER BY org_id LIMIT $2"+computed,
			[]any{orNil(string(after)), limit}, func(r engine.Row) error {
				var c timer.TestClock
				err := r.Scan(&c.Org, (*instant)(&c.Now))
				all = append(all, c)
				return err
			})
	})
	return all, wrapError("test clocks", err)
}
