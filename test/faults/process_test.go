package faults_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// startLimit is how long the program may take until it answers.
const startLimit = 20 * time.Second

// place is where the program keeps its data, and how it is set up.
type place struct {
	program  string // where it is another than the one under test
	data     string
	settings map[string]string
}

// newPlace makes an empty place on a backend, with quick customs and no budgets.
func newPlace(t *testing.T, b storetest.Backend) place {
	t.Helper()
	if b.Folder == "" {
		b.Folder = t.TempDir()
	}
	p := place{data: b.Folder, settings: map[string]string{
		"TIDEWAITER_ADDR": "127.0.0.1:0", "TIDEWAITER_LIMIT_STANDARD": "0", "TIDEWAITER_LIMIT_PUBLIC": "0",
		"TIDEWAITER_LOG_LEVEL": "warn", "TIDEWAITER_SIMULATOR_DELAY": "30ms", "TIDEWAITER_MASTER_KEY": masterKey(),
	}}
	p.settings["TIDEWAITER_DATA"] = p.data
	if b.URL != "" {
		p.settings["TIDEWAITER_DATABASE_URL"] = b.URL
	}
	t.Cleanup(func() { p.explain(t) })
	return p
}

// beside is a second place on the same database with a data folder of its own.
func (p place) beside(t *testing.T) place {
	t.Helper()
	other := place{data: t.TempDir(), settings: map[string]string{}}
	for name, value := range p.settings {
		other.settings[name] = value
	}
	other.settings["TIDEWAITER_DATA"] = other.data
	t.Cleanup(func() { other.explain(t) })
	return other
}

// log is the file of what the programs of a place say of themselves.
func (p place) log() string { return filepath.Join(p.data, "faults.log") }

func (p place) command(args ...string) *exec.Cmd {
	cmd := exec.Command(cmp.Or(p.program, program), args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.data}
	for name, value := range p.settings {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// run runs one of the operator's commands and gives what it printed.
func (p place) run(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := p.command(args...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tidewaiter %s: %v\n%s%s", strings.Join(args, " "), err, out, problems.String())
	}
	return out
}

// organisation makes an organisation and gives its OWNER key.
func (p place) organisation(t *testing.T) string {
	t.Helper()
	var made struct{ APIKey string }
	out := p.run(t, "org", "create", "--name", "Breakwater Forwarding Ltd", "--eori", "GB123456789000", "--json")
	if err := json.Unmarshal(out, &made); err != nil || made.APIKey == "" {
		t.Fatalf("no key in %s: %v", out, err)
	}
	return made.APIKey
}

// verifyAudit fails the test unless the trail is unbroken.
func (p place) verifyAudit(t *testing.T) {
	t.Helper()
	var said struct{ OK bool }
	out := p.run(t, "audit", "verify", "--json")
	if err := json.Unmarshal(out, &said); err != nil || !said.OK {
		t.Errorf("the audit trail is broken: %s", out)
	}
}

// process is a running program.
type process struct {
	cmd     *exec.Cmd
	address string // http://host:port
	log     string // file of its standard error
	ended   chan error
}

var addressLine = regexp.MustCompile(`http://[0-9.:]+`)

// start starts the program and waits until it says where it listens.
func (p place) start(t *testing.T, args ...string) *process {
	t.Helper()
	cmd := p.command(args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.OpenFile(p.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &process{cmd: cmd, log: log.Name(), ended: make(chan error, 1)}
	said := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if at := addressLine.FindString(lines.Text()); at != "" {
				said <- at
				break
			}
		}
		_, _ = io.Copy(io.Discard, out)
		r.ended <- cmd.Wait()
	}()
	select {
	case r.address = <-said:
	case err := <-r.ended:
		t.Fatalf("the program ended before it listened: %v\n%s", err, r.tail())
	case <-time.After(startLimit):
		_ = cmd.Process.Kill()
		t.Fatalf("the program does not listen after %s\n%s", startLimit, r.tail())
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return r
}

func (p place) serve(t *testing.T) *process { t.Helper(); return p.start(t, "serve") }

// kill ends the program as a power cut would end it, and waits until it is gone.
func (r *process) kill() {
	_ = r.cmd.Process.Kill()
	<-r.ended
}

// terminate asks the program to stop and gives its exit code and how long it took.
func (r *process) terminate(t *testing.T, limit time.Duration) (code int, took time.Duration) {
	t.Helper()
	began := time.Now()
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-r.ended:
		return r.cmd.ProcessState.ExitCode(), time.Since(began)
	case <-time.After(limit):
		_ = r.cmd.Process.Signal(syscall.SIGQUIT) // it leaves its goroutines in the log
		<-r.ended
		t.Fatalf("the program runs on %s after SIGTERM\n%s", limit, r.tail())
		return 0, 0
	}
}

// tail is the end of what the program logged.
func (r *process) tail() string { return tail(r.log) }

func tail(file string) string {
	const most = 40_000
	text, _ := os.ReadFile(file)
	return string(text[max(0, len(text)-most):])
}
