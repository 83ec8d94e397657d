package retention_test

import (
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// partitioned returns an archive on PostgreSQL with partitions for past years, as after years of
// operation.
func partitioned(t *testing.T) *fixture {
	a := newFixture(t, storetest.Postgres(t))
	a.do("CREATE TABLE former AS SELECT * FROM events_past") // the events of the organisations
	a.do("DROP TABLE events_past, deliveries_past, notices_past")
	for table, instants := range map[string][]string{
		"deliveries": {"2013-05-05", "2013-06-05", "2014-01-05", "2014-06-05"}, "notices": {"2013-05-05", "2013-06-05", "2014-01-05", "2014-06-05"},
		"events": {"2012-05-05", "2013-05-05", "2014-05-05"},
	} {
		for _, at := range instants {
			a.do("SELECT make_partition('" + table + "', '" + at + "')")
		}
	}
	a.do("INSERT INTO events SELECT * FROM former")
	a.do("DROP TABLE former")
	return a
}

func (a *fixture) there(partition string) bool {
	return a.count("pg_class WHERE relname = '"+partition+"'") == 1
}

// A partition is dropped as a whole if all its rows have expired. Otherwise the expired rows are
// deleted one by one.
func TestPartitionsAreDropped(t *testing.T) {
	a := partitioned(t)
	a.file(ours, "2013-06-01", "2013-06-02", done)
	a.file(theirs, "2013-06-03", "2013-06-04", done)
	a.file(ours, "2014-06-03", "2014-06-04", done)
	a.deliver()
	call := tenant.Call{Principal: tenant.System(theirs)}
	a.now = day("2014-06-05")
	a.update(theirs, func(tx *store.Tx) error { return retention.SetHold(tx, call, a.ids.UUID, "", "inquiry") })
	if !a.there("events_2013") || a.count("events_2013") != 4 || a.count("deliveries_2013_06") != 2 {
		t.Fatal("the partitions are missing")
	}

	r := a.sweep("2014-07-01")
	if a.there("deliveries_2013_06") || a.there("notices_2014_01") || !a.there("deliveries_2014_06") || r[retention.Partitions] != 6 {
		t.Errorf("wrong partitions of deliveries were dropped: %v", r)
	}
	a.sweep("2020-01-01")
	if !a.there("events_2013") || a.count("events_2013 WHERE org_id = '"+string(ours)+"'") != 0 || a.count("events_2013") != 2 {
		t.Errorf("%d events under a hold", a.count("events_2013"))
	}
	a.verify(ours)
	a.verify(theirs)
	a.update(theirs, func(tx *store.Tx) error { return retention.LiftHold(tx, call, a.ids.UUID, "", "closed") })
	if a.sweep("2020-01-02"); a.there("events_2013") || !a.there("events_2014") {
		t.Error("the partition was not dropped after the hold was lifted")
	}
	a.verify(ours)
	a.verify(theirs)
}

// A pending delivery keeps its partition and the partition of its notice.
func TestPendingKeepsPartitions(t *testing.T) {
	a := partitioned(t)
	a.file(ours, "2013-06-01", "2013-06-02", done)
	a.do("UPDATE deliveries SET status = 'DELIVERED' WHERE created_at < '2013-06-02'")
	a.sweep("2014-07-01")
	if !a.there("deliveries_2013_06") || !a.there("notices_2013_06") || a.there("deliveries_2013_05") {
		t.Error("wrong partitions were dropped")
	}
	a.counts(map[string]int{"deliveries": 1, "notices": 1})
}

// The database refuses to drop partitions that are too recent or not cut off, and to drop any in the
// scope of one organisation.
func TestDatabaseRefusesToDrop(t *testing.T) {
	a := partitioned(t)
	a.file(ours, "2013-06-01", "2013-06-02", done)
	for call, want := range map[string]string{
		"drop_partition('events', 'events_2013', now() - interval '3 years')":                 "of events is old enough",
		"drop_partition('deliveries', 'deliveries_2013_06', now())":                           "of deliveries is old enough",
		"drop_partition('filings', 'filings', now() - interval '9 years')":                    "of filings is old enough",
		"make_partition('filings', now())":                                                    "no partition of filings",
		"drop_partition('events', 'events_2013', now() - interval '5 years')::text":           "",
		"drop_partition('events', 'filings', now() - interval '5 years')::text":               "",
		"drop_partition('events', 'events_2014', '2014-06-01'::timestamptz)::text":            "",
		"drop_partition('deliveries', 'deliveries_2013_06', '2014-06-01'::timestamptz)::text": "",
	} {
		var said string
		err := a.raw.QueryRow("SELECT " + call).Scan(&said)
		if want == "" && (err != nil || said != "false") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %s %v", call, said, err)
		}
	}
	a.do("SELECT set_config('tidewaiter.org', '" + string(ours) + "', false)")
	if _, err := a.raw.Exec("SELECT drop_partition('deliveries', 'deliveries_2013_05', '2014-06-01')"); err == nil || !strings.Contains(err.Error(), "belongs to all") {
		t.Errorf("dropped in the scope of one organisation: %v", err)
	}
}

// A row without a partition of its period goes to the default partition. Partitions that are created
// later leave it there.
func TestDefaultPartition(t *testing.T) {
	a := newFixture(t, storetest.Postgres(t))
	a.now = time.Now().AddDate(2, 6, 0)
	note := func() {
		a.update(ours, func(tx *store.Tx) error {
			return tx.Record(audit.Event{ID: a.ids.UUID(), Hub: "customs", Type: "t", ResourceType: "t", ResourceID: "t"})
		})
	}
	note()
	if a.count("events_default") != 1 {
		t.Fatal("the event is not in the default partition")
	}
	made, err := a.store.MakePartitions(t.Context(), a.now)
	if err != nil || len(made) != 9 { // four months of two tables, and next year
		t.Errorf("created %v, %v", made, err)
	}
	again, err := a.store.MakePartitions(t.Context(), a.now)
	if err != nil || len(again) != 0 {
		t.Errorf("second call created %v, %v", again, err)
	}
	note()
	a.now = a.now.AddDate(1, 0, 0)
	note()
	a.counts(map[string]int{"events_default": 2, "events_" + a.now.Format("2006"): 1})
	a.verify(ours)
}

// The sweep works with a database role that owns no tables and cannot delete events.
func TestSweeperOwnsNothing(t *testing.T) {
	a := partitioned(t)
	a.file(ours, "2012-06-01", "2013-06-02", done)
	held := a.file(theirs, "2013-06-03", "2013-06-04", done)
	a.deliver()
	admin, err := sql.Open("pgx", os.Getenv(storetest.PostgresVariable))
	a.must(err)
	defer admin.Close()
	_, err = admin.Exec(`DO $$ BEGIN CREATE ROLE tidewaiter_sweeps LOGIN PASSWORD 'sweeps'; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$`)
	a.must(err)
	u, err := url.Parse(a.place.URL)
	a.must(err)
	u.User = url.UserPassword("tidewaiter_sweeps", "sweeps")
	a.place.URL = u.String()
	o := a.place.Options()
	o.OwnerURL = a.place.Owner
	_, err = store.Migrate(t.Context(), o, "")
	a.must(err)
	a.store = a.open()

	call := tenant.Call{Principal: tenant.System(theirs)}
	a.now = day("2020-01-01")
	a.update(theirs, func(tx *store.Tx) error { return retention.SetHold(tx, call, a.ids.UUID, held, "inquiry") })
	r := a.sweep("2020-01-01")
	if r[retention.Records] != 1 || r[retention.Partitions] != 9 || a.there("events_2012") || a.there("notices_2013_06") || !a.there("events_2013") {
		t.Errorf("removed %v", r)
	}
	if n := a.count("events_2013"); n != 2 {
		t.Errorf("%d events of 2013 remain, want the 2 under a hold", n)
	}
	made, err := a.store.MakePartitions(t.Context(), time.Now().AddDate(1, 0, 0))
	if err != nil || len(made) == 0 {
		t.Errorf("created %v, %v", made, err)
	}
	serving, err := sql.Open("pgx", a.place.URL)
	a.must(err)
	defer serving.Close()
	if _, err := serving.Exec("DELETE FROM events"); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("the service's role can delete events: %v", err)
	}
	a.verify(theirs)
}
