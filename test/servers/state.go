package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// outside are the programs from outside of the project that tests run.
var outside = []string{"bash", "chromium", "chromium-headless-shell", "curl", "firefox", "firefox-esr", "git", "initdb", "jq", "node", "npm", "openssl",
	"pdfinfo", "pg_dump", "psql", "python3", "/usr/bin/python3", "rabbitmq-server", "redis-server", "sh", "systemd-analyze", "xmllint"}

// installed are the packages that scripts/deps installs for tests. Each file changes with what is installed.
var installed = []string{"tmp/axe/node_modules/axe-core/package.json", "tmp/contract/installed.json", "tmp/pydantic2", "clients/typescript/node_modules/.installed"}

// built are folders at the root, and kinds of folders, that hold no sources.
var (
	built   = []string{".git", "bin", "data", "dist", "tmp"}
	fetched = []string{"node_modules", "__pycache__", ".mypy_cache"}
)

// state is a name for all that tests of the program depend on and that go test does not know: the sources in a folder, the
// version of Go, its flags, and the programs that are installed. Changes to the tests themselves, which go test knows, and to
// the texts in docs do not change it.
func state(root string) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.Version(), os.Getenv("GOFLAGS"))
	for _, name := range outside {
		at, err := exec.LookPath(name)
		if err == nil {
			at, err = filepath.EvalSymlinks(at)
		}
		if err == nil {
			describe(sum, at)
		}
	}
	for _, server := range servers() {
		describe(sum, server)
	}
	for _, path := range installed {
		describe(sum, filepath.Join(root, path))
	}
	if err := sources(sum, os.DirFS(root)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

// servers are the installed versions of PostgreSQL.
func servers() []string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	return found
}

// describe adds the name, size and time of a file that may be absent.
func describe(sum hash.Hash, path string) {
	if info, err := os.Stat(path); err == nil {
		fmt.Fprintln(sum, path, info.Size(), info.ModTime().UnixNano())
	}
}

// sources adds the names and contents of all files that make up the program, its clients and what tests run.
func sources(sum hash.Hash, root fs.FS) error {
	return fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains(built, path) || slices.Contains(fetched, entry.Name()) || path == "clients/typescript/dist"):
			return fs.SkipDir
		case !entry.Type().IsRegular() || knownToGo(path):
			return nil
		}
		text, err := fs.ReadFile(root, path)
		fmt.Fprintf(sum, "%s %d\n", path, len(text))
		sum.Write(text)
		return err
	})
}

// knownToGo reports whether go test itself notices that a file has changed, as it is a test or only read by tests.
func knownToGo(path string) bool {
	folder, _, within := strings.Cut(path, "/")
	return strings.HasSuffix(path, "_test.go") && folder != "clients" || strings.HasSuffix(path, ".md") && (folder == "docs" || !within)
}
