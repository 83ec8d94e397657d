package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// What is committed comes out of the log into the database file by itself, long
// before the log is full.
func TestLogIsCheckpointed(t *testing.T) {
	b := storetest.SQLite(t)
	s := open(t, b)
	size := func(file string) int64 {
		info, err := os.Stat(filepath.Join(b.Folder, file))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size(sqlite.File)
	update(t, s, ours, func(tx *store.Tx) error {
		for i := range 500 {
			if err := tx.Enqueue(jobs.Job{ID: uuid(i), Queue: "q", Subject: "s"}); err != nil {
				return err
			}
		}
		return nil
	})
	for until := time.Now().Add(time.Minute); size(sqlite.File) == before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("the log has %d bytes, and the database the %d that it had", size(sqlite.File+"-wal"), before)
		}
	}
}

// A store that was closed leaves one whole file, with nothing beside it in a log, and
// answers whoever still asks.
func TestClosedStoreIsOneFile(t *testing.T) {
	b := storetest.SQLite(t)
	s, err := store.Open(t.Context(), b.Options())
	if err != nil {
		t.Fatal(err)
	}
	update(t, s, ours, func(tx *store.Tx) error { return tx.Enqueue(jobs.Job{ID: uuid(1), Queue: "q", Subject: "s"}) })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(filepath.Join(b.Folder, sqlite.File+suffix)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", suffix, err)
		}
	}
	if err := s.View(t.Context(), ours, func(*store.Tx) error { return nil }); !apierr.Is(err, apierr.StoreUnavailable) {
		t.Errorf("a closed store answers %v", err)
	}
}
