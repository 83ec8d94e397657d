package verify_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/ops/verify"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// kinds are the kinds of all records.
var kinds = app.Deps{}.Environment().Kinds()

func id(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }

// attacker has the password of the database's owner.
type attacker struct {
	*testing.T
	db    *sql.DB
	store *store.Store
}

const victim, other = tenant.ID("01900000-0000-7000-8000-000000000001"), tenant.ID("01900000-0000-7000-8000-000000000002")

// attack creates two trails of six events, and removes the triggers that protect them.
func attack(t *testing.T, b storetest.Backend) *attacker {
	s := b.Open(t)
	for _, org := range []tenant.ID{victim, other} {
		err := s.Update(t.Context(), org, func(tx *store.Tx) error {
			if err := tx.AddOrganisation(access.Organisation{ID: org, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
				return err
			}
			for n := range 6 {
				err := tx.Record(audit.Event{
					ID: id(100 + n), Hub: "tss", Type: "t", ResourceType: "r", ResourceID: id(50), FromStatus: "A", ToStatus: "B",
					ActorUserID: id(60), ActorType: tenant.ByUser, KeyID: id(70), RequestID: "q", IPAddress: "::1", Data: []byte(`{"n":1}`),
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	a := &attacker{T: t, store: s}
	driver, address := "sqlite", filepath.Join(b.Folder, "tidewaiter.db")
	if b.URL != "" {
		driver, address = "pgx", b.Owner
	}
	var err error
	if a.db, err = sql.Open(driver, address); err != nil {
		t.Fatal(err)
	}
	a.db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = a.db.Close() })
	if b.URL != "" {
		a.do("SELECT set_config('tidewaiter.org', '*', false)")
		a.do("DROP TRIGGER events_are_never_changed ON events")
		a.do("DROP TRIGGER events_are_never_deleted ON events")
		a.do("DROP TRIGGER events_are_only_erased ON events")
	} else {
		a.do("DROP TRIGGER events_are_never_changed")
		a.do("DROP TRIGGER events_are_never_deleted")
		a.do("DROP TRIGGER events_are_only_erased")
	}
	a.do("CREATE TABLE kept AS SELECT * FROM events")
	return a
}

func (a *attacker) do(statement string) {
	a.Helper()
	if _, err := a.db.Exec(statement); err != nil {
		a.Fatalf("%s: %v", statement, err)
	}
}

// restore restores the original trails.
func (a *attacker) restore() {
	a.do("DELETE FROM events")
	a.do("INSERT INTO events SELECT * FROM kept")
	if v := a.verified(); v[0].Problem != "" || v[1].Problem != "" || v[0].Events != 6 {
		a.Fatalf("after restoring: %+v", v)
	}
}

func (a *attacker) verified(kept ...audit.Checkpoint) []verify.Result {
	a.Helper()
	all, err := verify.Trails(context.Background(), a.store, kinds, "", kept)
	if err != nil {
		a.Fatal(err)
	}
	return all
}

// mustFind fails the test unless verification names an event of the victim by its sequence.
func (a *attacker) mustFind(what string, sequence int64, kept ...audit.Checkpoint) {
	a.Helper()
	v := a.verified(kept...)[0]
	if v.Problem == "" || v.BrokenSequence != sequence {
		a.Errorf("%s: %+v, want event %d", what, v, sequence)
	}
}

// head returns a checkpoint of the victim's trail.
func (a *attacker) head() (c audit.Checkpoint) {
	err := a.store.View(context.Background(), victim, func(tx *store.Tx) error {
		newest, err := tx.Events(audit.Query{Limit: 1})
		if err == nil {
			c = newest[0].Checkpoint(victim)
		}
		return err
	})
	if err != nil {
		a.Fatal(err)
	}
	return c
}

const third = " WHERE org_id = '" + string(victim) + "' AND sequence = 3"

// A change of any column of an event is found.
func TestVerifyFindsChanges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		a := attack(t, b)
		text := []string{"hub", "type", "resource_type", "resource_id", "from_status", "to_status", "actor_user_id", "actor_type", "key_id", "request_id", "ip_address", "data", "hash", "previous_hash"}
		changes := map[string]string{"personal": "replace(personal, '::1', '::2')", "id": "'" + id(999) + "'", "occurred_at": "'2020-01-01T00:00:00.000Z'"}
		for _, column := range text {
			changes[column] = column + " || ' '"
		}
		for column, value := range changes {
			a.do("UPDATE events SET " + column + " = " + value + third)
			a.mustFind(column, 3)
			a.restore()
		}
		for _, column := range append(text, "personal") {
			a.do("UPDATE events SET " + column + " = ''" + third)
			a.mustFind(column+" emptied", 3)
			a.restore()
		}
		a.do("UPDATE events SET sequence = 99" + third)
		a.mustFind("sequence", 4)
		a.restore()
		a.do("DELETE FROM events WHERE org_id = '" + string(other) + "'")
		a.do("UPDATE events SET org_id = '" + string(other) + "'" + third)
		a.mustFind("organisation", 4)
		a.restore()
		if b.Name == "postgres" {
			a.do("UPDATE events SET occurred_at = occurred_at + interval '1 microsecond'" + third)
		} else {
			a.do("UPDATE events SET occurred_at = replace(occurred_at, 'Z', '0Z')" + third)
		}
		a.mustFind("a time in another format", 3)
	})
}

// Deleted, swapped and inserted events are found; at the end of the trail only with a checkpoint.
func TestVerifyFindsGapsAndSwaps(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		a := attack(t, b)
		kept := a.head()
		in := " WHERE org_id = '" + string(victim) + "'"
		a.do("DELETE FROM events" + in + " AND sequence = 1")
		a.mustFind("the first deleted", 2)
		a.restore()
		a.do("DELETE FROM events" + third)
		a.mustFind("one deleted", 4)
		a.restore()
		a.do("DELETE FROM events" + third)
		for n := 4; n <= 6; n++ {
			a.do(fmt.Sprintf("UPDATE events SET sequence = %d%s AND sequence = %d", n-1, in, n))
		}
		a.mustFind("one deleted, the rest renumbered", 3)
		a.restore()
		a.do("DELETE FROM events" + in + " AND sequence = 6")
		if v := a.verified()[0]; v.Problem != "" || v.Events != 5 {
			t.Errorf("the last deleted, without a checkpoint: %+v", v)
		}
		a.mustFind("the last deleted", 6, kept)
		a.restore()
		a.do("DELETE FROM events" + in)
		a.mustFind("all deleted", 1)
		a.restore()
		a.do("UPDATE events SET sequence = 99" + third)
		a.do("UPDATE events SET sequence = 3" + in + " AND sequence = 4")
		a.do("UPDATE events SET sequence = 4" + in + " AND sequence = 99")
		a.mustFind("two swapped", 3)
		a.restore()
		a.do("INSERT INTO events SELECT org_id, 7, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, actor_user_id, " +
			"actor_type, key_id, request_id, ip_address, data, hash, previous_hash, personal FROM kept" + in + " AND sequence = 6")
		a.mustFind("one inserted", 7)
		a.restore()
		if v := a.verified(kept); v[0].Problem != "" || v[1].Problem != "" {
			t.Errorf("untouched: %+v", v)
		}
	})
}

// A trail that was rewritten from some event on, with valid hashes, is found with a checkpoint.
func TestVerifyFindsRewrittenTrail(t *testing.T) {
	a := attack(t, storetest.SQLite(t))
	kept := a.head()
	a.do("DELETE FROM events WHERE org_id = '" + string(victim) + "' AND sequence >= 3")
	err := a.store.Update(t.Context(), victim, func(tx *store.Tx) error {
		for n := range 6 {
			if err := tx.Record(audit.Event{ID: id(200 + n), ActorType: tenant.ByUser}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if v := a.verified()[0]; v.Problem != "" || v.Events != 8 {
		t.Errorf("without the checkpoint: %+v", v)
	}
	a.mustFind("with it", 6, kept)
	kept.OrganisationID = ""
	if _, err := verify.Trails(t.Context(), a.store, kinds, "", []audit.Checkpoint{kept}); err == nil {
		t.Error("a checkpoint without an organisation was accepted")
	}
	if v, err := verify.Trails(t.Context(), a.store, kinds, victim, []audit.Checkpoint{kept}); err != nil || v[0].Problem == "" {
		t.Errorf("by --org: %+v, %v", v, err)
	}
	if _, err := verify.Trails(t.Context(), a.store, kinds, tenant.ID(id(9)), nil); err == nil {
		t.Error("an unknown organisation was verified")
	}
}

// A trail of several pages is verified to its end.
func TestVerifyLongTrail(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	err := s.Update(t.Context(), victim, func(tx *store.Tx) error {
		if err := tx.AddOrganisation(access.Organisation{ID: victim, CreatedAt: time.Now(), UpdatedAt: time.Now()}); err != nil {
			return err
		}
		for n := range 2*audit.VerifyPage + 1 {
			if err := tx.Record(audit.Event{ID: id(n), ActorType: tenant.ByUser}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := verify.Trails(t.Context(), s, kinds, victim, nil); err != nil || v[0].Problem != "" || v[0].Events != 2*audit.VerifyPage+1 {
		t.Errorf("%+v, %v", v, err)
	}
}
