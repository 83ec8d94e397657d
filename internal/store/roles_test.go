package store_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// as is the address of a database for another role, whose name is its password.
func as(t *testing.T, address, role string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(role, role)
	return u.String()
}

// fresh is a role of the test's own, which ends with it.
func fresh(t *testing.T, b storetest.Backend) string {
	t.Helper()
	name := fmt.Sprintf("service_%016x", rand.Uint64())
	admin := storetest.Superuser(t, b)
	t.Cleanup(func() { _, _ = admin.Exec("DROP OWNED BY " + name + "; DROP ROLE IF EXISTS " + name) })
	return name
}

// Migrating as the owner creates the requested role. The service can run as it without faults,
// and it cannot change tables or policies. A second migration changes nothing.
func TestMigrateCreatesTheRole(t *testing.T) {
	b := storetest.Unmigrated(t)
	admin := storetest.Superuser(t, b)
	name := fresh(t, b)
	if _, err := admin.Exec("ALTER ROLE tidewaiter_owner CREATEROLE"); err != nil {
		t.Fatal(err)
	}
	o := b.Options()
	o.URL, o.OwnerURL = as(t, b.URL, name), b.Owner
	if _, err := store.Migrate(ctx, o, ""); err == nil || !strings.Contains(err.Error(), "there is no role "+name) {
		t.Errorf("a role that was not requested: %v", err)
	}
	for _, made := range []bool{true, false} {
		m, err := store.Migrate(ctx, o, name)
		if err != nil || m.Made != made || m.Passwordless || m.Role != name || m.Schema < 32 || m.Tables < 35 {
			t.Fatalf("%+v, %v", m, err)
		}
	}
	if m, err := store.Migrate(ctx, o, fresh(t, b)); err != nil || !m.Made || !m.Passwordless {
		t.Errorf("a role without an address: %+v, %v", m, err)
	}
	o.OwnerURL = ""
	s, err := store.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if r := rights(t, s); r.Role != name || len(r.Faults()) > 0 {
		t.Errorf("%+v", r.Faults())
	}
	for _, statement := range []string{
		"CREATE TABLE more (id int)", "DROP TABLE answers", "ALTER TABLE filings DISABLE ROW LEVEL SECURITY", "DROP POLICY own_rows ON filings",
		"TRUNCATE filings", "SET LOCAL ROLE tidewaiter_owner", "DELETE FROM goose_db_version",
	} {
		if err := s.Update(ctx, ours, func(tx *store.Tx) error { return store.ExecUnguarded(tx, statement) }); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// Migrate repairs wrong rights. If they are right, a start writes nothing.
func TestMigrateRepairsRights(t *testing.T) {
	b := storetest.Postgres(t)
	w := &rlsFixture{T: t, Backend: b, db: storetest.Superuser(t, b)}
	o := b.Options()
	o.OwnerURL = b.Owner
	s := b.Open(t)
	for _, wrong := range []string{
		"GRANT UPDATE, TRUNCATE ON events TO tidewaiter", "REVOKE ALL ON jobs FROM tidewaiter", "GRANT CREATE ON SCHEMA public TO PUBLIC",
		"CREATE TABLE newer (org_id UUID); ALTER TABLE newer OWNER TO tidewaiter_owner; ALTER TABLE newer ENABLE ROW LEVEL SECURITY; ALTER TABLE newer FORCE ROW LEVEL SECURITY; " +
			"CREATE POLICY own_rows ON newer USING (org_id::text = (SELECT current_setting('tidewaiter.org', true)))",
	} {
		w.do(wrong)
		if len(rights(t, s).Faults()) == 0 {
			t.Errorf("Rights does not report %s", wrong)
		}
		if _, err := store.Migrate(ctx, o, ""); err != nil {
			t.Fatal(err)
		}
		if faults := rights(t, s).Faults(); len(faults) > 0 {
			t.Errorf("after %s and migrating: %q", wrong, faults)
		}
	}
	before := w.list("SELECT string_agg(xmin::text, ' ' ORDER BY oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace")
	if _, err := store.Migrate(ctx, o, ""); err != nil {
		t.Fatal(err)
	}
	if after := w.list("SELECT string_agg(xmin::text, ' ' ORDER BY oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace"); after[0] != before[0] {
		t.Error("correct rights were written again")
	}
}

// A role that bypasses row-level security gets no rights, nor does one that can become the
// owner.
func TestMigrateRefusesStrongRoles(t *testing.T) {
	b := storetest.Unmigrated(t)
	admin := storetest.Superuser(t, b)
	for attribute, words := range map[string]string{"SUPERUSER": "can bypass", "BYPASSRLS": "can bypass", "IN ROLE tidewaiter_owner": "member of the owner's"} {
		name := fresh(t, b)
		if _, err := admin.Exec("CREATE ROLE " + name + " LOGIN PASSWORD '" + name + "' " + attribute); err != nil {
			t.Fatal(err)
		}
		o := b.Options()
		o.URL, o.OwnerURL = as(t, b.URL, name), b.Owner
		if _, err := store.Migrate(ctx, o, ""); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", attribute, err)
		}
	}
}

// A service that may not migrate reports an outdated database, or waits until the owner has
// migrated it.
func TestServiceWaitsForMigration(t *testing.T) {
	b := storetest.Unmigrated(t)
	if s, err := store.Open(ctx, b.Options()); err == nil || !strings.Contains(err.Error(), "run `tidewaiter migrate`") {
		t.Fatalf("%v, %v", s, err)
	}
	opened := make(chan error)
	go func() {
		o := b.Options()
		o.SchemaWait = time.Minute
		s, err := store.Open(ctx, o)
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	o := b.Options()
	o.OwnerURL = b.Owner
	if _, err := store.Migrate(ctx, o, ""); err != nil {
		t.Error(err)
	}
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

// If a migration and a change of a running program wait for each other, the migration ends and is made again. The change goes on.
func TestMigrationGivesWay(t *testing.T) {
	b := storetest.Unmigrated(t)
	o := b.Options()
	o.OwnerURL = b.Owner
	if _, err := store.Migrate(ctx, o, ""); err != nil {
		t.Fatal(err)
	}
	admin := storetest.Superuser(t, b)
	at, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"DELETE FROM goose_db_version WHERE version_id = 207", "DROP INDEX client_names", "DROP INDEX filings_without_client", // which locks filing_names first
		"ALTER ROLE tidewaiter_owner IN DATABASE " + at.Path[1:] + " SET deadlock_timeout = '1h'",
	} {
		if _, err := admin.Exec(statement); err != nil {
			t.Fatalf("%v: %s", err, statement)
		}
	}
	change, err := admin.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = change.Rollback() }()
	lock := func(table string) {
		if _, err := change.Exec("LOCK TABLE " + table + " IN ROW EXCLUSIVE MODE"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := change.Exec("SET LOCAL deadlock_timeout = '20s'"); err != nil { // far more than the migration needs on a busy machine
		t.Fatal(err)
	}
	lock("filings")
	migrated := make(chan error, 1)
	go func() {
		_, err := store.Migrate(ctx, o, "")
		migrated <- err
	}()
	for waiting := 0; waiting == 0; time.Sleep(20 * time.Millisecond) {
		if err := admin.QueryRow("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'filings'::regclass").Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	lock("filing_names") // which the migration has
	if err := change.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Error(err)
	}
}

// If four instances start at once on an empty database, with one role or two, all succeed and
// one migrates.
func TestConcurrentStartsMigrateOnce(t *testing.T) {
	for name, starter := range map[string]func(storetest.Backend) store.Options{
		"one role": func(b storetest.Backend) store.Options { return b.AsOwner().Options() },
		"two roles": func(b storetest.Backend) store.Options {
			o := b.Options()
			o.OwnerURL = b.Owner
			return o
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := storetest.Unmigrated(t)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					s, err := store.Open(ctx, starter(b))
					if err != nil {
						t.Error(err)
						return
					}
					_ = s.Close()
				})
			}
			all.Wait()
			var twice int
			const again = "SELECT count(*) - count(DISTINCT version_id) FROM goose_db_version"
			if err := storetest.Superuser(t, b).QueryRow(again).Scan(&twice); err != nil || twice != 0 {
				t.Errorf("%d migrations ran twice: %v", twice, err)
			}
		})
	}
}
