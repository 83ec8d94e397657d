package app_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// installation is a data folder with one organisation, a master key, and a trail of some
// length.
func installation(t *testing.T, events int) (config.Config, tenant.ID) {
	t.Helper()
	c := simulated(t)
	var org tenant.ID
	serve(t, c, time.Now, func(ctx context.Context, a *app.App, _ string) {
		f, err := a.CreateOrganisation(ctx, "Quay", "")
		if err != nil {
			t.Error(err)
			return
		}
		org = f.Organisation.ID
		err = a.Store.Update(ctx, org, func(tx *store.Tx) error {
			for range events {
				if err := tx.Record(event(a)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	return c, org
}

func event(a *app.App) audit.Event {
	return audit.Event{
		ID: a.IDs.UUID(), Hub: "tss", Type: "t", ResourceType: "r", ResourceID: "x", ActorUserID: "u", ActorType: tenant.ByUser, KeyID: "k",
		Data: fmt.Appendf(nil, `{"text":%q}`, strings.Repeat("long ", 500)),
	}
}

func backedUp(t *testing.T, c config.Config, withKey bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "backup.zip")
	if _, err := app.Backup(t.Context(), c, app.Deps{}, path, withKey); err != nil {
		t.Fatal(err)
	}
	return path
}

// elsewhere is an empty data folder with the same settings.
func elsewhere(t *testing.T, c config.Config) config.Config {
	c.Data = filepath.Join(t.TempDir(), "data")
	return c
}

// A backup that is made while others write has everything that was acknowledged before it
// began, in trails that are unbroken.
func TestBackupBesideWriters(t *testing.T) {
	c, org := installation(t, 3000)
	a, err := app.Open(t.Context(), c, app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var mu sync.Mutex
	var acknowledged []string
	done := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(acknowledged)
	}
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	for range 4 {
		writing.Go(func() {
			for ctx.Err() == nil {
				e := event(a)
				if err := a.Store.Update(t.Context(), org, func(tx *store.Tx) error { return tx.Record(e) }); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				acknowledged = append(acknowledged, e.ID)
				mu.Unlock()
			}
		})
	}
	var before []string
	var path string
	for tries := 0; ; tries++ {
		before, path = done(), filepath.Join(t.TempDir(), "backup.zip")
		if _, err := app.Backup(t.Context(), c, app.Deps{}, path, true); err != nil {
			t.Fatal(err)
		}
		if len(before) > 0 && len(done()) > len(before) {
			break // others wrote meanwhile
		}
		if tries > 100 {
			t.Fatal("nobody writes")
		}
	}
	stop()
	writing.Wait()
	proved, err := app.VerifyBackup(t.Context(), config.Config{Data: t.TempDir()}, app.Deps{}, path)
	if err != nil || proved.Key != app.KeyOpens || len(proved.Trails) != 1 || proved.Trails[0].Events < int64(3000+len(before)) {
		t.Fatalf("%+v, %v", proved, err)
	}
	there := elsewhere(t, c)
	if r, err := app.Restore(t.Context(), there, app.Deps{}, path); err != nil || r.Key != app.KeyOpens {
		t.Fatalf("%+v, %v", r, err)
	}
	restored, err := app.Open(t.Context(), there, app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	err = restored.Store.View(t.Context(), org, func(tx *store.Tx) error {
		found := map[string]bool{}
		events, err := tx.EventsAfter(0, 1_000_000)
		for _, e := range events {
			found[e.ID] = true
		}
		for _, id := range before {
			if !found[id] {
				t.Errorf("the event %s was acknowledged before the backup began, and is not in it", id)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.partial-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// A backup that is broken off leaves nothing, one is never overwritten, and none is made
// of a folder without a database, without the key that was asked for, or of damage.
func TestBackupRefuses(t *testing.T) {
	c, _ := installation(t, 300)
	folder := t.TempDir()
	path := filepath.Join(folder, "backup.zip")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := app.Backup(stopped, c, app.Deps{}, path, false); !errors.Is(err, context.Canceled) {
		t.Errorf("broken off: %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	refuses := func(c config.Config, path string, withKey bool, because string) {
		t.Helper()
		if _, err := app.Backup(t.Context(), c, app.Deps{}, path, withKey); err == nil || !strings.Contains(err.Error(), because) {
			t.Errorf("want %q, got %v", because, err)
		}
	}
	refuses(c, path, false, "is there already")
	refuses(elsewhere(t, c), path+"2", false, "there is no database")
	if err := os.Remove(filepath.Join(c.Data, "master.key")); err != nil {
		t.Fatal(err)
	}
	refuses(c, path+"3", true, "master key")
	database, err := os.OpenFile(filepath.Join(c.Data, sqlite.File), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	if _, err := database.WriteAt(slices.Repeat([]byte{0xff}, 200_000), 400_000); err != nil {
		t.Fatal(err)
	}
	refuses(c, path+"4", false, "is damaged")
}

// What is restored nowhere: over an installation, beside another master key, of a newer
// program, beside PostgreSQL, or with another database than the manifest's.
func TestRestoreRefuses(t *testing.T) {
	c, _ := installation(t, 3)
	path := backedUp(t, c, true)
	refuses := func(c config.Config, path, because string) {
		t.Helper()
		before, _ := os.ReadDir(c.Data)
		if _, err := app.Restore(t.Context(), c, app.Deps{}, path); err == nil || !strings.Contains(err.Error(), because) {
			t.Errorf("want %q, got %v", because, err)
		}
		if after, _ := os.ReadDir(c.Data); len(after) != len(before) {
			t.Errorf("%s: it left %v", because, after)
		}
	}
	refuses(c, path, "holds an installation")
	other := elsewhere(t, c)
	key, err := app.NewMasterKey()
	if err = errors.Join(err, os.MkdirAll(other.Data, 0o700), os.WriteFile(filepath.Join(other.Data, "master.key"), key, 0o600)); err != nil {
		t.Fatal(err)
	}
	refuses(other, path, "another master key is here")
	refuses(other, backedUp(t, c, false), "is not the one that the secrets in the backup are sealed with")
	postgres := elsewhere(t, c)
	postgres.DatabaseURL = "postgres://x"
	refuses(postgres, path, "the settings name PostgreSQL")

	where := elsewhere(t, c)
	if err := os.MkdirAll(where.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	refuses(where, altered(t, path, func(m *backup.Manifest) { m.Schema = 9999 }), "use the newer program")
	refuses(where, altered(t, path, func(m *backup.Manifest) { m.Rows["events"]++ }), "the table events has")
	refuses(where, altered(t, path, func(m *backup.Manifest) { m.Heads[0].Hash = "0" }), "the trails do not end")
	if err := os.Truncate(path, 100_000); err != nil {
		t.Fatal(err)
	}
	refuses(where, path, "cut short")
}

// altered is a backup that was made anew with another manifest.
func altered(t *testing.T, path string, change func(*backup.Manifest)) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := backup.Open(strings.NewReader(string(content)), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var database strings.Builder
	if err := b.Database(&database); err != nil {
		t.Fatal(err)
	}
	change(&b.Manifest)
	file, err := os.Create(filepath.Join(t.TempDir(), "altered.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := backup.Write(file, b.Manifest, strings.NewReader(database.String()), nil); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}

// A backup proves its trails: an event that was changed behind the service's back is
// named. It is restored all the same, when that is what there is.
func TestVerifyBackupFollowsTrails(t *testing.T) {
	c, org := installation(t, 300)
	db, err := sql.Open("sqlite", filepath.Join(c.Data, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("DROP TRIGGER events_are_never_changed; UPDATE events SET data = '{}' WHERE sequence = 200")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	path := backedUp(t, c, false)
	var d *backup.Damaged
	_, err = app.VerifyBackup(t.Context(), c, app.Deps{}, path)
	if !errors.As(err, &d) || !strings.Contains(err.Error(), string(org)) || !strings.Contains(err.Error(), "event 200") {
		t.Errorf("got %v", err)
	}
	if r, err := app.Restore(t.Context(), elsewhere(t, c), app.Deps{}, path); err != nil || r.Key != app.KeyMissing {
		t.Errorf("%+v, %v", r, err)
	}
}
