package contract_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/test/contract"
)

// dependsOn tells go test that the result depends on a file that only a tool reads. Otherwise go test would reuse the result
// after the file was changed.
func dependsOn(t *testing.T, file string) {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
}

// runTool runs an npm tool, which prints what is wrong and then fails.
func runTool(t *testing.T, name string, args ...string) {
	t.Helper()
	tool, err := filepath.Abs(filepath.Join(contract.Tools, "node_modules", ".bin", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(tool); err != nil {
		t.Skip(name + " is not installed; scripts/deps installs it from the npm registry")
	}
	run := exec.Command(tool, args...)
	run.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "NO_COLOR=1")
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%.8000s", name, err, out)
	}
}

// shortForm returns a file with the form of the document that the service sends at /api/openapi.json.
func shortForm(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, app.ShortOpenAPI(config.Config{}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Both forms of the OpenAPI document have no error and no warning by Redocly's strict rules.
func TestRedocly(t *testing.T) {
	t.Parallel()
	runTool(t, "redocly", "lint", "--extends", "recommended-strict", "--max-problems", "30", current, shortForm(t))
}

// The OpenAPI document has no error and no warning by Spectral's rules for OpenAPI. The short form differs from it only in
// what no rule but those of Redocly judges, and Spectral takes long.
func TestSpectral(t *testing.T) {
	t.Parallel()
	const rules = "tools/spectral.yaml"
	dependsOn(t, rules)
	runTool(t, "spectral", "lint", "--ruleset", rules, "--fail-severity", "hint", current)
}

// Ajv accepts every example of the document: of bodies, answers, events, parameters and members of schemas.
func TestExamplesMatchTheirSchemas(t *testing.T) {
	t.Parallel()
	summary, err := contract.ValidateExamples(read(t, current))
	switch {
	case errors.Is(err, contract.ErrNotInstalled):
		t.Skip(err)
	case err != nil:
		t.Error(err)
	}
	t.Log(summary)
}

// Ajv finds an answer and an example that do not match the document.
func TestAjvFindsViolations(t *testing.T) {
	t.Parallel()
	var r contract.Recorder
	r.Add("get-client", 404, []byte(`{"error":"not_found","message":"No.","requestId":"1"}`))
	r.Add("get-client", 404, []byte(`{"error":"not_found"}`))
	document := read(t, written(t, only(t, current, "/api/clients/{id}", "/api/corporate/filings")))
	_, err := r.Validate(document)
	if errors.Is(err, contract.ErrNotInstalled) {
		t.Skip(err)
	}
	if err == nil || strings.Count(err.Error(), "get-client 404:") != 1 || !strings.Contains(err.Error(), "'message'") {
		t.Errorf("answers: %v", err)
	}
	wrong := strings.ReplaceAll(string(document), `"Harbour Customs Services Ltd"`, `7`)
	if _, err := contract.ValidateExamples([]byte(wrong)); err == nil || !strings.Contains(err.Error(), "must be string") {
		t.Errorf("examples: %v", err)
	}
}
