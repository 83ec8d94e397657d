package storetest

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording/recordingtest"
)

// Recorded imports recorded answers of HMRC's tariff service, by the names of their files, and returns the tariff that then is in
// force. The test is skipped where the recordings are absent.
func Recorded(t testing.TB, s official.Store, names ...string) *official.Library {
	t.Helper()
	var files []official.File
	for _, archive := range []string{"commodities.tar.gz", "nested.tar.gz"} {
		recordingtest.Each(t, filepath.Join(shared(t), "tariff", "measures", archive), func(name string, document []byte) {
			if slices.Contains(names, name) {
				files = append(files, official.File{Name: name, Reader: bytes.NewReader(document)})
			}
		})
	}
	if len(files) != len(names) {
		t.Fatalf("%d of %d recordings exist", len(files), len(names))
	}
	ctx := context.Background()
	if _, err := official.Import(ctx, s, files, official.ImportOptions{Today: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	var l official.Library
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	return &l
}

// shared is the folder of specification and facts beside the repository.
func shared(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return filepath.Join(filepath.Dir(folder), "shared")
		} else if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(folder) == folder {
			t.Fatal("the root of the repository was not found")
		}
		folder = filepath.Dir(folder)
	}
}
