package conformance

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// The OpenAPI document passes the linter's strict rules and is byte for byte the same each time.
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
		t.Skip("npx is not installed; it runs the linter")
	}
	lint := exec.Command("npx", "--yes", "@redocly/cli@2", "lint", "--extends", "recommended-strict", file)
	lint.Dir = t.TempDir()
	out, err := lint.CombinedOutput()
	if err == nil {
		return
	}
	if output, missing := exec.Command("npx", "--yes", "@redocly/cli@2", "--version").CombinedOutput(); missing != nil {
		t.Skipf("the linter cannot be downloaded: %v: %s", missing, output)
	}
	t.Errorf("%v:\n%s", err, out)
}

func (p *server) read(t *testing.T, path string) []byte {
	t.Helper()
	text, status := program.Get(t, p.base+path)
	if status != http.StatusOK {
		t.Fatalf("%s: %d", path, status)
	}
	return []byte(text)
}
