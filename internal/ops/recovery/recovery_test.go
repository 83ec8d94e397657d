package recovery_test

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
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/ops/recovery"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// newInstallation returns the settings of an installation with one organisation, a master key and some events.
func newInstallation(t *testing.T, events int) (config.Config, tenant.ID) {
	t.Helper()
	c := apptest.Simulated(t)
	var org tenant.ID
	apptest.Serve(t, c, time.Now, func(ctx context.Context, a *app.App, _ string) {
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

func backupOf(t *testing.T, c config.Config, withKey bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "backup.zip")
	if _, err := recovery.Backup(t.Context(), c, app.Deps{}.Environment(), path, withKey); err != nil {
		t.Fatal(err)
	}
	return path
}

// emptyFolder returns the same settings with an empty data folder.
func emptyFolder(t *testing.T, c config.Config) config.Config {
	c.Data = filepath.Join(t.TempDir(), "data")
	return c
}

// A backup that is made while the service writes contains everything that was acknowledged before it began, and its
// audit trails are unbroken.
func TestBackupDuringWrites(t *testing.T) {
	c, org := newInstallation(t, 3000)
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
		if _, err := recovery.Backup(t.Context(), c, app.Deps{}.Environment(), path, true); err != nil {
			t.Fatal(err)
		}
		if len(before) > 0 && len(done()) > len(before) {
			break // events were written during the backup
		}
		if tries > 100 {
			t.Fatal("no event was written during the backup")
		}
	}
	stop()
	writing.Wait()
	verified, err := recovery.Verify(t.Context(), config.Config{Data: t.TempDir()}, app.Deps{}.Environment(), path)
	if err != nil || verified.Key != masterkey.Right || len(verified.Trails) != 1 || verified.Trails[0].Events < int64(3000+len(before)) {
		t.Fatalf("%+v, %v", verified, err)
	}
	there := emptyFolder(t, c)
	if r, err := recovery.Restore(t.Context(), there, app.Deps{}.Environment(), path); err != nil || r.Key != masterkey.Right {
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
		t.Errorf("temporary files remain: %q", left)
	}
}

// An interrupted backup leaves no file. Backup fails if the file exists, the folder has no database, the requested key
// is missing, or the database is damaged.
func TestBackupFails(t *testing.T) {
	c, _ := newInstallation(t, 300)
	folder := t.TempDir()
	path := filepath.Join(folder, "backup.zip")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := recovery.Backup(stopped, c, app.Deps{}.Environment(), path, false); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("files remain: %v, %v", left, err)
	}
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails := func(c config.Config, path string, withKey bool, text string) {
		t.Helper()
		if _, err := recovery.Backup(t.Context(), c, app.Deps{}.Environment(), path, withKey); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("want %q, got %v", text, err)
		}
	}
	fails(c, path, false, "already exists")
	fails(emptyFolder(t, c), path+"2", false, "there is no database")
	if err := os.Remove(filepath.Join(c.Data, "master.key")); err != nil {
		t.Fatal(err)
	}
	fails(c, path+"3", true, "master key")
	database, err := os.OpenFile(filepath.Join(c.Data, sqlite.File), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	if _, err := database.WriteAt(slices.Repeat([]byte{0xff}, 200_000), 400_000); err != nil {
		t.Fatal(err)
	}
	fails(c, path+"4", false, "is damaged")
}

// Restore fails if the folder has an installation or another master key, if the settings name PostgreSQL, or if the
// backup is of a newer program, truncated, or has another database than its manifest.
func TestRestoreFails(t *testing.T) {
	c, _ := newInstallation(t, 3)
	path := backupOf(t, c, true)
	fails := func(c config.Config, path, text string) {
		t.Helper()
		before, _ := os.ReadDir(c.Data)
		if _, err := recovery.Restore(t.Context(), c, app.Deps{}.Environment(), path); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("want %q, got %v", text, err)
		}
		if after, _ := os.ReadDir(c.Data); len(after) != len(before) {
			t.Errorf("%s: it left %v", text, after)
		}
	}
	fails(c, path, "contains an installation")
	other := emptyFolder(t, c)
	key, err := masterkey.New()
	if err = errors.Join(err, os.MkdirAll(other.Data, 0o700), os.WriteFile(filepath.Join(other.Data, "master.key"), key, 0o600)); err != nil {
		t.Fatal(err)
	}
	fails(other, path, "has another master key")
	fails(other, backupOf(t, c, false), "is not the one that encrypted the secrets in the backup")
	postgres := emptyFolder(t, c)
	postgres.DatabaseURL = "postgres://x"
	fails(postgres, path, "the settings name PostgreSQL")

	where := emptyFolder(t, c)
	if err := os.MkdirAll(where.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	fails(where, altered(t, path, func(m *backup.Manifest) { m.Schema = 9999 }), "Use the newer program")
	fails(where, altered(t, path, func(m *backup.Manifest) { m.Rows["events"]++ }), "the table events has")
	fails(where, altered(t, path, func(m *backup.Manifest) { m.Heads[0].Hash = "0" }), "the trails do not end")
	if err := os.Truncate(path, 100_000); err != nil {
		t.Fatal(err)
	}
	fails(where, path, "cut short")
}

// altered returns a copy of a backup with a changed manifest.
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

// Verification names an event that SQL changed. Such a backup can still be restored.
func TestVerifyFindsChangedEvent(t *testing.T) {
	c, org := newInstallation(t, 300)
	db, err := sql.Open("sqlite", filepath.Join(c.Data, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("DROP TRIGGER events_are_never_changed; UPDATE events SET data = '{}' WHERE sequence = 200")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	path := backupOf(t, c, false)
	var d *backup.Damaged
	_, err = recovery.Verify(t.Context(), c, app.Deps{}.Environment(), path)
	if !errors.As(err, &d) || !strings.Contains(err.Error(), string(org)) || !strings.Contains(err.Error(), "event 200") {
		t.Errorf("got %v", err)
	}
	if r, err := recovery.Restore(t.Context(), emptyFolder(t, c), app.Deps{}.Environment(), path); err != nil || r.Key != masterkey.Missing {
		t.Errorf("%+v, %v", r, err)
	}
}
