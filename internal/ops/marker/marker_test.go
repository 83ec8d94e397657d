package marker_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/ops/marker"
)

// A marker is read as it was written, replaced whole, private, and never guessed from a damaged file.
func TestMarker(t *testing.T) {
	folder := t.TempDir()
	if _, err := marker.Read(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	for _, m := range []marker.Marker{{"first"}, {"second"}, {"second"}} {
		if err := marker.Ensure(folder, m); err != nil {
			t.Fatal(err)
		}
		if read, err := marker.Read(folder); read != m || err != nil {
			t.Errorf("%v, %v", read, err)
		}
	}
	path := filepath.Join(folder, marker.File)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if all, err := os.ReadDir(folder); err != nil || len(all) != 1 {
		t.Errorf("left behind: %v, %v", all, err)
	}
	for _, text := range []string{"", "{", "{}", `{"installation":""}`, strings.Repeat(" ", 5000)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := marker.Read(folder); err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "--accept-database") {
			t.Errorf("%.10q: %v", text, err)
		}
	}
}
