package app

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

func id(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }

// attacker is somebody with the password of the database's owner.
type attacker struct {
	*testing.T
	db  *sql.DB
	app *App
}

const victim, other = tenant.ID("01900000-0000-7000-8000-000000000001"), tenant.ID("01900000-0000-7000-8000-000000000002")

// attack makes two trails of six events, and takes the triggers away.
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
	a := &attacker{T: t, app: &App{Store: s}}
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

// restore puts the trail back as it was.
func (a *attacker) restore() {
	a.do("DELETE FROM events")
	a.do("INSERT INTO events SELECT * FROM kept")
	if v := a.verified(); v[0].Problem != "" || v[1].Problem != "" || v[0].Events != 6 {
		a.Fatalf("restored, and still %+v", v)
	}
}

func (a *attacker) verified(kept ...audit.Checkpoint) []Verified {
	a.Helper()
	all, err := a.app.VerifyAudit(context.Background(), "", kept)
	if err != nil {
		a.Fatal(err)
	}
	return all
}

// found fails the test unless the victim's trail is found broken at a sequence.
func (a *attacker) found(what string, sequence int64, kept ...audit.Checkpoint) {
	a.Helper()
	v := a.verified(kept...)[0]
	if v.Problem == "" || v.BrokenSequence != sequence {
		a.Errorf("%s: %+v, want event %d named", what, v, sequence)
	}
}

// head is what somebody had kept of the victim's trail.
func (a *attacker) head() (c audit.Checkpoint) {
	err := a.app.Store.View(context.Background(), victim, func(tx *store.Tx) error {
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

// Whichever column of an event is changed by hand, the event is named.
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
			a.found(column, 3)
			a.restore()
		}
		for _, column := range append(text, "personal") {
			a.do("UPDATE events SET " + column + " = ''" + third)
			a.found(column+" emptied", 3)
			a.restore()
		}
		a.do("UPDATE events SET sequence = 99" + third)
		a.found("sequence", 4)
		a.restore()
		a.do("DELETE FROM events WHERE org_id = '" + string(other) + "'")
		a.do("UPDATE events SET org_id = '" + string(other) + "'" + third)
		a.found("organisation", 4)
		a.restore()
		if b.Name == "postgres" {
			a.do("UPDATE events SET occurred_at = occurred_at + interval '1 microsecond'" + third)
		} else {
			a.do("UPDATE events SET occurred_at = replace(occurred_at, 'Z', '0Z')" + third)
		}
		a.found("a time in another form", 3)
	})
}

// Events that are deleted, swapped and slipped in are found, the end of the trail by
// whoever kept a checkpoint.
func TestVerifyFindsGapsAndSwaps(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		a := attack(t, b)
		kept := a.head()
		in := " WHERE org_id = '" + string(victim) + "'"
		a.do("DELETE FROM events" + in + " AND sequence = 1")
		a.found("the first deleted", 2)
		a.restore()
		a.do("DELETE FROM events" + third)
		a.found("one deleted", 4)
		a.restore()
		a.do("DELETE FROM events" + third)
		for n := 4; n <= 6; n++ {
			a.do(fmt.Sprintf("UPDATE events SET sequence = %d%s AND sequence = %d", n-1, in, n))
		}
		a.found("one deleted, the rest renumbered", 3)
		a.restore()
		a.do("DELETE FROM events" + in + " AND sequence = 6")
		if v := a.verified()[0]; v.Problem != "" || v.Events != 5 {
			t.Errorf("the last deleted, without a checkpoint: %+v", v)
		}
		a.found("the last deleted", 6, kept)
		a.restore()
		a.do("DELETE FROM events" + in)
		a.found("all deleted", 1)
		a.restore()
		a.do("UPDATE events SET sequence = 99" + third)
		a.do("UPDATE events SET sequence = 3" + in + " AND sequence = 4")
		a.do("UPDATE events SET sequence = 4" + in + " AND sequence = 99")
		a.found("two swapped", 3)
		a.restore()
		a.do("INSERT INTO events SELECT org_id, 7, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, actor_user_id, " +
			"actor_type, key_id, request_id, ip_address, data, hash, previous_hash, personal FROM kept" + in + " AND sequence = 6")
		a.found("one slipped in", 7)
		a.restore()
		if v := a.verified(kept); v[0].Problem != "" || v[1].Problem != "" {
			t.Errorf("untouched: %+v", v)
		}
	})
}

// A trail that was written anew from some event on, with sound hashes, is found by
// whoever kept a checkpoint.
func TestVerifyFindsANewTrail(t *testing.T) {
	a := attack(t, storetest.SQLite(t))
	kept := a.head()
	a.do("DELETE FROM events WHERE org_id = '" + string(victim) + "' AND sequence >= 3")
	err := a.app.Store.Update(t.Context(), victim, func(tx *store.Tx) error {
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
	a.found("with it", 6, kept)
	kept.OrganisationID = ""
	if _, err := a.app.VerifyAudit(t.Context(), "", []audit.Checkpoint{kept}); err == nil {
		t.Error("a checkpoint of nobody was taken")
	}
	if v, err := a.app.VerifyAudit(t.Context(), victim, []audit.Checkpoint{kept}); err != nil || v[0].Problem == "" {
		t.Errorf("by --org: %+v, %v", v, err)
	}
	if _, err := a.app.VerifyAudit(t.Context(), tenant.ID(id(9)), nil); err == nil {
		t.Error("an organisation that is none was verified")
	}
}

// A trail longer than one read is followed to its end.
func TestVerifyFollowsALongTrail(t *testing.T) {
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
	if v, err := (&App{Store: s}).VerifyAudit(t.Context(), victim, nil); err != nil || v[0].Problem != "" || v[0].Events != 2*audit.VerifyPage+1 {
		t.Errorf("%+v, %v", v, err)
	}
}
