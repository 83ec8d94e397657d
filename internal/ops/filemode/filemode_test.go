package filemode_test

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/ops/filemode"
)

func put(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// Everything that the service made in the data folder becomes private, whatever its mode was. Other files in the
// folder, and the targets of symbolic links, do not change.
func TestKeep(t *testing.T) {
	folder, outside := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "outside")
	simulator := filepath.Join(folder, "simulator")
	if err := os.MkdirAll(simulator, 0o700); err != nil {
		t.Fatal(err)
	}
	want := map[string]fs.FileMode{folder: 0o700, simulator: 0o700}
	for name, m := range map[string]fs.FileMode{
		"tidewaiter.db": 0o644, "tidewaiter.db-wal": 0o666, "master.key": 0o777, "backup.json": 0o640, "simulator/journal": 0o604, "simulator/seed": 0o600,
		"installation.json": 0o644, "tidewaiter.ballast": 0o644, "tidewaiter.db.server.lock": 0o644, "demo.json": 0o644, "restore-1": 0o644,
	} {
		put(t, filepath.Join(folder, name), m)
		want[filepath.Join(folder, name)] = 0o600
	}
	foreign := map[string]fs.FileMode{"tidewaiter": 0o755, "README.md": 0o644, "cmd/main.go": 0o640, "cmd/master.key": 0o644}
	if err := os.Mkdir(filepath.Join(folder, "cmd"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, m := range foreign {
		put(t, filepath.Join(folder, name), m)
	}
	put(t, outside, 0o644)
	if err := os.Symlink(outside, filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{folder, simulator} {
		if err := os.Chmod(f, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if exposed, err := filemode.Exposed(folder); err != nil || len(exposed) != len(want)-1 {
		t.Fatalf("%d exposed, want %d: %v %v", len(exposed), len(want)-1, exposed, err)
	}

	before := filemode.Umask()
	var log bytes.Buffer
	filemode.Enforce(folder, slog.New(slog.NewTextHandler(&log, nil)))
	for path, m := range want {
		if got := mode(t, path); got != m {
			t.Errorf("%s has mode %04o, want %04o", path, got, m)
		}
	}
	for name, m := range foreign {
		if got := mode(t, filepath.Join(folder, name)); got != m {
			t.Errorf("%s, which is not ours, has mode %04o, was %04o", name, got, m)
		}
	}
	if got := mode(t, outside); got != 0o644 {
		t.Errorf("the file behind the link has mode %04o", got)
	}
	if got := strings.Count(log.String(), "has been corrected"); got != len(want)-1 {
		t.Errorf("%d lines of the log have a mode, want %d:\n%s", got, len(want)-1, log.String())
	}
	if exposed, err := filemode.Exposed(folder); err != nil || len(exposed) != 0 {
		t.Errorf("still exposed: %v %v", exposed, err)
	}
	if got := filemode.Umask(); got != 0o077 {
		t.Errorf("umask %04o, was %04o", got, before)
	}
}

// A data folder that is a symbolic link is followed.
func TestLinkedFolder(t *testing.T) {
	place := t.TempDir()
	link := filepath.Join(t.TempDir(), "data")
	if err := os.Symlink(place, link); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(place, "master.key"), 0o644)
	if _, err := filemode.Repair(link); err != nil {
		t.Fatal(err)
	}
	if got := mode(t, filepath.Join(place, "master.key")); got != 0o600 {
		t.Errorf("the master key has mode %04o", got)
	}
}

func TestNoFolder(t *testing.T) {
	if exposed, err := filemode.Exposed(filepath.Join(t.TempDir(), "none")); err != nil || exposed != nil {
		t.Error(exposed, err)
	}
}
