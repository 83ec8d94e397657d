package store_test

import (
	"database/sql"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

func database(t *testing.T, b storetest.Backend) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", b.Owner)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// fileFirst is what a change does before it records an event: it refers to its organisation, and
// takes a while.
const fileFirst = "INSERT INTO filings (org_id, id, kind, status, version, body_version, added, created_at, updated_at, body) " +
	"SELECT org_id, gen_random_uuid(), 'thing', 'DRAFT', 1, 1, '{}', now(), now(), '{}' FROM organisations, pg_sleep(0.02)"

// beside runs statements that see all rows, like a program other than the service.
func beside(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	tx, err := db.Begin()
	for _, first := range []string{"SELECT set_config('tidewaiter.org', '*', true)", fileFirst, "SELECT pg_sleep(0.02)"} {
		if err == nil {
			_, err = tx.Exec(first)
		}
	}
	if err == nil {
		_, err = tx.Exec(statement, args...)
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		t.Fatalf("%.60s: %v", statement, err)
	}
}

const insertEvent = "INSERT INTO events (org_id, sequence, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, actor_user_id, actor_type, " +
	"key_id, request_id, ip_address, data, hash, previous_hash) SELECT $1, s, i::uuid, $2, 'customs', 't', 'r', 'x', '', '', '', '', '', '', '', '', h, p " +
	"FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[]) AS e (s, i, h, p)"

// A database of the older schema with 10,000 events is partitioned in place: no row moves, the
// older program's writes meanwhile succeed, and the trail verifies across old and new events.
func TestTablesBecomePartitioned(t *testing.T) {
	b := storetest.Unmigrated(t).AsOwner()
	db := database(t, b)
	if err := store.MigrateTo(ctx, db, 32); err != nil {
		t.Fatal(err)
	}
	beside(t, db, "INSERT INTO organisations (org_id, name, profile, hubs, created_at, updated_at) VALUES ($1, 'Quay', '{}', '{}', now(), now())", string(ours))
	const former = 10_000
	at := time.Now().AddDate(0, 0, -1).UTC().Truncate(time.Millisecond)
	last := audit.Event{}
	write := func(n int) {
		var sequences []int64
		var ids, hashes, previous []string
		for range n {
			e := audit.Event{ID: uuid(int(last.Sequence) + 1000), OccurredAt: at, Hub: "customs", Type: "t", ResourceType: "r", ResourceID: "x"}
			e.Seal(ours, last.Sequence, last.Hash)
			sequences, ids, hashes, previous = append(sequences, e.Sequence), append(ids, e.ID), append(hashes, e.Hash), append(previous, e.PreviousHash)
			last = e
		}
		beside(t, db, insertEvent, string(ours), audit.Instant(at), sequences, ids, hashes, previous)
	}
	write(former)

	var writer sync.WaitGroup
	migrated := make(chan struct{})
	writer.Go(func() { // the former program goes on
		for {
			write(1)
			select {
			case <-migrated:
				return
			default:
			}
		}
	})
	s, err := store.Open(ctx, b.Options())
	close(migrated)
	writer.Wait()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	write(1)
	note(t, s, ours)
	if last.Sequence < former+2 {
		t.Errorf("%d events were written meanwhile", last.Sequence-former)
	}
	verify(t, s, ours, last.Sequence+1)
	for _, table := range []string{"events", "deliveries", "notices"} {
		var kind string
		if err := db.QueryRow("SELECT relkind FROM pg_class WHERE relname = $1", table).Scan(&kind); err != nil || kind != "p" {
			t.Errorf("%s is %q, %v", table, kind, err)
		}
	}
}

func note(t *testing.T, s *store.Store, org tenant.ID) {
	t.Helper()
	update(t, s, org, func(tx *store.Tx) error {
		return tx.Record(audit.Event{ID: uuid(7), Hub: "customs", Type: "t", ResourceType: "r", ResourceID: "x"})
	})
}

// Row-level security and append-only triggers also apply to a partition that is addressed by its
// own name.
func TestPartitionsAreProtected(t *testing.T) {
	b := storetest.Postgres(t)
	s := open(t, b)
	note(t, s, ours)
	db := database(t, b)
	rows, err := db.Query("SELECT c.relname, p.relname, c.relforcerowsecurity AND c.relrowsecurity, (SELECT count(*) FROM pg_policy y WHERE y.polrelid = c.oid), " +
		"(SELECT count(*) FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary) " +
		"FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent WHERE c.relkind = 'r' AND p.relkind = 'p'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]int{}
	for rows.Next() {
		var name, parent string
		var forced bool
		var policies, keys int
		if err := rows.Scan(&name, &parent, &forced, &policies, &keys); err != nil {
			t.Fatal(err)
		}
		if found[parent]++; !forced || policies != 1 || keys != 1 {
			t.Errorf("%s: forced %t, %d policies, %d primary keys", name, forced, policies, keys)
		}
		if parent != "events" {
			continue
		}
		for _, statement := range []string{"UPDATE " + name + " SET hub = 'x'", "TRUNCATE " + name} {
			if _, err := db.Exec(statement); err == nil {
				t.Errorf("%s was allowed", statement)
			}
		}
	}
	for _, table := range []string{"events", "notices", "deliveries"} { // how many there are depends on the day of the month
		if found[table] < 2 {
			t.Errorf("%d partitions of %s", found[table], table)
		}
	}
	for scope, want := range map[string]int{string(ours): 1, string(theirs): 0} {
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		var n int
		_, _ = tx.Exec("SELECT set_config('tidewaiter.org', $1, true)", scope)
		if err := tx.QueryRow("SELECT count(*) FROM events_past").Scan(&n); err != nil || n != want {
			t.Errorf("%s sees %d, %v", scope, n, err)
		}
		if _, err := tx.Exec("DELETE FROM events_past"); (err == nil) != (want == 0) {
			t.Errorf("%s deletes: %v", scope, err)
		}
		_ = tx.Rollback()
	}
}

// The sequence of an event is unique across partitions, which no index can ensure: changes of an
// organisation run one at a time, whatever year the clocks of two instances are in, and times in
// the trail do not run backwards.
func TestSequenceAcrossPartitions(t *testing.T) {
	b := storetest.Postgres(t)
	s := open(t, b)
	o := b.Options()
	o.Now = func() time.Time { return time.Date(time.Now().Year()+1, 1, 1, 0, 0, 0, 0, time.UTC) }
	next, err := store.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	const writers, each = 8, 10
	var all sync.WaitGroup
	for n := range writers {
		all.Go(func() {
			for range each {
				err := []*store.Store{s, next}[n%2].Update(ctx, ours, func(tx *store.Tx) error {
					return tx.Record(audit.Event{ID: uuid(n), Hub: "customs", Type: "t", ResourceType: "r", ResourceID: "x"})
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	verify(t, s, ours, writers*each)
}

// If two callers change one record at once, one gets a version conflict, whatever partitions
// their events belong to.
func TestVersionAcrossPartitions(t *testing.T) {
	b := storetest.Postgres(t)
	s := open(t, b)
	o := b.Options()
	o.Now = func() time.Time { return time.Date(time.Now().Year()+1, 1, 1, 0, 0, 0, 0, time.UTC) }
	next, err := store.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	update(t, s, ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 10)) })
	var all sync.WaitGroup
	errs := make([]error, 2)
	for n, store := range []*store.Store{s, next} {
		all.Go(func() { errs[n] = store.Update(ctx, ours, second) })
	}
	all.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Errorf("want exactly one success: %v", errs)
	}
	verify(t, s, ours, 2)
}

// second changes record 10 a second time.
func second(tx *store.Tx) error {
	c := draft(tx, 10)
	c.Filing.Version, c.Keys, c.Event.ID = 2, nil, uuid(11)
	return tx.Write(c)
}
