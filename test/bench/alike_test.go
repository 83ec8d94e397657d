package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/program"
)

func TestMain(m *testing.M) { os.Exit(program.Main(m)) }

// The bare server answers a list with the bytes of the service, so that the two are compared at the same work; a field
// that only the service has would end the whole benchmark.
func TestBareServerListsTheSame(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "bare")
	if out, err := exec.Command("go", "build", "-o", bare, "./bare").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b := &bench{folder: t.TempDir(), program: program.Binary(t), bare: bare}
	data, office, err := b.stock(t.Context(), "list", few)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(b.folder, "copied")
	if err := os.CopyFS(copied, os.DirFS(data)); err != nil {
		t.Fatal(err)
	}
	var targets []load.Target
	for _, one := range []struct {
		command []string
		data    string
	}{{[]string{b.program, "serve"}, data}, {[]string{b.bare}, copied}} {
		l, err := lister(t.Context(), one.command[0], one.command, one.data, office)
		if err != nil {
			t.Fatal(err)
		}
		defer l.process.Stop()
		targets = append(targets, l.target)
	}
	if err := load.Alike(targets[0], targets[1]); err != nil {
		t.Error(err)
	}
}
