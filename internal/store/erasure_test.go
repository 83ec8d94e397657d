package store_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// openDirect opens the database of a backend directly, as its operator does with SQL.
func openDirect(t *testing.T, b storetest.Backend) *sql.DB {
	t.Helper()
	if b.Name == "postgres" {
		return storetest.Superuser(t, b)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.Folder, sqlite.File)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// invite records an event with an address and an e-mail address.
func invite(t *testing.T, s *store.Store, n int, actor string) {
	t.Helper()
	update(t, s, ours, func(tx *store.Tx) error {
		return tx.Record(audit.Event{
			ID: uuid(n), Hub: "customs", Type: "invitation.created", ResourceType: "invitation", ResourceID: uuid(n + 1000), ActorUserID: actor,
			ActorType: tenant.ByUser, IPAddress: "2001:db8::7", Data: []byte(`{"email":"ada@example.com"}`),
			Personal: []audit.Personal{audit.DataMember("email", "ada@example.com")},
		})
	})
}

func eventsOf(t *testing.T, s *store.Store) (all []audit.Event) {
	t.Helper()
	err := s.View(ctx, ours, func(tx *store.Tx) (err error) { all, err = tx.EventsAfter(0, 1000); return err })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// follow verifies the trail of our organisation.
func follow(t *testing.T, s *store.Store) (erased int64, err error) {
	t.Helper()
	chain := audit.Chain{Org: ours}
	for _, e := range eventsOf(t, s) {
		if err := chain.Next(e); err != nil {
			return chain.Erased, err
		}
	}
	return chain.Erased, nil
}

// A personal value is stored beside its event, shown, and erased so that the trail still verifies.
func TestPersonalValuesAreErased(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		for n := range 5 {
			invite(t, s, n, []string{"a", "b"}[n%2])
		}
		e := eventsOf(t, s)[0]
		shown := e.Shown()
		if strings.Contains(string(e.Data), "@") || shown.IPAddress != "2001:db8::7" || !strings.HasPrefix(string(shown.Data), `{"email":"ada@example.com",`) {
			t.Errorf("%s %s, shown %s %s", e.IPAddress, e.Data, shown.IPAddress, shown.Data)
		}
		if erased, err := follow(t, s); erased != 0 || err != nil {
			t.Errorf("%d erased, %v", erased, err)
		}
		var page []audit.Event
		pages := 0
		for after := (audit.Event{}); ; after = page[len(page)-1] {
			update(t, s, ours, func(tx *store.Tx) (err error) {
				if page, err = tx.EventsBy("a", after, 2); err != nil {
					return err
				}
				for i := range page {
					page[i].Erase((*audit.Personal).IsAddress)
					err = errors.Join(err, tx.SavePersonal(&page[i]))
				}
				return err
			})
			if pages++; len(page) < 2 {
				break
			}
		}
		if erased, err := follow(t, s); erased != 3 || err != nil || pages != 2 {
			t.Errorf("%d erased on %d pages, %v", erased, pages, err)
		}
		shown = eventsOf(t, s)[0]
		if shown = shown.Shown(); shown.IPAddress != audit.Erased || !strings.HasPrefix(string(shown.Data), `{"email":"ada@example.com",`) {
			t.Errorf("shown %s %s", shown.IPAddress, shown.Data)
		}
	})
}

// The database allows erasing personal values, and rejects every other change of an event, even
// by the owner of the tables.
func TestOnlyErasureIsAllowed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		invite(t, s, 1, "a")
		note(t, s, ours) // an event without personal values
		stored := string(eventsOf(t, s)[0].AppendPersonal(nil))
		const erased = `[{"name":"ipAddress"},{"name":"data.email"}]`
		db := openDirect(t, b)
		for _, c := range []struct {
			set  string
			lets bool
		}{
			{"personal = '" + strings.Replace(stored, "2001:db8::7", "192.0.2.1", 1) + "'", false},
			{"personal = ''", false},
			{"personal = '[]'", false},
			{`personal = '[{"name":"ipAddress"}]'`, false},
			{`personal = '[{"name":"data.email"},{"name":"data.email"}]'`, false},
			{"personal = '" + erased + "', hub = 'x'", false},
			{"hub = 'x'", false},
			{"ip_address = ''", false},
			{"personal = '" + erased + "'", true},
			{"personal = '" + stored + "'", false},
		} {
			if _, err := db.Exec("UPDATE events SET " + c.set + " WHERE sequence = 1"); (err == nil) != c.lets {
				t.Errorf("%s: %v", c.set, err)
			}
		}
		if _, err := db.Exec("UPDATE events SET personal = '" + stored + "' WHERE sequence = 2"); err == nil {
			t.Error("personal values were added to a recorded event")
		}
		if n, err := follow(t, s); n != 2 || err != nil {
			t.Errorf("%d erased, %v", n, err)
		}
	})
}

// The role of the service can change only personal values, and only in its own organisation.
func TestRoleErasesOnly(t *testing.T) {
	b := storetest.Postgres(t)
	s := open(t, b)
	invite(t, s, 1, "a")
	b.Owner = b.URL
	db := database(t, b) // as the service
	db.SetMaxOpenConns(1)
	for scope, want := range map[string]int64{string(theirs): 0, string(ours): 1} {
		if _, err := db.Exec("SELECT set_config('tidewaiter.org', '" + scope + "', false)"); err != nil {
			t.Fatal(err)
		}
		r, err := db.Exec(`UPDATE events SET personal = '[{"name":"ipAddress"},{"name":"data.email"}]'`)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := r.RowsAffected(); n != want {
			t.Errorf("%s: %d rows", scope, n)
		}
	}
	for _, column := range []string{"hub", "data", "ip_address", "hash", "previous_hash", "occurred_at", "actor_user_id"} {
		if _, err := db.Exec("UPDATE events SET " + column + " = " + column); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v", column, err)
		}
	}
}

// Verification finds a personal value that was changed with SQL past the triggers, and names its
// event.
func TestChangedPersonalValueIsFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		invite(t, s, 1, "a")
		invite(t, s, 2, "a")
		past := "DROP TRIGGER events_are_only_erased"
		if b.Name == "postgres" {
			past += " ON events"
		}
		db := openDirect(t, b)
		for _, statement := range []string{past, "UPDATE events SET personal = replace(personal, 'ada@', 'eve@') WHERE sequence = 2"} {
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		var broken *audit.Broken
		if _, err := follow(t, s); !errors.As(err, &broken) || broken.EventID != uuid(2) || !strings.Contains(broken.What, "data.email") {
			t.Errorf("got %v", err)
		}
	})
}

// Events of older versions, which stored addresses in the event itself, still verify next to new
// ones.
func TestOlderEventsVerify(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		db := openDirect(t, b)
		old := audit.Event{ID: uuid(1), OccurredAt: nine, Hub: "customs", Type: "t", ResourceType: "r", ResourceID: "x", ActorUserID: "a", ActorType: tenant.ByUser, IPAddress: "192.0.2.1"}
		old.Seal(ours, 0, audit.Genesis)
		_, err := db.Exec("INSERT INTO events (org_id, sequence, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, actor_user_id, actor_type, "+
			"key_id, request_id, ip_address, data, hash, previous_hash) VALUES ($1, 1, $2, $3, 'customs', 't', 'r', 'x', '', '', 'a', $4, '', '', '192.0.2.1', '', $5, '')",
			string(ours), old.ID, audit.Instant(nine), string(tenant.ByUser), old.Hash)
		if err != nil {
			t.Fatal(err)
		}
		invite(t, s, 2, "a")
		if erased, err := follow(t, s); erased != 0 || err != nil {
			t.Errorf("%d erased, %v", erased, err)
		}
		events := eventsOf(t, s)
		if shown := events[0].Shown(); shown.IPAddress != "192.0.2.1" || !events[0].HasPlainAddress() || events[1].HasPlainAddress() {
			t.Errorf("%+v", events)
		}
	})
}
