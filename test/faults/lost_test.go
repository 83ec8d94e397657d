package faults_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// databaseFiles are the files of a SQLite database.
var databaseFiles = []string{"tidewaiter.db", "tidewaiter.db-wal", "tidewaiter.db-shm"}

// used is a host that has served an organisation and is stopped.
func used(t *testing.T) (host, *client) {
	t.Helper()
	p := newHost(t, storetest.Backend{Folder: t.TempDir()})
	running, c := p.withOrganisation(t)
	running.Stop(t)
	return p, c
}

// A database that is lost while the service is stopped is not replaced by a new one, whether the file is missing,
// empty, without tables, or another installation's. When it is put back, it is served again.
func TestLostDatabaseIsNotReplaced(t *testing.T) {
	t.Parallel()
	p, c := used(t)
	other, _ := used(t)
	file := filepath.Join(p.Data(), "tidewaiter.db")
	kept := file + ".kept"
	for _, lost := range []struct {
		name, says string
		lose       func(t *testing.T)
	}{
		{"missing", "is missing", func(*testing.T) {}},
		{"empty", "is empty", func(t *testing.T) { write(t, file, nil) }},
		{"another installation's", "of another installation", func(t *testing.T) { copyFile(t, filepath.Join(other.Data(), "tidewaiter.db"), file) }},
		{"without records", "is empty", func(t *testing.T) { copyFile(t, filepath.Join(storetest.SQLite(t).Folder, "tidewaiter.db"), file) }},
	} {
		if err := os.Rename(file, kept); err != nil {
			t.Fatal(err)
		}
		lost.lose(t)
		for _, command := range [][]string{{"serve"}, {"demo"}, {"org", "create", "--name", "New Ltd"}, {"migrate"}, {"audit", "verify"}} {
			code, output := p.ended(t, command...)
			if code != 1 || !strings.Contains(output, lost.says) || !strings.Contains(output, "--accept-database") {
				t.Errorf("%s: %s ended with %d and %s", lost.name, command, code, output)
			}
		}
		if _, err := os.Stat(file); lost.name == "missing" && !os.IsNotExist(err) {
			t.Errorf("a database was created: %v", err)
		}
		if err := os.Rename(kept, file); err != nil {
			t.Fatal(err)
		}
	}
	running := p.serve(t)
	c.turn(running)
	c.shipment(t)
	running.Stop(t)
}

// A master key without a database belongs to a lost installation, also if an older program left no marker.
func TestMasterKeyWithoutDatabase(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.Backend{Folder: t.TempDir()})
	delete(p.Settings, "TIDEWAITER_MASTER_KEY")
	running, _ := p.withOrganisation(t)
	running.Stop(t)
	for _, name := range []string{"installation.json", "tidewaiter.db"} {
		if err := os.Remove(filepath.Join(p.Data(), name)); err != nil {
			t.Fatal(err)
		}
	}
	if code, output := p.ended(t, "serve"); code != 1 || !strings.Contains(output, "is missing") {
		t.Errorf("ended with %d and %s", code, output)
	}
	p.Run(t, "migrate", "--accept-database")
	p.serve(t).Stop(t)
}

// The marker is part of a backup, and is in the folder to which it is restored.
func TestRestoredFolderHasItsMarker(t *testing.T) {
	t.Parallel()
	p, c := used(t)
	backup := filepath.Join(t.TempDir(), "backup.zip")
	p.Run(t, "backup", backup)
	for _, name := range databaseFiles {
		_ = os.Remove(filepath.Join(p.Data(), name))
	}
	p.Run(t, "restore", backup)
	running := p.serve(t)
	c.turn(running)
	c.shipment(t)
	running.Stop(t)
}

// A database file or folder that is moved, deleted or replaced while the service runs is detected within a second:
// the service is not ready, refuses changes, and logs it. When the file is back, changes work again; a replacement
// is never written to.
func TestDatabaseRemovedWhileRunning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		take func(t *testing.T, folder string) (back func())
	}{
		{"moved", func(t *testing.T, folder string) func() {
			return moved(t, filepath.Join(folder, "tidewaiter.db"))
		}},
		{"deleted", func(t *testing.T, folder string) func() {
			if err := os.Remove(filepath.Join(folder, "tidewaiter.db")); err != nil {
				t.Fatal(err)
			}
			return nil
		}},
		{"replaced", func(t *testing.T, folder string) func() {
			file := filepath.Join(folder, "tidewaiter.db")
			copyFile(t, file, file+".copy")
			if err := os.Rename(file+".copy", file); err != nil {
				t.Fatal(err)
			}
			return nil
		}},
		{"log deleted", func(t *testing.T, folder string) func() {
			if err := os.Remove(filepath.Join(folder, "tidewaiter.db-wal")); err != nil {
				t.Fatal(err)
			}
			return nil
		}},
		{"folder moved", func(t *testing.T, folder string) func() { return moved(t, folder) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newHost(t, storetest.Backend{Folder: filepath.Join(t.TempDir(), "data")})
			running, caller := p.withOrganisation(t)
			shipment := caller.shipment(t)
			t.Cleanup(running.Kill)
			back := c.take(t, p.Data())
			a, err := caller.do(t.Context(), http.MethodPost, "/api/declarations", "", input(shipment, "Shirts"))
			if err != nil || a.status != http.StatusServiceUnavailable || a.code() != "store_unavailable" {
				t.Fatalf("a change right after was answered with %d %s, %v", a.status, a.body, err)
			}
			before := time.Now()
			eventually(t, recoverLimit, "the service is not ready", func() bool { return !ready(t, running) })
			eventually(t, recoverLimit, "the log says so", func() bool { return strings.Contains(p.Log.Tail(), "moved, deleted or replaced") })
			t.Logf("detected within %s", time.Since(before))
			switch {
			case c.name == "log deleted": // the database itself is in its place, and has what was acknowledged
				running.Stop(t)
				again := p.serve(t)
				caller.turn(again)
				if a, err := caller.do(t.Context(), http.MethodPost, "/api/declarations", "", input(shipment, "Shirts")); err != nil || a.status != http.StatusCreated {
					t.Errorf("the acknowledged shipment is missing: %d %s, %v", a.status, a.body, err)
				}
				again.Stop(t)
				p.verifyAudit(t)
				return
			case back == nil:
				unwritten(t, p, running)
				return
			}
			back()
			eventually(t, recoverLimit, "the service is ready", func() bool { return ready(t, running) })
			if a, err := caller.do(t.Context(), http.MethodPost, "/api/declarations", "", input(shipment, "Shirts")); err != nil || a.status != http.StatusCreated {
				t.Errorf("after the file was put back a change was answered with %d %s, %v", a.status, a.body, err)
			}
			running.Stop(t)
			p.verifyAudit(t)
		})
	}
}

// unwritten checks that stopping changes nothing in the folder.
func unwritten(t *testing.T, p host, running *program.Process) {
	t.Helper()
	before := sums(t, p.Data())
	running.Stop(t)
	if after := sums(t, p.Data()); after != before {
		t.Errorf("stopping changed the folder from %s to %s", before, after)
	}
}

// sums are the sizes and modification times of the database's files.
func sums(t *testing.T, folder string) (all string) {
	t.Helper()
	for _, name := range databaseFiles {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			all += name + " missing "
			continue
		}
		all += fmt.Sprintf("%s %d %s ", name, info.Size(), info.ModTime())
	}
	return all
}

// moved moves a file or folder away and returns a function that moves it back.
func moved(t *testing.T, path string) (back func()) {
	t.Helper()
	move := func(from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	move(path, path+".moved")
	return func() { move(path+".moved", path) }
}

func ready(t *testing.T, running *program.Process) bool {
	t.Helper()
	_, status := program.Get(t, running.Address+"/readyz")
	return status == http.StatusOK
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	source, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	text, err := io.ReadAll(source)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, text)
}
