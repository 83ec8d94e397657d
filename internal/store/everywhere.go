package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file see all organisations, because they find the organisation of a
// key, a job or a message from CDS. The only other such statements are in the files
// everywhere_*.go.

// allOrgs is a transaction across organisations.
type allOrgs struct{ tx *Tx }

func (a allOrgs) rows(query string, args []any, scan func(engine.Row) error) error {
	return engine.EachRow(a.tx.db.Query(query, args))(scan)
}

func (a allOrgs) exec(query string, args ...any) (int64, error) {
	return a.tx.db.Exec(query, args)
}

func (s *Store) viewAll(ctx context.Context, fn func(allOrgs) error) error {
	return s.viewSingle(ctx, "", func(t *Tx) error { return fn(allOrgs{t}) })
}

func (s *Store) updateAll(ctx context.Context, fn func(allOrgs) error) error {
	return s.update(ctx, "", func(t *Tx) error { return fn(allOrgs{t}) })
}

// KeyByHash finds the organisation and user of an API key. It does not find a key that is
// revoked or expired, whose creator has left, or whose organisation is closed. After a rotation,
// the former secret is found until the overlap ends.
func (s *Store) KeyByHash(ctx context.Context, hash string) (k access.Holder, found bool, err error) {
	mark, marked := s.engine.RightsMark()
	if marked && !s.damaged.Load() {
		if k, held := s.keys.find(mark, hash, s.now()); held {
			return k, true, nil
		}
	}
	began := s.now()
	k, ends, found, err := s.holder(ctx, keyByHash, hash)
	if err == nil && found && marked {
		s.keys.hold(mark, hash, heldKey{k, began, ends})
	}
	if err == nil && !found {
		k, _, found, err = s.holder(ctx, keyByFormerHash, hash)
		k.Former = found
	}
	if err != nil {
		return k, false, fmt.Errorf("store: key by hash: %w", err)
	}
	return k, found, nil
}

// liveIsOpen is false for a test organisation s of an organisation o that is closed, and for a sandbox that has ended; $2 is
// now. Without CASE SQLite reads all organisations, because the columns have different types; with COALESCE PostgreSQL does,
// which puts row-level security first.
const liveIsOpen = "NOT EXISTS (SELECT 1 FROM organisations l WHERE l.org_id = CASE WHEN s.live_org IS NULL THEN o.org_id ELSE s.live_org END AND l.closed_at IS NOT NULL) AND (s.expires_at IS NULL OR s.expires_at > $2)"

// sinceJoining is false for what a member m of the live organisation created in the test organisation s before leaving
// the live one and joining it again. Leaving ends credentials for good. For a member who never left, the times of two instances,
// whose clocks differ by some milliseconds, are not compared.
const sinceJoining = "(s.live_org IS NULL OR m.rejoined_at IS NULL OR %s.created_at >= m.rejoined_at)"

// The queries of holder, whose texts are made once.
var (
	keyByHash       = keyQuery("k.hash = $1")
	keyByFormerHash = keyQuery("k.former_hash = $1 AND k.former_until > $2")
	keyByID         = keyQuery("k.id = $1 AND k.org_id = $3")
)

// keyQuery finds a key that works; $2 is now.
func keyQuery(condition string) string {
	return "SELECT k.org_id, k.id, k.user_id, k.role, m.role, k.last_used_at, k.scopes, k.addresses, o.hubs, o.policy, s.org_id IS NOT NULL, s.clock, k.expires_at, s.expires_at FROM api_keys k " +
		"LEFT JOIN test_organisations s ON s.org_id = k.org_id " +
		"JOIN memberships m ON m.org_id = COALESCE(s.live_org, k.org_id) AND m.user_id = k.user_id AND m.left_at IS NULL " +
		"JOIN organisations o ON o.org_id = k.org_id " +
		"WHERE " + condition + " AND o.closed_at IS NULL AND " + liveIsOpen + " AND " + fmt.Sprintf(sinceJoining, "k") + " AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)"
}

// holder returns a key, and the time at which it or its test organisation ends; zero for none.
func (s *Store) holder(ctx context.Context, query, value string, more ...any) (k access.Holder, ends time.Time, found bool, err error) {
	var sandboxEnds time.Time
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows(query,
			append([]any{value, instant(a.tx.now)}, more...), func(r engine.Row) error {
				found = true
				var scopes, addresses string
				err := r.Scan(&k.Org, &k.KeyID, &k.UserID, &k.KeyRole, &k.MemberRole, (*instant)(&k.LastUsedAt), &scopes, &addresses, &k.Hubs, &k.Policy, &k.Test, (*instant)(&k.TestClock), (*instant)(&ends), (*instant)(&sandboxEnds))
				k.Scopes, k.Addresses = access.StoredScopes(scopes), access.StoredAddresses(addresses)
				return err
			})
	})
	if !sandboxEnds.IsZero() && (ends.IsZero() || sandboxEnds.Before(ends)) {
		ends = sandboxEnds
	}
	return k, ends, found, err
}

// FeedByHash finds the holder of a calendar feed. It finds none if the feed was revoked or its
// user has left the organisation. A feed gives the rights of a VIEWER only.
func (s *Store) FeedByHash(ctx context.Context, hash string) (h access.Holder, found bool, err error) {
	h.KeyRole = tenant.Viewer
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT f.org_id, f.user_id, m.role, o.hubs, s.org_id IS NOT NULL FROM feeds f "+
			"LEFT JOIN test_organisations s ON s.org_id = f.org_id "+
			"JOIN memberships m ON m.org_id = COALESCE(s.live_org, f.org_id) AND m.user_id = f.user_id AND m.left_at IS NULL "+
			"JOIN organisations o ON o.org_id = f.org_id "+
			"WHERE f.hash = $1 AND o.closed_at IS NULL AND "+liveIsOpen+" AND "+fmt.Sprintf(sinceJoining, "f"), []any{hash, instant(a.tx.now)}, func(r engine.Row) error {
			found = true
			return r.Scan(&h.Org, &h.UserID, &h.MemberRole, &h.Hubs, &h.Test)
		})
	})
	if err != nil {
		return h, false, fmt.Errorf("store: feed by hash: %w", err)
	}
	return h, found, nil
}

// Organisations lists every organisation, for the operator's commands.
func (s *Store) Organisations(ctx context.Context) (ids []tenant.ID, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id FROM organisations ORDER BY org_id", nil, func(r engine.Row) error {
			var id tenant.ID
			err := r.Scan(&id)
			ids = append(ids, id)
			return err
		})
	})
	return ids, err
}

// LeaseJobs leases due jobs of a queue, of all organisations. A separate statement selects them,
// because PostgreSQL may run a subquery once for each row, and would then lease more than the
// limit.
func (s *Store) LeaseJobs(ctx context.Context, queue string, limit int, lease time.Duration) (leased []jobs.Job, err error) {
	due, err := s.anyDue(ctx, queue)
	if err != nil || !due {
		return nil, err
	}
	err = s.updateAll(ctx, func(a allOrgs) error {
		return a.rows("WITH taken AS MATERIALIZED "+
			"(SELECT org_id, id FROM jobs WHERE queue = $1 AND state = 'due' AND run_at <= $2 AND (attempt = 0 OR run_at <= $5) ORDER BY run_at LIMIT $4"+s.dialect.SkipLocked+") "+
			"UPDATE jobs SET attempt = attempt + 1, run_at = $3 WHERE (org_id, id) IN (SELECT org_id, id FROM taken) "+
			"RETURNING org_id, id, queue, subject, attempt, failures, COALESCE(trace, '')",
			[]any{queue, instant(a.tx.now), instant(a.tx.now.Add(lease)), limit, instant(a.tx.now.Add(-s.leaseExtension()))}, func(r engine.Row) error {
				var j jobs.Job
				err := r.Scan(&j.Org, &j.ID, &j.Queue, &j.Subject, &j.Attempt, &j.Failures, &j.Trace)
				leased = append(leased, j)
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("store: lease jobs: %w", err)
	}
	return leased, nil
}

// anyDue reports whether a job is due, so that an idle worker does not write.
func (s *Store) anyDue(ctx context.Context, queue string) (due bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT 1 FROM jobs WHERE queue = $1 AND state = 'due' AND run_at <= $2 AND (attempt = 0 OR run_at <= $3) LIMIT 1", []any{queue, instant(a.tx.now), instant(a.tx.now.Add(-s.leaseExtension()))}, func(engine.Row) error {
			due = true
			return nil
		})
	})
	return due, err
}

// RenewJob extends a lease.
func (s *Store) RenewJob(ctx context.Context, j jobs.Job, lease time.Duration) error {
	return s.Update(ctx, j.Org, func(t *Tx) error { return t.RetryJob(j, t.now.Add(lease), "") })
}

// RetryLater postpones a leased job.
func (s *Store) RetryLater(ctx context.Context, j jobs.Job, delay time.Duration, problem string) error {
	return s.Update(ctx, j.Org, func(t *Tx) error { return t.RetryJob(j, t.now.Add(delay), problem) })
}

// GiveUp marks a leased job as given up.
func (s *Store) GiveUp(ctx context.Context, j jobs.Job, problem string) error {
	return s.Update(ctx, j.Org, func(t *Tx) error { return t.GiveUpJob(j, problem) })
}

// DueTimers finds timers of all organisations that have expired, the oldest first.
func (s *Store) DueTimers(ctx context.Context, behind timer.Due, limit int) (due []timer.Due, err error) {
	query, args := "SELECT org_id, filing_id, kind, action, run_after FROM timers WHERE run_after < $1", []any{nil, limit}
	if behind.FilingID != "" {
		query += " AND (run_after, org_id, filing_id) > ($3, $4, $5)"
		args = append(args, instant(behind.Timer.After), string(behind.Org), behind.FilingID)
	}
	err = s.viewAll(ctx, func(a allOrgs) error {
		args[0] = instant(a.tx.now)
		return a.rows(query+" ORDER BY run_after, org_id, filing_id LIMIT $2"+computed, args, func(r engine.Row) error {
			var d timer.Due
			err := r.Scan(&d.Org, &d.FilingID, &d.Kind, &d.Timer.Action, (*instant)(&d.Timer.After))
			due = append(due, d)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("store: due timers: %w", err)
	}
	return due, nil
}

// LaggingIndexes finds organisations whose index of declarations lags behind their trail.
func (s *Store) LaggingIndexes(ctx context.Context, lag int64, limit int) ([]tenant.ID, error) {
	return s.laggingIndexes(ctx, declarationSearch, lag, limit)
}

// LaggingRecordIndexes is LaggingIndexes for the search over all records.
func (s *Store) LaggingRecordIndexes(ctx context.Context, lag int64, limit int) ([]tenant.ID, error) {
	return s.laggingIndexes(ctx, recordSearch, lag, limit)
}

func (s *Store) laggingIndexes(ctx context.Context, of searchTables, lag int64, limit int) (orgs []tenant.ID, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT o.org_id FROM organisations o LEFT JOIN "+of.heads+" h ON h.org_id = o.org_id "+
			"WHERE o.deletion IS NULL AND (NOT h.begun OR h.moved_sequence = h.sequence OR COALESCE(h.sequence, 0) + $1 < COALESCE((SELECT max(e.sequence) FROM events e WHERE e.org_id = o.org_id), 0)) LIMIT $2"+computed,
			[]any{lag, limit}, func(r engine.Row) error {
				var id tenant.ID
				err := r.Scan(&id)
				orgs = append(orgs, id)
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("store: lagging indexes: %w", err)
	}
	return orgs, nil
}

// DropAnswers deletes the answers to idempotency keys that have expired, and those of releases
// that did not store the caller once they are older than idempotency.TTL.
func (s *Store) DropAnswers(ctx context.Context, now time.Time) error {
	return s.updateAll(ctx, func(a allOrgs) error {
		if _, err := a.exec("DELETE FROM idempotency_records WHERE expires_at <= $1", instant(now)); err != nil {
			return err
		}
		_, err := a.exec("DELETE FROM answers WHERE created_at < $1", instant(now.Add(-idempotency.TTL)))
		return err
	})
}

// DropWorksheets deletes worksheets of all organisations that were not changed since an instant, with their files.
func (s *Store) DropWorksheets(ctx context.Context, before time.Time) error {
	const old = "SELECT w.org_id, w.id FROM worksheets w WHERE w.updated_at < $1 AND w.purpose = 'new'"
	return s.updateAll(ctx, func(a allOrgs) error {
		for _, statement := range []string{
			"DELETE FROM attachment_chunks WHERE (org_id, id) IN (SELECT f.org_id, f.id FROM attachments f WHERE (f.org_id, f.record_id) IN (" + old + "))",
			"DELETE FROM attachments WHERE (org_id, record_id) IN (" + old + ")",
		} {
			if _, err := a.exec(statement, instant(before)); err != nil {
				return err
			}
		}
		_, err := a.exec("DELETE FROM worksheets WHERE updated_at < $1", instant(before))
		return err
	})
}

// FindTransmission finds the transmission of a conversation in any organisation. If there is
// none, it finds the latest transmission with a reference, because a message can arrive before
// the answer to its submission.
func (s *Store) FindTransmission(ctx context.Context, conversationID, reference string) (org tenant.ID, m customs.Transmission, found bool, err error) {
	look := func(a allOrgs, where string, value string) error {
		return a.rows("SELECT org_id, "+transmissionColumns+" FROM transmissions WHERE "+where+" ORDER BY created_at DESC LIMIT 1", []any{value},
			func(r engine.Row) error {
				found = true
				m, err = scanTransmission(r, &org)
				return err
			})
	}
	err = s.viewAll(ctx, func(a allOrgs) error {
		if err := look(a, "conversation_id = $1", conversationID); err != nil || found || reference == "" {
			return err
		}
		return look(a, "reference = $1", reference)
	})
	if err != nil {
		return "", m, false, fmt.Errorf("store: find transmission: %w", err)
	}
	return org, m, found, nil
}

// KeyByID finds a key that still works, as KeyByHash does.
func (s *Store) KeyByID(ctx context.Context, org tenant.ID, id string) (k access.Holder, found bool, err error) {
	k, _, found, err = s.holder(ctx, keyByID, id, string(org))
	return k, found, wrapError("key by id", err)
}

// DropBatches deletes batches that ended before an instant, with their results.
func (s *Store) DropBatches(ctx context.Context, before time.Time) error {
	return wrapError("drop batches", s.updateAll(ctx, func(a allOrgs) error {
		_, err := a.exec("DELETE FROM batch_rows WHERE (org_id, batch_id) IN (SELECT org_id, id FROM batches WHERE finished_at < $1)", instant(before))
		if err == nil {
			_, err = a.exec("DELETE FROM batches WHERE finished_at < $1", instant(before))
		}
		return err
	}))
}

// DropWhatIfUploads deletes the uploads for what-ifs that came before an instant.
func (s *Store) DropWhatIfUploads(ctx context.Context, before time.Time) error {
	return wrapError("drop uploads", s.updateAll(ctx, func(a allOrgs) error {
		_, err := a.exec("DELETE FROM what_if_uploads WHERE created_at < $1", instant(before))
		return err
	}))
}

// DropWhatIfs deletes what-ifs that ended before an instant, with their results.
func (s *Store) DropWhatIfs(ctx context.Context, before time.Time) error {
	return wrapError("drop what-ifs", s.updateAll(ctx, func(a allOrgs) error {
		_, err := a.exec("DELETE FROM what_if_pages WHERE (org_id, what_if_id) IN (SELECT org_id, id FROM what_ifs WHERE finished_at < $1)", instant(before))
		if err == nil {
			_, err = a.exec("DELETE FROM tariff_uses WHERE (org_id, used_by) IN (SELECT org_id, '"+whatif.UsedBy+"' || CAST(id AS TEXT) FROM what_ifs WHERE finished_at < $1)", instant(before))
		}
		if err == nil {
			_, err = a.exec("DELETE FROM what_ifs WHERE finished_at < $1", instant(before))
		}
		return err
	}))
}
