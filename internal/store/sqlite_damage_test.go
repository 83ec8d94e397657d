package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A damaged database is not opened, and the error says what to do.
func TestDamagedDatabaseIsNotOpened(t *testing.T) {
	for name, at := range map[string]struct{ from, to float64 }{"in the middle": {0.4, 0.6}, "all but the first page": {0.1, 1}} {
		b := filledStore(t)
		damage(t, b, at.from, at.to)
		s, err := store.Open(t.Context(), b.Options())
		if err == nil {
			_ = s.Close()
			t.Errorf("%s: the damaged database was opened", name)
			continue
		}
		for _, part := range []string{"damaged", b.Folder, "restore a backup"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", name, err, part)
			}
		}
	}
}

// Damage that is found while the store is open stops all reads and writes.
func TestDamageStopsReadsAndWrites(t *testing.T) {
	b := filledStore(t)
	s, err := store.Open(t.Context(), b.Options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	damage(t, b, 0.1, 1)
	_, err = s.LeaseJobs(t.Context(), "q", 2_000, time.Minute)
	if f, ok := apierr.As(err); !ok || f.Code != apierr.StoreUnavailable || !strings.Contains(f.Message, "damaged") {
		t.Fatalf("error after damage: %v", err)
	}
	for what, err := range map[string]error{
		"writing": s.Update(t.Context(), ours, func(tx *store.Tx) error { return tx.Enqueue(jobs.Job{ID: uuid(1), Queue: "q", Subject: "s"}) }),
		"health":  s.Ping(t.Context()),
	} {
		if !apierr.Is(err, apierr.StoreUnavailable) {
			t.Errorf("%s after damage: %v", what, err)
		}
	}
}

// filledStore returns a database with some megabytes of jobs.
func filledStore(t *testing.T) storetest.Backend {
	t.Helper()
	b := storetest.SQLite(t)
	s, err := store.Open(t.Context(), b.Options())
	if err != nil {
		t.Fatal(err)
	}
	update(t, s, ours, func(tx *store.Tx) error {
		for i := range 2_000 {
			if err := tx.Enqueue(jobs.Job{ID: uuid(i), Queue: "q", Subject: strings.Repeat("s", 1_000)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return b
}

// damage overwrites a part of the database file.
func damage(t *testing.T, b storetest.Backend, from, to float64) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(b.Folder, sqlite.File), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for at := int64(from*float64(info.Size())) / page * page; at+page <= int64(to*float64(info.Size())); at += page {
		if _, err := file.WriteAt([]byte(strings.Repeat("\xa5", page)), max(at, page)); err != nil {
			t.Fatal(err)
		}
	}
}
