package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A snapshot of this process that lasts too long while the write-ahead log grows is ended, so that the log is emptied
// and changes go on.
func TestLongReaderIsEnded(t *testing.T) {
	b := storetest.SQLite(t)
	o := b.Options()
	o.LogLimit = 2 << 20
	sqlite.EndSnapshotsAfter(t, 1)
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	reading, read := make(chan struct{}), make(chan error, 1)
	go func() {
		read <- s.Scan(t.Context(), "00000000-0000-4000-8000-000000000001", func(tx *store.Tx) error {
			for first := true; ; first = false {
				if _, err := tx.Holds(); err != nil {
					return err
				}
				if first {
					close(reading)
				}
				time.Sleep(time.Millisecond)
			}
		})
	}()
	<-reading
	value, limit := strings.Repeat("x", 200_000), time.Now().Add(time.Minute)
	for n := 0; ; n++ {
		if _, err := s.InitInstallationValue(t.Context(), "value "+time.Duration(n).String(), value); err != nil && !apierr.Is(err, apierr.StoreUnavailable) {
			t.Fatal(err)
		}
		select {
		case err := <-read:
			if !apierr.Is(err, apierr.StoreUnavailable) {
				t.Fatalf("the read ended with %v", err)
			}
		default:
			if time.Now().After(limit) {
				t.Fatal("the read was not ended")
			}
			continue
		}
		break
	}
	for err = errors.New("none yet"); err != nil; time.Sleep(10 * time.Millisecond) {
		if _, err = s.InitInstallationValue(t.Context(), "last value", value); err != nil && time.Now().After(limit) {
			t.Fatalf("no change is stored: %v", err)
		}
	}
	if info, err := os.Stat(filepath.Join(b.Folder, sqlite.File+"-wal")); err != nil || info.Size() > 4<<20 {
		t.Errorf("the log has %d bytes, %v", info.Size(), err)
	}
}
