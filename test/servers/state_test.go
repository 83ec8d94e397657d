package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A change to anything that makes up the program gives another state; a change to a test, a text or what is built does not.
func TestStateFollowsSources(t *testing.T) {
	root := t.TempDir()
	write := func(file, text string) {
		t.Helper()
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now := func() string {
		t.Helper()
		s, err := state(root)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	write("go.mod", "module m")
	before := now()
	if now() != before {
		t.Fatal("the state changes by itself")
	}
	for _, file := range []string{"internal/app/app_test.go", "docs/operating.md", "README.md", "bin/tidewaiter", "dist/files", "tmp/axe/index.js", "clients/typescript/node_modules/zod/index.js"} {
		if write(file, "changed"); now() != before {
			t.Errorf("a change to %s changes the state", file)
		}
	}
	for _, file := range []string{"go.mod", "internal/app/app.go", "internal/console/help/duty.md", "internal/tariff/data.zst", "test/identity/main.go", "clients/go/client_test.go", "docs/openapi.json", "tmp/contract/installed.json"} {
		write(file, "changed")
		if after := now(); after == before {
			t.Errorf("a change to %s does not change the state", file)
		} else {
			before = after
		}
	}
}

// Two runs at the same time have different places, and the next run has the first one again, without the files of the one before.
func TestPlacesAreUsedAgain(t *testing.T) {
	locks, in := t.TempDir(), t.TempDir()
	take := func() place {
		t.Helper()
		p, err := takePlace(locks, in, func(port int) bool { return port != firstPort })
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := take()
	if first.postgres == firstPort {
		t.Error("the first run has a port that is used")
	}
	left := filepath.Join(first.folder, "left")
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	second := take()
	if second.folder == first.folder || second.postgres == first.postgres || second.redis == first.redis {
		t.Errorf("both have %s and the ports %d and %d", first.folder, first.postgres, first.redis)
	}
	in = t.TempDir() // as with -memory
	if third := take(); third.postgres == first.postgres || third.postgres == second.postgres {
		t.Errorf("runs with folders in two places share the port %d", third.postgres)
	}
	in = filepath.Dir(first.folder)
	first.lock.Close() // as when its run is killed
	again := take()
	if again.folder != first.folder || again.postgres != first.postgres {
		t.Errorf("the next run has %s, not %s", again.folder, first.folder)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("the file of the run before is still there")
	}
	again.leave()
	second.leave()
	if _, err := os.Stat(again.folder); err == nil {
		t.Error("a folder is still there")
	}
}
