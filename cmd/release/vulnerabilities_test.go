package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// known makes a vulnerability database, as a folder, in which one function of kong is vulnerable in all versions.
func known(t *testing.T, function string) string {
	t.Helper()
	const id, at = "GO-2026-9999", "2026-01-01T00:00:00Z"
	folder := t.TempDir()
	for name, text := range map[string]string{
		"index/db.json":      fmt.Sprintf(`{"modified": %q}`, at),
		"index/modules.json": fmt.Sprintf(`[{"path": "github.com/alecthomas/kong", "vulns": [{"id": %q, "modified": %q}]}]`, id, at),
		"index/vulns.json":   fmt.Sprintf(`[{"id": %q, "modified": %q}]`, id, at),
		"ID/" + id + ".json": fmt.Sprintf(`{"schema_version": "1.3.1", "id": %q, "modified": %[2]q, "published": %[2]q, "summary": "made up", "details": "made up", "database_specific": {"url": "https://example.com"},
			"affected": [{"package": {"name": "github.com/alecthomas/kong", "ecosystem": "Go"}, "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
				"ecosystem_specific": {"imports": [{"path": "github.com/alecthomas/kong", "symbols": [%[3]q]}]}}]}`, id, at, function),
	} {
		at := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return "file://" + folder
}

// runCheck runs the script on a program with a database.
func runCheck(t *testing.T, program, database string, env ...string) (output string, code int) {
	t.Helper()
	tool := os.Getenv("TIDEWAITER_GOVULNCHECK")
	if tool == "" {
		tool = "/nowhere"
	}
	cmd := exec.Command("./scripts/vulnerabilities", tool, program)
	cmd.Dir, cmd.Env = root, append(os.Environ(), append(env, "GOVULNDB="+database, "CGO_ENABLED=0")...)
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// A program that calls a vulnerable function fails with a message; one that only links it passes.
func TestVulnerabilities(t *testing.T) {
	if os.Getenv("TIDEWAITER_GOVULNCHECK") == "" {
		t.Skip("no govulncheck: TIDEWAITER_GOVULNCHECK is not set; make test builds one")
	}
	program, called := "./cmd/release", "Parse"
	if long {
		program, called = "./cmd/tidewaiter", "New"
	}
	if output, code := runCheck(t, program, known(t, called)); code != 3 || !strings.Contains(output, "GO-2026-9999") || !strings.Contains(output, "main.go") {
		t.Errorf("%d: %s", code, output)
	}
	if output, code := runCheck(t, program, known(t, "ApplyDefaults")); code != 0 || !strings.Contains(output, "No vulnerabilities found") {
		t.Errorf("%d: %s", code, output)
	}
}

// If the database does not answer, a line says so and the check passes; a release without the check is rejected.
func TestVulnerabilitiesUnknown(t *testing.T) {
	for _, database := range []string{"file:///nowhere", "http://127.0.0.1:1"} {
		output, code := runCheck(t, "./cmd/release", database, "REQUIRED=")
		if code != 0 || strings.Count(output, "\n") != 1 || !strings.Contains(output, "skipped, as "+database+" does not answer") {
			t.Errorf("%d: %s", code, output)
		}
		output, code = runCheck(t, "./cmd/release", database, "REQUIRED=1")
		if code != 1 || strings.Count(output, "\n") != 1 || !strings.Contains(output, "Not checked") || !strings.Contains(output, "UNCHECKED=1") {
			t.Errorf("%d: %s", code, output)
		}
	}
}

// A release runs this check unless a variable says explicitly that it is not needed.
func TestReleaseIsChecked(t *testing.T) {
	for setting, want := range map[string]string{"": "REQUIRED=1", "UNCHECKED=1": "REQUIRED="} {
		args := []string{"--no-print-directory", "--eval", `shown: ; @echo "REQUIRED=$(REQUIRED)"`, "--eval", "release: shown", "release", "--dry-run"}
		if setting != "" {
			args = append(args, setting)
		}
		output := run(t, root, []string{"MAKEFLAGS=", "UNCHECKED=", "REQUIRED="}, "make", args...)
		secured, built := strings.Index(output, "scripts/vulnerabilities"), strings.Index(output, "./cmd/release build")
		if !strings.Contains(output, want+`"`) || secured < 0 || built < secured {
			t.Errorf("%q: %s", setting, output)
		}
	}
}
