package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// A data folder that others may read is reported by doctor, and private after the next
// start; what SQLite creates is private from the beginning.
func TestDataFolderIsPrivate(t *testing.T) {
	c := config.Config{Data: filepath.Join(t.TempDir(), "data"), Customs: config.Customs{Mode: "hmrc"}}
	open := func() {
		a, err := Open(t.Context(), c, Deps{})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if _, err := masterKey("", c.Data); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{".", sqlite.File, sqlite.File + "-wal", sqlite.File + ".lock", masterFile} {
			info, err := os.Stat(filepath.Join(c.Data, name))
			if err != nil {
				t.Fatal(err)
			}
			if open := info.Mode().Perm() & 0o077; open != 0 {
				t.Errorf("%s has mode %04o", name, info.Mode().Perm())
			}
		}
	}
	open()
	for name, mode := range map[string]os.FileMode{".": 0o755, sqlite.File: 0o644, masterFile: 0o640} {
		if err := os.Chmod(filepath.Join(c.Data, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	ill(t, c, "file modes", "3 of the files")
	open()
	if _, found := examine(t, c, time.Now()); found["file modes"].Outcome != "ok" {
		t.Errorf("%+v", found["file modes"])
	}
}
