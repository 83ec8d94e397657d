// Package provider starts a real OpenID provider for tests: the program in test/identity, a module of its own.
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

// The provider's data: one client, one person whose address is not verified, and the person's group, in the claim
// "groups".
const (
	Client   = "tidewaiter"
	Secret   = "a secret of the test"
	Username = "nina"
	Password = "verysecure"
	Email    = "nina@quay.example"
	Group    = "filers"
)

// Provider is a running OpenID provider.
type Provider struct {
	Issuer string
}

// Start builds and starts a provider that redirects to an address. The test is skipped if the modules that the
// provider needs cannot be downloaded.
func Start(t testing.TB, redirect string) *Provider {
	t.Helper()
	module := filepath.Join(root(t), "test", "identity")
	list := goCommand("list", "-C", module, "-deps", ".")
	var problems strings.Builder
	list.Stderr = &problems
	if err := list.Run(); err != nil {
		t.Skipf("no OpenID provider: its modules cannot be downloaded: %v: %s", err, &problems)
	}
	program := filepath.Join(t.TempDir(), "identity")
	if out, err := goCommand("build", "-C", module, "-o", program, ".").CombinedOutput(); err != nil {
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

// goCommand is a go command with the settings with which scripts/deps builds the provider, so that its build cache
// is used.
func goCommand(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false -trimpath", "CGO_ENABLED=0", "GOWORK=off")
	return cmd
}

// root is the folder of the main module, above the test's folder.
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

// Revoke removes the person at the provider: refresh tokens and the password are then refused.
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
