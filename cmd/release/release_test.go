package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	testprogram "github.com/tidewaiter/tidewaiter/test/program"
)

const root = "../.."

// long reports whether long tests run.
var long = os.Getenv("TIDEWAITER_LONG") != ""

// run runs a program in a folder, with additional variables.
func run(t *testing.T, folder string, env []string, name string, args ...string) string {
	t.Helper()
	testprogram.DependOnSources()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	output, err := outputOf(cmd)
	if err != nil {
		t.Fatal(err)
	}
	return output
}

// clone makes a repository of the working tree, with one reproducible commit.
func clone(t *testing.T, folder string) {
	t.Helper()
	for _, name := range strings.Split(run(t, root, nil, "git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard"), "\n") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, but still in the index
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	env := []string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-03-01T12:00:00+02:00", "GIT_COMMITTER_DATE=2026-03-01T12:00:00+02:00",
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "All"}} {
		run(t, folder, env, "git", args...)
	}
}

// The same commit gives the same bytes on all platforms: in another folder, with another module cache, umask, time
// zone, language, home and Go settings, and with an empty build cache.
func TestSameCommitSameBytes(t *testing.T) {
	if !long {
		t.Skip("builds the program twice: make test-long")
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("this is no repository")
	}
	tool := filepath.Join(t.TempDir(), "release")
	run(t, ".", []string{"CGO_ENABLED=0"}, "go", "build", "-o", tool, ".")
	one, other := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "some", "where else")
	clone(t, one)
	clone(t, other)

	modules := filepath.Join(t.TempDir(), "modules")
	if err := os.Symlink(run(t, ".", nil, "go", "env", "GOMODCACHE"), modules); err != nil {
		t.Fatal(err)
	}
	strange := []string{
		"TZ=Pacific/Auckland", "LC_ALL=C", "GOPATH=" + t.TempDir(), "GOMODCACHE=" + modules, "GOFLAGS=-tags=nonsense", "GOAMD64=v3", "GOARM64=v9.0", "CGO_ENABLED=1",
		"GOCACHE=" + t.TempDir(), "HOME=" + t.TempDir(), "USER=someone", "GODEBUG=http2client=0",
	}
	started := time.Now()
	run(t, one, nil, "sh", "-c", "umask 022; exec "+tool+" build")
	run(t, other, strange, "sh", "-c", "umask 077; exec "+tool+" build")
	t.Logf("two builds took %s", time.Since(started).Round(time.Second))

	first, second := contents(t, filepath.Join(one, "dist")), contents(t, filepath.Join(other, "dist"))
	if want := 3; len(first) < want || !slices.Equal(slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(second))) {
		t.Fatalf("made %q and %q", slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(second)))
	}
	for name := range first {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s differs", name)
		}
	}
	released(t, first, filepath.Join(one, "dist"))
}

func contents(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, f := range files {
		if all[filepath.Base(f)], err = os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// released checks the release for this machine: its sums, its files, and the version that the program prints.
func released(t *testing.T, files map[string][]byte, folder string) {
	t.Helper()
	run(t, folder, nil, "sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS")
	const hash = "commit     "
	next, err := os.ReadFile("../../" + versionFile)
	if err != nil {
		t.Fatal(err)
	}
	version := "v" + strings.TrimSpace(string(next)) + "-dev.20260301100000."
	for name, data := range files {
		if !strings.Contains(name, runtime.GOOS+"-"+runtime.GOARCH+".tar.gz") {
			continue
		}
		if !strings.HasPrefix(name, "tidewaiter-"+version) {
			t.Errorf("called %s", name)
		}
		inside := unpacked(t, data)
		for _, wanted := range append(slices.Clone(beside), "tidewaiter", "THIRD_PARTY.txt") {
			if inside[wanted] == nil {
				t.Errorf("%s is not in %s", wanted, name)
			}
		}
		program := filepath.Join(t.TempDir(), "tidewaiter")
		if err := os.WriteFile(program, inside["tidewaiter"], 0o755); err != nil {
			t.Fatal(err)
		}
		output := run(t, ".", nil, program, "version")
		if !strings.Contains(output, "tidewaiter "+version) || !strings.Contains(output, " of 2026-03-01T10:00:00Z") || !strings.Contains(output, hash+run(t, filepath.Dir(folder), nil, "git", "rev-parse", "HEAD")) {
			t.Errorf("the program prints %s", output)
		}
		output = run(t, ".", nil, program, "version", "--json")
		if !strings.Contains(output, `"committed":"2026-03-01T10:00:00Z"`) || !strings.Contains(output, `"go":"`+runtime.Version()) || !strings.Contains(output, `"platform":"`+runtime.GOOS+"/"+runtime.GOARCH) {
			t.Errorf("the program prints %s", output)
		}
		return
	}
	t.Error("there is no release for this machine")
}

// unpacked returns an archive's files, which name no user and no time of packing.
func unpacked(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	zipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil || !zipped.ModTime.IsZero() || zipped.Name != "" {
		t.Fatalf("%+v, %v", zipped, err)
	}
	all, former := map[string][]byte{}, ""
	for r := tar.NewReader(zipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(h.Name, "/")
		want := int64(0o644)
		if name == "tidewaiter" {
			want = 0o755
		}
		if h.Mode != want || h.Uid != 0 || h.Gid != 0 || h.Uname+h.Gname != "" || !h.ModTime.Equal(time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)) || h.Name <= former {
			t.Errorf("%+v after %s", h, former)
		}
		former = h.Name
		if all[name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}
