package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/work"
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
	before := size("tidewaiter.db")
	update(t, s, ours, func(tx *store.Tx) error {
		for i := range 500 {
			if err := tx.Enqueue(work.Job{ID: uuid(i), Queue: "q", Subject: "s"}); err != nil {
				return err
			}
		}
		return nil
	})
	for until := time.Now().Add(10 * time.Second); size("tidewaiter.db") == before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("the log has %d bytes, and the database the %d that it had", size("tidewaiter.db-wal"), before)
		}
	}
}
