package faults_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// endLimit is how long a refused command may take.
const endLimit = 20 * time.Second

// ended runs a command that must end by itself, and returns its exit code and output. One that keeps running is
// killed; its code is -1.
func (p host) ended(t *testing.T, args ...string) (code int, output string) {
	t.Helper()
	cmd := p.Command(args...)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(endLimit, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), out.String()
}

// Only one server at a time uses a data folder. Commands work beside it, and after it dies the next server starts.
func TestOneServerForEachFolder(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.Backend{Folder: t.TempDir()})
	running, c := p.withOrganisation(t)
	for _, command := range []string{"serve", "demo"} {
		if code, output := p.ended(t, command); code != 1 || !strings.Contains(output, "another server uses this data folder") {
			t.Errorf("%s beside the server ended with %d and %s", command, code, output)
		}
	}
	p.organisation(t)
	p.Run(t, "backup", filepath.Join(t.TempDir(), "backup.zip"))
	p.verifyAudit(t)
	c.shipment(t)
	running.Kill()
	p.serve(t).Stop(t)
	running = p.Start(t, "demo")
	if code, output := p.ended(t, "serve"); code != 1 || !strings.Contains(output, "another server") {
		t.Errorf("serve beside a demo ended with %d and %s", code, output)
	}
	running.Stop(t)
}

// Only a few commands create a database. All others fail without one, and create nothing, not even the folder.
func TestCommandsCreateNoDatabase(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data")
	org := "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"
	backends := []storetest.Backend{{Name: "sqlite", Folder: folder}}
	if os.Getenv(storetest.PostgresVariable) != "" {
		empty := storetest.Unmigrated(t)
		empty.Folder = folder
		backends = append(backends, empty)
	}
	tariff := filepath.Join(t.TempDir(), "units.csv")
	write(t, tariff, []byte("code\n"))
	for _, command := range [][]string{
		{"audit", "verify"}, {"retention"}, {"retention", "--dry-run"}, {"doctor"}, {"backup", filepath.Join(t.TempDir(), "backup.zip")},
		{"key", "create", "--org", org, "--role", "OWNER", "--name", "x"}, {"key", "list", "--org", org}, {"key", "revoke", "--org", org, org},
		{"user", "list"}, {"user", "invite", "--org", org, "a@example.org"}, {"user", "reset-link", "a@example.org"},
		{"jobs", "list"}, {"jobs", "revive", "x"}, {"hold", "list"}, {"hold", "set", "--org", org, "--reason", "x"}, {"hold", "lift", "--org", org, "--reason", "x"},
		{"tariff", "status"}, {"tariff", "rollback"}, {"tariff", "import", tariff}, {"data", "list"}, {"data", "import", "unlocode", tariff},
	} {
		for _, backend := range backends {
			if backend.URL != "" && (command[0] == "backup" || command[0] == "doctor") {
				continue // its output names further steps
			}
			p := newHost(t, backend)
			code, output := p.ended(t, command...)
			if want := map[bool]int{true: 4, false: 1}[command[0] == "doctor"]; code != want || !strings.Contains(output, "there is no") {
				t.Errorf("%s: %s ended with %d and %s", backend.Name, command, code, output)
			}
			if _, err := os.Stat(folder); !os.IsNotExist(err) {
				t.Fatalf("%s: %s made the folder: %v", backend.Name, command, err)
			}
		}
	}
}
