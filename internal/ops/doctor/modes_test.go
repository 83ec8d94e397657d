package doctor_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// Doctor reports a data folder that other users can read, and the next start corrects it. Files that SQLite creates are
// private from the beginning.
func TestDataFolderIsPrivate(t *testing.T) {
	c := config.Config{Data: filepath.Join(t.TempDir(), "data"), Customs: config.Customs{Mode: "hmrc"}}
	open := func() {
		a, err := app.Open(t.Context(), c, app.Deps{})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if _, err := masterkey.Open(c); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{".", sqlite.File, sqlite.File + "-wal", sqlite.File + ".lock", masterkey.File} {
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
	for name, mode := range map[string]os.FileMode{".": 0o755, sqlite.File: 0o644, masterkey.File: 0o640} {
		if err := os.Chmod(filepath.Join(c.Data, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	mustFail(t, c, "file modes", "3 of the files")
	open()
	if _, found := examine(t, c, time.Now()); found["file modes"].Outcome != "ok" {
		t.Errorf("%+v", found["file modes"])
	}
}
