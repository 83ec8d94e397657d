// Package provider starts a real OpenID provider for tests: the program in test/identity, a module of
// its own.
package provider

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the provider knows: one client, and one person whose address it does not confirm.
const (
	Client   = "tidewaiter"
	Secret   = "a secret of the test"
	Username = "nina"
	Password = "verysecure"
	Email    = "nina@quay.example"
)

// Provider is a running OpenID provider.
type Provider struct {
	Issuer string
}

// Start builds and starts a provider that sends people back to a redirect address.
func Start(t testing.TB, redirect string) *Provider {
	t.Helper()
	program := filepath.Join(t.TempDir(), "identity")
	build := exec.Command("go", "build", "-C", filepath.Join(root(t), "test", "identity"), "-o", program, ".")
	build.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false -trimpath", "CGO_ENABLED=0", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("cannot build the provider: %v: %s", err, out)
	}
	command := exec.Command(program, "-redirect", redirect, "-email", Email)
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the provider did not start: %v", err)
	}
	return &Provider{Issuer: strings.TrimSpace(line)}
}

// root is the folder of the main module, above the one that the test runs in.
func root(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	for ; err == nil && filepath.Dir(folder) != folder; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
	}
	t.Fatalf("no go.mod above the test: %v", err)
	return ""
}

// Revoke removes the person at the provider: refresh tokens are refused from then on.
func (p *Provider) Revoke(t testing.TB) {
	t.Helper()
	response, err := http.Post(p.Issuer+"test/revoke", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("revoking answered %d", response.StatusCode)
	}
}
