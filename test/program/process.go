package program

import (
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/logbuffer"
)

// Limits of a process.
const (
	startLimit = time.Minute      // until it prints its address
	stopLimit  = 30 * time.Second // until it has ended after a signal
)

// Process is a running program.
type Process struct {
	Address string // http://host:port

	cmd    *exec.Cmd
	log    *logbuffer.Buffer
	output logbuffer.Buffer
	ended  chan struct{}
}

// Start starts a command that listens, and waits until it does. The caller ends it; a process that still runs at
// the end of the test is killed.
func (p Program) Start(t testing.TB, args ...string) *Process {
	t.Helper()
	r := &Process{cmd: p.Command(args...), log: p.Log, ended: make(chan struct{})}
	r.cmd.Stdout, r.cmd.Stderr = &r.output, p.Log
	p.borrowIndex()
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = r.cmd.Wait()
		p.lendIndex()
		close(r.ended)
	}()
	t.Cleanup(r.Kill)
	r.Address = strings.Replace(r.WaitForOutput(t, `(https?://[a-z0-9.]+:[0-9]+).*\n`), "localhost", "127.0.0.1", 1)
	return r
}

// Serve starts a command that listens, and stops it at the end of the test.
func (p Program) Serve(t testing.TB, args ...string) *Process {
	t.Helper()
	r := p.Start(t, args...)
	t.Cleanup(func() { r.Stop(t) })
	return r
}

// WaitForOutput waits until the process has printed a match of a pattern, and returns the pattern's group.
func (r *Process) WaitForOutput(t testing.TB, pattern string) string {
	t.Helper()
	sought := regexp.MustCompile(pattern)
	for give := time.Now().Add(startLimit); time.Now().Before(give); time.Sleep(20 * time.Millisecond) {
		if found := sought.FindStringSubmatch(r.output.String()); found != nil {
			return found[1]
		}
		if r.Ended() {
			break
		}
	}
	t.Fatalf("the program did not print %s but:\n%s\n%s", pattern, &r.output, r.log.Tail())
	return ""
}

// PID is the id of the process.
func (r *Process) PID() int { return r.cmd.Process.Pid }

// Ended reports whether the process has ended.
func (r *Process) Ended() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// Kill ends the process like a power failure, and waits until it has ended.
func (r *Process) Kill() {
	_ = r.cmd.Process.Kill()
	<-r.ended
}

// Signal sends the process a signal.
func (r *Process) Signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// Terminate asks the process to stop.
func (r *Process) Terminate() { _ = r.cmd.Process.Signal(syscall.SIGTERM) }

// Stop asks the process to stop and waits until it has ended.
func (r *Process) Stop(t testing.TB) {
	t.Helper()
	r.Terminate()
	r.Wait(t)
}

// Wait waits until a process that was asked to stop has ended, with exit code 0 and in time.
func (r *Process) Wait(t testing.TB) {
	t.Helper()
	select {
	case <-r.ended:
	case <-time.After(stopLimit):
		_ = r.cmd.Process.Signal(syscall.SIGQUIT) // it writes its goroutines to the log
		<-r.ended
		t.Errorf("the program still runs %s after SIGTERM", stopLimit)
	}
	if code := r.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("the program ended with %d\n%s", code, r.log.Tail())
	}
}
