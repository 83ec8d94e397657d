package conformance

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The document passes the linter's strict rules, every time the same bytes.
func TestDocumentIsLintedStrictly(t *testing.T) {
	p := shared(t)
	file := filepath.Join(t.TempDir(), "openapi.json")
	text := p.read(t, "/api/openapi.json")
	if again := p.read(t, "/api/openapi.json"); !bytes.Equal(text, again) {
		t.Error("the document changes")
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("npx"); err != nil {
		t.Skip("no npx here to run the linter with")
	}
	lint := exec.Command("npx", "--yes", "@redocly/cli@2", "lint", "--extends", "recommended-strict", file)
	lint.Dir = t.TempDir()
	out, err := lint.CombinedOutput()
	if err == nil {
		return
	}
	if said, missing := exec.Command("npx", "--yes", "@redocly/cli@2", "--version").CombinedOutput(); missing != nil {
		t.Skipf("the linter cannot be had here: %v: %s", missing, said)
	}
	t.Errorf("%v:\n%s", err, out)
}

func (p *server) read(t *testing.T, path string) []byte {
	t.Helper()
	r, err := http.Get(p.base + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		t.Fatalf("%d %v", r.StatusCode, err)
	}
	return text
}
