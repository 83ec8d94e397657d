// Package redis starts Redis servers for tests on the loopback address. They store nothing on disk.
package redis

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/port"
)

// Server is a running server.
type Server struct {
	Port int

	process *exec.Cmd
}

// For starts a server on a port, with further arguments of redis-server; it ends with the test at the latest. The
// test is skipped if Redis is not installed.
func For(t testing.TB, at int, args ...string) *Server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("redis-server is not installed; run `make deps`")
	}
	s, err := Start(at, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// Start starts a server on a port, with further arguments of redis-server.
func Start(at int, args ...string) (*Server, error) {
	args = append([]string{"--port", strconv.Itoa(at), "--bind", "127.0.0.1", "--save", "", "--dir", os.TempDir()}, args...)
	s := &Server{Port: at, process: exec.Command("redis-server", args...)}
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	if err := port.WaitUntilListening(at); err != nil {
		s.Kill()
		return nil, err
	}
	return s, nil
}

// Address is the address of its first database.
func (s *Server) Address() string { return fmt.Sprintf("redis://127.0.0.1:%d/0", s.Port) }

// Signal sends the server a signal.
func (s *Server) Signal(sig os.Signal) error { return s.process.Process.Signal(sig) }

// Kill ends the server at once, and waits until it has ended; it may have ended already.
func (s *Server) Kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}
