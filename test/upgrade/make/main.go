// Command make creates the old databases that the tests upgrade: it builds earlier commits, runs the demo of each
// on SQLite and on PostgreSQL, and writes the result to test/upgrade/testdata. It needs the history of the
// project.
//
//	go run ./test/upgrade/make [COMMIT…]
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tidewaiter/tidewaiter/test/postgres"
	"github.com/tidewaiter/tidewaiter/test/upgrade/old"
)

// target is the folder of the fixtures, from the root of the project.
const target = "test/upgrade/testdata"

// Limits of a run of an old program.
const (
	startLimit  = time.Minute
	settleLimit = time.Minute     // until the demo's records stop changing
	settleLook  = 3 * time.Second // between two readings
)

func main() {
	commits := os.Args[1:]
	if len(commits) == 0 {
		commits = old.Commits
	}
	if err := run(commits); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

func run(commits []string) error {
	work, err := os.MkdirTemp("", "tidewaiter-old-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.Chmod(work, 0o755); err != nil { // #nosec G302 -- PostgreSQL has an account of its own
		return err
	}
	server, err := postgres.Start(work, "fsync=off")
	if err != nil {
		return err
	}
	defer server.Stop()
	for _, commit := range commits {
		if err := record(commit, work, server); err != nil {
			return fmt.Errorf("%s: %w", commit, err)
		}
	}
	return nil
}

// record writes the two fixtures of a commit.
func record(commit, work string, server *postgres.Server) error {
	program, err := build(commit, work)
	if err != nil {
		return err
	}
	if err := demo(commit, program, filepath.Join(work, commit+"-sqlite"), ""); err != nil {
		return err
	}
	name := "old_" + commit
	if out, err := psql(server, "postgres", "CREATE DATABASE "+name); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	folder := filepath.Join(work, commit+"-postgres")
	if err := demo(commit, program, folder, server.Address(name)); err != nil {
		return err
	}
	dump := exec.Command("pg_dump", "--no-owner", "--no-privileges", "--dbname", server.Address(name)) // #nosec G204 -- our own
	text, err := dump.Output()
	if err != nil {
		return fmt.Errorf("pg_dump: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, old.Dump), text, 0o600); err != nil {
		return err
	}
	for _, kind := range []string{"sqlite", "postgres"} {
		if err := pack(filepath.Join(work, commit+"-"+kind), filepath.Join(target, commit+"-"+kind+".tar.gz")); err != nil {
			return err
		}
	}
	return nil
}

func psql(server *postgres.Server, database, statement string) ([]byte, error) {
	return exec.Command("psql", server.Address(database), "-c", statement).CombinedOutput() // #nosec G204 -- our own
}

// build builds the program of a commit from the history.
func build(commit, work string) (string, error) {
	if prebuilt := os.Getenv("TIDEWAITER_OLD_PROGRAMS"); prebuilt != "" {
		if file := filepath.Join(prebuilt, commit); exists(file) {
			return file, nil
		}
	}
	source, program := filepath.Join(work, "source-"+commit), filepath.Join(work, "program-"+commit)
	if out, err := exec.Command("git", "worktree", "add", "--detach", source, commit).CombinedOutput(); err != nil {
		return "", fmt.Errorf("git worktree: %w: %s", err, out)
	}
	defer func() { _ = exec.Command("git", "worktree", "remove", "--force", source).Run() }()
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", program, "./cmd/tidewaiter")
	cmd.Dir, cmd.Env = source, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w: %s", err, out)
	}
	return program, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// demo runs the demo of an old program until its records stop changing, and stores them with a manifest of what
// its API showed.
func demo(commit, program, folder, database string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	cmd := exec.Command(program, "demo") // #nosec G204 -- built just now
	cmd.Env = append(os.Environ(), "TIDEWAITER_DATA="+folder, "TIDEWAITER_ADDR=127.0.0.1:0", "TIDEWAITER_DATABASE_URL="+database,
		"TIDEWAITER_LIMIT_STANDARD=0", "TIDEWAITER_LIMIT_PUBLIC=0")
	var out output
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	m, err := observe(commit, &out)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := errors.Join(err, <-ended); err != nil {
		return err
	}
	fmt.Printf("%s: %d records in %d lists, %s\n", commit, m.Count(), len(m.Records), filepath.Base(folder))
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, old.ManifestFile), text, 0o600)
}

var (
	keyShown     = regexp.MustCompile(`svc_[0-9A-Za-z]+`)
	addressShown = regexp.MustCompile(`http://[0-9a-z.]+:[0-9]+`)
)

// observe waits until the records of a running demo stop changing.
func observe(commit string, out *output) (m old.Manifest, err error) {
	m.Commit = commit
	address := ""
	for limit := time.Now().Add(startLimit); m.Key == ""; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(limit) {
			return m, fmt.Errorf("the demo did not start: %s", out)
		}
		address, m.Key = addressShown.FindString(out.String()), keyShown.FindString(out.String())
	}
	var before []byte
	for limit := time.Now().Add(settleLimit); time.Now().Before(limit); time.Sleep(settleLook) {
		if m.Records, err = old.Records(address, m.Key); err != nil {
			return m, err
		}
		now, err := json.Marshal(m.Records)
		if err != nil {
			return m, err
		}
		if bytes.Equal(now, before) && m.Count() > 0 {
			return m, nil
		}
		before = now
	}
	return m, errors.New("the records of the demo keep changing")
}

// pack writes a folder to an archive: the same files give the same bytes.
func pack(folder, file string) error {
	var archive bytes.Buffer
	zip, err := gzip.NewWriterLevel(&archive, gzip.BestCompression)
	if err != nil {
		return err
	}
	files := tar.NewWriter(zip)
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || slices.Contains([]string{".lock", ".db-shm", ".ballast"}, filepath.Ext(path)) {
			return err
		}
		text, err := os.ReadFile(path) // #nosec G304 G122 -- our own
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path, folder+"/")
		if err := files.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))}); err != nil {
			return err
		}
		_, err = files.Write(text)
		return err
	})
	if err := errors.Join(err, files.Close(), zip.Close()); err != nil {
		return err
	}
	return os.WriteFile(file, archive.Bytes(), 0o600)
}
