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

// Commits are moved from the write-ahead log to the database file in the background, long before
// the log is full.
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
			t.Fatalf("the log has %d bytes, and the database still has %d", size(sqlite.File+"-wal"), before)
		}
	}
}

// A closed store leaves one complete file without a log, and returns an error to later calls.
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
		t.Errorf("a closed store returns %v", err)
	}
}
