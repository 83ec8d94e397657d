package browser

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
)

// program is the real one, running.
type program struct {
	base   string // address
	data   string // folder
	setUp  string // one-time link of the first run
	binary string

	email, password, key string // of a demo's owner

	out *bufio.Scanner
}

// built is the program, built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "tidewaiter-browser-")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(folder, "tidewaiter")
	build := exec.Command("go", "build", "-o", binary, "../../cmd/tidewaiter")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return string(out), err
	}
	return binary, nil
})

// TestMain closes the browser, and removes what was built.
func TestMain(m *testing.M) {
	code := m.Run()
	if ctx, err := chromium(); err == nil {
		_ = chromedp.Cancel(ctx)
	}
	if binary, err := built(); err == nil {
		_ = os.RemoveAll(filepath.Dir(binary))
	}
	os.Exit(code)
}

// start starts the program with settings of the test's own, for a first run.
func start(t *testing.T, settings ...string) *program {
	t.Helper()
	p := launch(t, "serve", settings)
	p.read(t, "Set")
	return p
}

// startDemo starts the program with the organisations of its demo.
func startDemo(t *testing.T, settings ...string) *program {
	t.Helper()
	p := launch(t, "demo", settings)
	p.read(t, "OWNER")
	return p
}

func launch(t *testing.T, command string, settings []string) *program {
	t.Helper()
	binary, err := built()
	if err != nil {
		t.Fatalf("build: %v: %s", err, binary)
	}
	p := &program{binary: binary, data: t.TempDir()}
	server := exec.Command(binary, command, "--addr", "127.0.0.1:0", "--data", p.data)
	server.Env = append(server.Environ(), settings...)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		if err := server.Wait(); err != nil {
			t.Errorf("the program ended with %v", err)
		}
	})
	p.out = bufio.NewScanner(out)
	return p
}

// read reads what the program prints, up to the line that begins with a word.
func (p *program) read(t *testing.T, last string) {
	t.Helper()
	for p.out.Scan() {
		words := strings.Fields(p.out.Text())
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "Console":
			p.base = words[1]
		case "sign":
			p.email, p.password = words[3], words[len(words)-1]
		case "Set":
			p.setUp = words[2]
		case "OWNER":
			p.key = words[2]
		}
		if words[0] == last {
			return
		}
	}
	t.Fatalf("the program did not say where it listens and how to sign in (%q)", last)
}

// run runs a command of the program beside the server.
func (p *program) run(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command(p.binary, append(args, "--data", p.data, "--addr", strings.TrimPrefix(p.base, "http://"))...)
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return string(out)
}
