package store

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// loadTest reads whether the organisation is a test organisation, and its clock.
func (t *Tx) loadTest() error {
	var live *string
	found, err := t.row("SELECT live_org, clock, expires_at, held_since, held_until FROM test_organisations WHERE org_id = $1", nil,
		&live, (*instant)(&t.test.Clock), (*instant)(&t.test.ExpiresAt), (*instant)(&t.heldSince), (*instant)(&t.heldUntil))
	if err != nil || !found {
		return wrapError("test organisation", err)
	}
	t.test.Test = true
	if live != nil {
		t.test.Live = tenant.ID(*live)
	}
	if !t.test.Clock.IsZero() {
		t.now = t.test.Clock
	}
	return nil
}

// Test returns what makes the organisation a test organisation; zero for a live one.
func (t *Tx) Test() access.TestOrganisation { return t.test }

// TestClock returns the time at which the test clock stands; zero for real time.
func (t *Tx) TestClock() time.Time { return t.test.Clock }

// Mode says where the organisation's documents are sent.
func (t *Tx) Mode() tenant.Mode {
	if t.test.Test {
		return tenant.Test
	}
	return t.mode
}

// AddTestOrganisation marks the new organisation of this transaction as a test organisation.
func (t *Tx) AddTestOrganisation(o access.TestOrganisation) error {
	_, err := t.exec("INSERT INTO test_organisations (org_id, live_org, expires_at, claim_hash, created_at) VALUES ($1, $2, $3, $4, $5)",
		nullable(string(o.Live)), instant(o.ExpiresAt), nullable(o.ClaimHash), instant(t.real))
	t.test = o
	return wrapError("add test organisation", err)
}

// ClaimTest makes this sandbox the test organisation of a live one. It reports whether the sandbox could be claimed: with
// the token of the hash, in time, and once.
func (t *Tx) ClaimTest(live tenant.ID, hash string) (bool, error) {
	n, err := t.exec("UPDATE test_organisations SET live_org = $2, expires_at = NULL, claim_hash = NULL WHERE org_id = $1 AND live_org IS NULL AND claim_hash = $3 AND expires_at > $4",
		string(live), hash, instant(t.real))
	if err == nil && n == 1 {
		t.test.Live, t.test.ExpiresAt = live, time.Time{}
	}
	return n == 1, wrapError("claim sandbox", err)
}

// TransferKeys gives the keys and feeds of a sandbox to a member of its live organisation. They count as created now,
// because those of a member who has left the live organisation have ended.
func (t *Tx) TransferKeys(userID string) error {
	for _, table := range []string{"api_keys", "feeds"} {
		if _, err := t.exec("UPDATE "+table+" SET user_id = $2, created_at = $3 WHERE org_id = $1", userID, instant(t.real)); err != nil {
			return wrapError("transfer keys", err)
		}
	}
	return nil
}

// DetachTest ends the connection of this test organisation with its live one, which can then have a new one.
func (t *Tx) DetachTest() error {
	_, err := t.exec("UPDATE test_organisations SET live_org = NULL, expires_at = NULL, claim_hash = NULL WHERE org_id = $1")
	return wrapError("detach test organisation", err)
}

// NoteMember makes sure that keys, feeds and searches of a test organisation can refer to a member of its live one, and
// reports whether they could not before. The row is that of a former member, so that it gives no access.
func (t *Tx) NoteMember(userID string) (bool, error) {
	n, err := t.exec("INSERT INTO memberships (org_id, user_id, role, created_at, left_at) VALUES ($1, $2, 'VIEWER', $3, $3) ON CONFLICT (org_id, user_id) DO NOTHING",
		userID, instant(t.real))
	return n == 1, wrapError("note member", err)
}

// membership returns a transaction that reads the members of this organisation: those of its live one, if it is a test
// organisation.
func (t *Tx) membership() *Tx {
	if t.test.Live == "" {
		return t
	}
	live := *t
	live.org = t.test.Live
	return &live
}

// ownMembers returns an error in a test organisation whose members are those of its live one.
func (t *Tx) ownMembers() error {
	if t.test.Live == "" {
		return nil
	}
	return apierr.New(apierr.InvalidState, "A test organisation has the members of its live organisation. Change them there.")
}

// SetTestClock stops the organisation's clock at a time; the zero time is real time. Deliveries may become due by it.
func (t *Tx) SetTestClock(at time.Time) error {
	if _, err := t.exec("UPDATE test_organisations SET clock = $2 WHERE org_id = $1", instant(at)); err != nil {
		return wrapError("set test clock", err)
	}
	if t.test.Clock, t.now = at, at; at.IsZero() {
		t.now = t.real
		if err := t.releaseDeliveries(); err != nil {
			return err
		}
	}
	endpoints, err := t.Endpoints()
	for _, e := range endpoints {
		t.changed(e.ID)
	}
	return err
}

// releaseDeliveries makes the deliveries that wait for the former time of the test clock due, in the order of their
// events, and those of the events that will have that time.
func (t *Tx) releaseDeliveries() error {
	last, err := t.head()
	if err != nil || !last.occurredAt.After(t.real) {
		return err
	}
	t.heldSince, t.heldUntil = t.real, last.occurredAt
	_, err = t.exec("UPDATE test_organisations SET held_since = $2, held_until = $3 WHERE org_id = $1", instant(t.heldSince), instant(t.heldUntil))
	if err == nil {
		_, err = t.exec("UPDATE deliveries SET due_at = $2 WHERE org_id = $1 AND status = 'PENDING' AND cause = 'event'", instant(t.heldSince))
	}
	return wrapError("release deliveries", err)
}

// noteRemovedTransmissions stores the references of a record that a test organisation deletes. The simulator may still
// send messages about it.
func (t *Tx) noteRemovedTransmissions(filingID string) error {
	if !t.test.Test {
		return nil
	}
	var all []string
	err := t.rows("SELECT reference, COALESCE(conversation_id, '') FROM transmissions WHERE org_id = $1 AND filing_id = $2", []any{filingID}, func(r engine.Row) error {
		var reference, conversation string
		err := r.Scan(&reference, &conversation)
		all = append(all, reference, conversation)
		return err
	})
	if err == nil {
		err = t.rows("SELECT COALESCE(reference, '') FROM declaration_files WHERE org_id = $1 AND filing_id = $2", []any{filingID}, func(r engine.Row) error {
			var reference string
			err := r.Scan(&reference)
			all = append(all, reference)
			return err
		})
	}
	for _, reference := range all {
		if err != nil || reference == "" {
			continue
		}
		err = t.execDeferred("INSERT INTO removed_transmissions (org_id, reference, removed_at) VALUES ($1, $2, $3) ON CONFLICT (org_id, reference) DO NOTHING", reference, instant(t.real))
	}
	return wrapError("note removed transmissions", err)
}

// DueTimersHere returns the organisation's expired timers, oldest first.
func (t *Tx) DueTimersHere(limit int) (due []timer.Due, err error) {
	err = t.rows("SELECT filing_id, kind, action, run_after FROM timers WHERE org_id = $1 AND run_after < $2 ORDER BY run_after, filing_id LIMIT $3"+computed,
		[]any{instant(t.now), limit}, func(r engine.Row) error {
			d := timer.Due{Org: t.org}
			err := r.Scan(&d.FilingID, &d.Kind, &d.Timer.Action, (*instant)(&d.Timer.After))
			due = append(due, d)
			return err
		})
	return due, wrapError("due timers of a test organisation", err)
}
