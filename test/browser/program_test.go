package browser

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// server is the real program, running.
type server struct {
	program.Program
	base  string // address
	setUp string // one-time set-up link of the first run

	email, password, key string // of a demo's owner
}

// TestMain closes the browser.
func TestMain(m *testing.M) {
	code := program.Main(m)
	if ctx, err := chromium(); err == nil {
		_ = chromedp.Cancel(ctx)
	}
	os.Exit(code)
}

// start starts the program with settings of the test, for a first run.
func start(t *testing.T, settings ...string) *server {
	t.Helper()
	return newServer(t, settings).first(t)
}

// startJumping starts the program for a first run, with a clock that the test sets.
func startJumping(t *testing.T, settings ...string) *server {
	t.Helper()
	p := newServer(t, settings)
	p.UseAdjustableClock(t)
	return p.first(t)
}

// startDemo starts the program with the organisations of its demo.
func startDemo(t *testing.T, settings ...string) *server {
	t.Helper()
	p := newServer(t, settings)
	running := p.launch(t, "demo")
	p.key = running.WaitForOutput(t, `OWNER key (\S+)\n`)
	p.email = running.WaitForOutput(t, `sign in as (\S+) `)
	p.password = running.WaitForOutput(t, `sign in as .* (\S+)\n`)
	return p
}

func newServer(t *testing.T, settings []string) *server {
	t.Helper()
	p := &server{Program: program.New(t, "", "", append([]string{program.RareGC}, settings...)...)}
	t.Cleanup(func() {
		if faults := p.Log.Errors(); len(faults) > 0 {
			t.Errorf("the program logged errors:\n%s", strings.Join(faults, ""))
		}
	})
	return p
}

func (p *server) first(t *testing.T) *server {
	t.Helper()
	p.setUp = p.launch(t, "serve").WaitForOutput(t, `Set up +(\S+)\n`)
	return p
}

func (p *server) launch(t *testing.T, command string) *program.Process {
	t.Helper()
	running := p.Serve(t, command)
	p.base = running.WaitForOutput(t, `Console +(\S+)\n`)
	return running
}

// run runs a command of the program while the server runs.
func (p *server) run(t *testing.T, args ...string) string {
	t.Helper()
	return string(p.Run(t, append(args, "--addr", strings.TrimPrefix(p.base, "http://"))...))
}
