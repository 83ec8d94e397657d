package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file, like those of everywhere.go, see all organisations:
// they find old data of all organisations.

// AcquireLease makes this instance the only one that runs a task until a time, or extends that.
func (s *Store) AcquireLease(ctx context.Context, name, holder string, until time.Time) (taken bool, err error) {
	const width = len("2026-11-21T09:00:00.000Z ") // the end of the lease, which sorts as text, comes before the holder
	end, err := instant(until).Value()
	if err != nil {
		return false, err
	}
	err = s.Update(ctx, tenant.Operator, func(t *Tx) error {
		now, err := instant(t.now).Value()
		if err != nil {
			return err
		}
		n, err := t.exec("INSERT INTO installation (org_id, name, value) VALUES ($1, $2, $3) ON CONFLICT (org_id, name) DO UPDATE SET value = excluded.value "+
			fmt.Sprintf("WHERE CASE WHEN substr(installation.value, %d) = $4 THEN TRUE ELSE installation.value < $5 END", width+1),
			"turn."+name, end.(string)+" "+holder, holder, now)
		taken = n == 1
		return err
	})
	return taken, wrapError("acquire lease", err)
}

// AgedTrails finds organisations whose trail has an event before a time.
func (s *Store) AgedTrails(ctx context.Context, before time.Time, after tenant.ID, limit int) ([]tenant.ID, error) {
	return s.organisationsWith(ctx, "(SELECT e.occurred_at FROM events e WHERE e.org_id = o.org_id ORDER BY e.sequence LIMIT 1)", before, after, limit)
}

// AgedNoticesOf finds organisations with a notice from before a time.
func (s *Store) AgedNoticesOf(ctx context.Context, before time.Time, after tenant.ID, limit int) ([]tenant.ID, error) {
	return s.organisationsWith(ctx, "(SELECT n.created_at FROM notices n WHERE n.org_id = o.org_id ORDER BY n.id LIMIT 1)", before, after, limit)
}

// organisationsWith finds organisations whose oldest row of a table is from before a time.
func (s *Store) organisationsWith(ctx context.Context, oldest string, before time.Time, after tenant.ID, limit int) (orgs []tenant.ID, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT o.org_id FROM organisations o WHERE o.org_id > $1 AND "+oldest+" < $2 ORDER BY o.org_id LIMIT $3"+computed,
			[]any{orNil(string(after)), instant(before), limit}, func(r engine.Row) error {
				var id tenant.ID
				err := r.Scan(&id)
				orgs = append(orgs, id)
				return err
			})
	})
	return orgs, wrapError("organisations with old rows", err)
}

// AgedEndpoints finds endpoints with a delivery from before a time.
func (s *Store) AgedEndpoints(ctx context.Context, before time.Time, after retention.Endpoint, limit int) (all []retention.Endpoint, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT e.org_id, e.id FROM endpoints e WHERE (e.org_id, e.id) > ($1, $2) "+
			"AND (SELECT d.created_at FROM deliveries d WHERE d.org_id = e.org_id AND d.endpoint_id = e.id ORDER BY d.created_at LIMIT 1) < $3 "+
			"ORDER BY e.org_id, e.id LIMIT $4"+computed, []any{orNil(string(after.Org)), orNil(after.ID), instant(before), limit}, func(r engine.Row) error {
			var e retention.Endpoint
			err := r.Scan(&e.Org, &e.ID)
			all = append(all, e)
			return err
		})
	})
	return all, wrapError("endpoints with old deliveries", err)
}

// RemoveEvents removes some of an organisation's events before its truncation, unless a hold
// has been set since.
func (s *Store) RemoveEvents(ctx context.Context, org tenant.ID, limit int) (removed int64, err error) {
	err = s.Update(ctx, org, func(t *Tx) error {
		if t.dialect.Name == engine.Postgres {
			_, err = t.row("SELECT removed FROM (SELECT $1::uuid AS org_id, remove_events($1, $2) AS removed) AS done WHERE org_id = $1", []any{limit}, &removed)
			return err
		}
		removed, err = t.exec("DELETE FROM events WHERE org_id = $1 AND sequence IN (SELECT e.sequence FROM events e WHERE e.org_id = $1 "+
			"AND e.sequence <= (SELECT c.sequence FROM trail_cuts c WHERE c.org_id = $1) "+
			"AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.org_id = $1 AND h.record_id IN ('', e.resource_id)) ORDER BY e.sequence LIMIT $2"+computed+")", limit)
		return err
	})
	return removed, wrapError("remove events", err)
}

// RemoveMessages checks some received CDS messages, and deletes those whose conversation belongs
// to no stored submission.
func (s *Store) RemoveMessages(ctx context.Context, state string, before time.Time, after filing.Position, limit int, dry bool) (checked []retention.Aged, removed int64, err error) {
	open := s.updateAll
	if dry {
		open = s.viewAll
	}
	err = open(ctx, func(a allOrgs) error {
		checked, removed = nil, 0
		err := a.rows("SELECT i.id, CASE WHEN EXISTS (SELECT 1 FROM transmissions t WHERE t.conversation_id = i.conversation_id) "+
			"OR EXISTS (SELECT 1 FROM declaration_files f WHERE f.reference = i.conversation_id) THEN 'kept' ELSE '' END, i.received_at "+
			"FROM inbox i WHERE i.org_id = $1 AND i.state = $2 AND i.received_at < $3 AND (i.received_at, i.id) > ($4, $5) ORDER BY i.received_at, i.id LIMIT $6"+computed,
			[]any{string(tenant.Operator), state, instant(before), instant(orLongAgo(after.CreatedAt)), orNil(after.ID), limit}, func(r engine.Row) error {
				var m retention.Aged
				err := r.Scan(&m.ID, &m.Status, (*instant)(&m.CreatedAt))
				checked = append(checked, m)
				return err
			})
		for _, m := range checked {
			if err != nil || m.Status != "" {
				continue
			}
			if removed++; !dry {
				_, err = a.exec("DELETE FROM inbox WHERE org_id = $1 AND id = $2", string(tenant.Operator), m.ID)
			}
		}
		return err
	})
	return checked, removed, wrapError("remove messages", err)
}

func orLongAgo(at time.Time) time.Time {
	if at.IsZero() {
		return longAgo
	}
	return at
}

// RemoveVersions deletes some versions of records that were replaced before a time, or only counts them. The oldest go
// first, because a version may take its body from a later one.
func (s *Store) RemoveVersions(ctx context.Context, before time.Time, limit int, dry bool) (removed int64, err error) {
	const some = "(SELECT v.org_id, v.resource_id, v.version FROM record_versions v WHERE v.replaced_at < $1 AND NOT EXISTS " +
		"(SELECT 1 FROM holds h WHERE h.org_id = v.org_id AND h.record_id IN ('', v.resource_id)) ORDER BY v.replaced_at, v.version LIMIT $2" + computed + ")"
	run := s.updateAll
	if dry {
		run = s.viewAll
	}
	err = run(ctx, func(a allOrgs) error {
		if dry {
			return a.one("SELECT count(*) FROM "+some+" AS counted", []any{instant(before), limit}, &removed)
		}
		removed, err = a.exec("DELETE FROM record_versions WHERE (org_id, resource_id, version) IN "+some, instant(before), limit)
		return err
	})
	return removed, wrapError("remove versions", err)
}

// leftover tables hold rows that are not deleted with a record.
var leftover = map[string]string{
	"jobs":            "l.state = 'dead' AND l.run_at < $1",
	"mtd_submissions": "l.created_at < $1 AND NOT EXISTS (SELECT 1 FROM filings f WHERE f.org_id = l.org_id AND f.id = l.filing_id)",

	// About no known record, or of one that a release before authorities has deleted without them.
	"authority_messages": "l.created_at < $1 AND NOT EXISTS (SELECT 1 FROM filings f WHERE f.org_id = l.org_id AND f.id = l.filing_id)",

	// A release before comments deletes records without them.
	"comments": "l.created_at < $1 AND NOT EXISTS (SELECT 1 FROM filings f WHERE f.org_id = l.org_id AND f.id = l.resource_id)",

	// A release before attachments deletes records without them.
	"declaration_files": "COALESCE(l.scanned_at, $1) <= $1 AND NOT EXISTS (SELECT 1 FROM filings f WHERE f.org_id = l.org_id AND f.id = l.filing_id)",
	"attachment_chunks": "EXISTS (SELECT 1 FROM attachments a WHERE a.org_id = l.org_id AND a.id = l.id AND a.created_at < $1 AND NOT EXISTS " +
		"(SELECT 1 FROM filings f WHERE f.org_id = a.org_id AND f.id = a.record_id))",
	"attachments": "l.created_at < $1 AND NOT EXISTS (SELECT 1 FROM filings f WHERE f.org_id = l.org_id AND f.id = l.record_id) AND NOT EXISTS " +
		"(SELECT 1 FROM attachment_chunks c WHERE c.org_id = l.org_id AND c.id = l.id)",
}

// RemoveLeftovers deletes some of these rows, or only counts them.
func (s *Store) RemoveLeftovers(ctx context.Context, before time.Time, limit int, dry bool) (removed int64, err error) {
	run := s.updateAll
	if dry {
		run = s.viewAll
	}
	err = run(ctx, func(a allOrgs) error {
		removed = 0
		for _, table := range slices.Sorted(maps.Keys(leftover)) {
			n, err := a.leftovers(table, before, limit-int(removed), dry)
			if err != nil {
				return err
			}
			removed += n
		}
		return nil
	})
	return removed, wrapError("remove leftovers", err)
}

func (a allOrgs) leftovers(table string, before time.Time, limit int, dry bool) (n int64, err error) {
	some := "(SELECT l.org_id, l.id FROM " + table + " l WHERE " + leftover[table] +
		" AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.org_id = l.org_id) LIMIT $2" + computed + ")"
	if dry {
		err = a.one("SELECT count(*) FROM "+some+" AS counted", []any{instant(before), limit}, &n)
		return n, err
	}
	return a.exec("DELETE FROM "+table+" WHERE (org_id, id) IN "+some, instant(before), limit)
}
