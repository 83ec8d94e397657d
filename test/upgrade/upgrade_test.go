// Package upgrade starts the program on databases of earlier commits, and the previous release on the result.
package upgrade

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
	"github.com/tidewaiter/tidewaiter/test/upgrade/old"
)

func TestMain(m *testing.M) { os.Exit(program.Main(m)) }

// whole reports whether all old databases are upgraded, and taken back.
func whole() bool { return os.Getenv("TIDEWAITER_LONG") != "" }

// host is where an old program has left its database.
type host struct {
	program.Program
	manifest old.Manifest
}

// each runs a test on the databases of old commits, on SQLite and PostgreSQL.
func each(t *testing.T, commits []string, run func(t *testing.T, p *host)) {
	for _, commit := range commits {
		t.Run(commit+"/sqlite", func(t *testing.T) { run(t, unpack(t, commit, "sqlite", storetest.Backend{})) })
		t.Run(commit+"/postgres", func(t *testing.T) {
			b := storetest.Unmigrated(t)
			run(t, unpack(t, commit, "postgres", b))
		})
	}
}

// A database of an earlier commit is upgraded by starting the program on it: every record still exists in its
// state, the audit trail verifies, and a new declaration is cleared.
func TestUpgrade(t *testing.T) {
	commits := old.Short
	if whole() {
		commits = old.Commits
	}
	each(t, commits, func(t *testing.T, p *host) {
		r := p.Start(t, "serve")
		p.hasAllRecords(t, r.Address)
		p.clears(t, r.Address)
		p.verifies(t)
		r.Stop(t)
	})
}

// The previous release still works with a database that the program has upgraded, so that an upgrade can be taken
// back, and the program works with it again after that.
func TestDowngrade(t *testing.T) {
	if !whole() {
		t.Skip("builds the previous release: part of make test-long")
	}
	former := release(t)
	each(t, old.Commits[len(old.Commits)-2:], func(t *testing.T, p *host) {
		present := p.File
		for _, file := range []string{present, former, present} {
			p.File = file
			r := p.Start(t, "serve")
			p.hasAllRecords(t, r.Address)
			p.clears(t, r.Address)
			r.Stop(t)
			p.verifies(t)
		}
	})
}

// The fixtures are those of the commits, and no others.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.tar.gz")
	if err != nil || len(files) != 2*len(old.Commits) || len(old.Commits) < 10 {
		t.Errorf("%d fixtures of %d commits, %v", len(files), len(old.Commits), err)
	}
	for _, commit := range old.Short {
		if !slices.Contains(old.Commits, commit) {
			t.Errorf("there is no fixture of %s", commit)
		}
	}
}

// unpack restores an old database: files into a folder, or rows into a database.
func unpack(t *testing.T, commit, kind string, b storetest.Backend) *host {
	t.Helper()
	p := &host{Program: program.New(t, t.TempDir(), b.URL, "TIDEWAITER_LIMIT_STANDARD=0", "TIDEWAITER_LIMIT_PUBLIC=0",
		"TIDEWAITER_LOG_LEVEL=warn", "TIDEWAITER_SIMULATOR_DELAY=30ms")}
	extract(t, filepath.Join("testdata", commit+"-"+kind+".tar.gz"), p.Data())
	text, err := os.ReadFile(filepath.Join(p.Data(), old.ManifestFile))
	if err == nil {
		err = json.Unmarshal(text, &p.manifest)
	}
	if err != nil || p.manifest.Count() == 0 {
		t.Fatalf("manifest of %s: %d records, %v", commit, p.manifest.Count(), err)
	}
	if kind == "postgres" {
		p.Settings["TIDEWAITER_DATABASE_OWNER_URL"] = b.Owner
		load := exec.Command("psql", "--quiet", "--set", "ON_ERROR_STOP=1", "--output", os.DevNull, "--file", filepath.Join(p.Data(), old.Dump), b.Owner)
		if out, err := load.CombinedOutput(); err != nil {
			t.Fatalf("psql: %v\n%s", err, out)
		}
	}
	return p
}

// maxFixture is the maximum size in bytes of a file in a fixture.
const maxFixture = 64 << 20

func extract(t *testing.T, archive, folder string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(zip); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(io.LimitReader(files, maxFixture))
		path := filepath.Join(folder, filepath.FromSlash(h.Name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o700)
		}
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// hasAllRecords fails the test unless every record that the old program showed still exists, and every declaration in a
// final state is still in it.
func (p *host) hasAllRecords(t *testing.T, address string) {
	t.Helper()
	for path, records := range p.manifest.Records {
		if !old.Lasts(path) {
			continue
		}
		found, err := old.List(address, p.manifest.Key, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for id, status := range records {
			if now, there := found[id]; !there || now != status && decided(path, status) {
				t.Errorf("%s: %s was %q and is %q (listed: %v)", path, id, status, now, there)
			}
		}
	}
}

// decided reports whether time alone does not change a state.
func decided(path, status string) bool {
	return path == "/api/declarations" && slices.Contains([]string{"CLEARED", "REJECTED", "CANCELLED"}, status)
}

// verifies fails the test unless the audit trail of every organisation verifies.
func (p *host) verifies(t *testing.T) {
	t.Helper()
	var output struct{ OK bool }
	if p.Read(t, &output, "audit", "verify"); !output.OK {
		t.Error("the audit trail does not verify")
	}
}

// release is the program of the previous release, from the history of the project.
func release(t *testing.T) string {
	t.Helper()
	commit := old.Commits[len(old.Commits)-1]
	if prebuilt := filepath.Join(os.Getenv("TIDEWAITER_OLD_PROGRAMS"), commit); prebuilt != commit {
		return prebuilt
	}
	source, binary := filepath.Join(t.TempDir(), "source"), filepath.Join(t.TempDir(), "tidewaiter")
	if out, err := exec.Command("git", "worktree", "add", "--detach", source, commit).CombinedOutput(); err != nil {
		t.Skipf("the previous release is not in the repository's history: %s", strings.TrimSpace(string(out)))
	}
	t.Cleanup(func() { _ = exec.Command("git", "worktree", "remove", "--force", source).Run() })
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", binary, "./cmd/tidewaiter")
	build.Dir, build.Env = source, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatal(fmt.Errorf("%w\n%s", err, out))
	}
	return binary
}
