// Package postgres starts PostgreSQL servers for tests, alone or with a standby, on ports of the loopback address, with
// their own data.
package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tidewaiter/tidewaiter/test/port"
)

// Server is a running server with the superuser postgres.
type Server struct {
	Port int

	bin, data  string
	credential *syscall.Credential
	process    *exec.Cmd
	ended      chan struct{}
}

// startLimit is how long a server may take until it accepts connections.
const startLimit = 30 * time.Second

// Start creates a server's data in a folder and starts it on a free port, with settings in the form name=value.
func Start(folder string, settings ...string) (*Server, error) {
	at, err := port.Free()
	if err != nil {
		return nil, err
	}
	return StartAt(folder, at, settings...)
}

// StartAt is Start on a port.
func StartAt(folder string, at int, settings ...string) (*Server, error) {
	s, err := newServer(filepath.Join(folder, "postgres"))
	if err != nil {
		return nil, err
	}
	err = s.run("initdb", "--pgdata", s.data, "--username", "postgres", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C")
	if err != nil {
		return nil, err
	}
	s.Port = at
	return s, s.start(settings)
}

// Standby copies a server into another folder, and follows it by streaming replication under a name for
// synchronous_standby_names.
func (s *Server) Standby(folder, name string, settings ...string) (*Server, error) {
	b, err := newServer(filepath.Join(folder, "postgres"))
	if err != nil {
		return nil, err
	}
	from := fmt.Sprintf("host=127.0.0.1 port=%d user=postgres application_name=%s", s.Port, name)
	if err := b.run("pg_basebackup", "--pgdata", b.data, "--dbname", from, "--write-recovery-conf", "--checkpoint", "fast", "--no-sync"); err != nil {
		return nil, err
	}
	if b.Port, err = port.Free(); err != nil {
		return nil, err
	}
	return b, b.start(settings)
}

func newServer(data string) (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	credential, err := unprivileged(filepath.Dir(data), data)
	return &Server{bin: bin, data: data, credential: credential}, err
}

func (s *Server) start(settings []string) error {
	args := []string{"-D", s.data, "-p", strconv.Itoa(s.Port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=" + s.data}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	s.process, s.ended = s.command("postgres", args...), make(chan struct{})
	if err := s.process.Start(); err != nil {
		return err
	}
	go func() {
		_ = s.process.Wait()
		close(s.ended)
	}()
	if err := s.ready(); err != nil {
		s.Stop()
		return err
	}
	return nil
}

// ready waits until the server accepts clients, which is later than the start of listening.
func (s *Server) ready() (err error) {
	for deadline := time.Now().Add(startLimit); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if err = s.run("pg_isready", "--host", "127.0.0.1", "--port", strconv.Itoa(s.Port)); err == nil {
			return nil
		}
	}
	return err
}

// Address is the address of one of the server's databases, for its superuser.
func (s *Server) Address(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", s.Port, database)
}

// Stop ends the server at once, and waits until it is gone.
func (s *Server) Stop() {
	_ = s.process.Process.Signal(syscall.SIGQUIT)
	<-s.ended
}

// Kill ends the server and all its processes like a power failure. Each process is in a session of its own, so a
// signal to a group does not reach them.
func (s *Server) Kill() {
	children := childrenOf(s.process.Process.Pid)
	_ = s.process.Process.Kill()
	for _, child := range children {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
	<-s.ended
}

func childrenOf(parent int) (children []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		_, fields, found := strings.Cut(string(text), ") ") // after the program's name
		if err != nil || !found {
			continue
		}
		var state string
		var ppid int
		if _, err := fmt.Sscan(fields, &state, &ppid); err != nil || ppid != parent {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(stat))); err == nil {
			children = append(children, pid)
		}
	}
	return children
}

// Promote makes a standby accept writes.
func (s *Server) Promote() error { return s.run("pg_ctl", "promote", "--pgdata", s.data) }

func (s *Server) run(name string, args ...string) error {
	if out, err := s.command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.credential, Setpgid: true}
	cmd.Dir = s.data
	return cmd
}

// binaries finds the newest installed server.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		path, err = filepath.EvalSymlinks(path)
		return filepath.Dir(path), err
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", errors.New("postgresql is not installed; run `make deps`")
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// unprivileged returns the account that the server runs as, because PostgreSQL refuses to run as root.
func unprivileged(folders ...string) (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.Atoi(account.Uid)
	gid, _ := strconv.Atoi(account.Gid)
	for _, f := range folders {
		if err := os.Chown(f, uid, gid); err != nil {
			return nil, err
		}
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}
