// Command servers starts throw-away servers on free ports of the loopback
// address, runs a command with their addresses in its environment, and ends the
// servers with the command:
//
//	go run ./test/servers go test ./...
//
// It sets TIDEWAITER_TEST_POSTGRES and TIDEWAITER_TEST_REDIS.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		code = 1
	}
	os.Exit(code)
}

func run(command []string) (int, error) {
	if len(command) == 0 {
		return 2, errors.New("usage: servers COMMAND [ARGUMENT…]")
	}
	folder, err := os.MkdirTemp("", "tidewaiter-servers-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(folder)
	postgres, stopPostgres, err := startPostgres(folder)
	if err != nil {
		return 1, fmt.Errorf("postgresql: %w", err)
	}
	defer stopPostgres()
	redis, stopRedis, err := startRedis(folder)
	if err != nil {
		return 1, fmt.Errorf("redis: %w", err)
	}
	defer stopRedis()

	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "TIDEWAITER_TEST_POSTGRES="+postgres, "TIDEWAITER_TEST_REDIS="+redis)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

func startPostgres(folder string) (address string, stop func(), err error) {
	bin, err := postgresBinaries()
	if err != nil {
		return "", nil, err
	}
	data := filepath.Join(folder, "postgres")
	if err := os.MkdirAll(data, 0o700); err != nil {
		return "", nil, err
	}
	credential, err := unprivileged(folder, data)
	if err != nil {
		return "", nil, err
	}
	as := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential, Setpgid: true}
		cmd.Dir = data
		return cmd
	}
	if out, err := as("initdb", "--pgdata", data, "--username", "postgres", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C").CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	port, err := freePort()
	if err != nil {
		return "", nil, err
	}
	server := as("postgres", "-D", data, "-p", strconv.Itoa(port), "-c", "listen_addresses=127.0.0.1",
		"-c", "unix_socket_directories="+data, "-c", "max_connections=300", "-c", "fsync=off", "-c", "full_page_writes=off")
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = server.Process.Signal(syscall.SIGQUIT)
		_ = server.Wait()
	}
	if err := accepts(port); err != nil {
		stop()
		return "", nil, err
	}
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port), stop, nil
}

// postgresBinaries finds the newest installed server.
func postgresBinaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", errors.New("not installed; run `make test-deps`")
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// unprivileged gives the account that the server runs as: it refuses to be root.
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

func startRedis(folder string) (address string, stop func(), err error) {
	port, err := freePort()
	if err != nil {
		return "", nil, err
	}
	server := exec.Command("redis-server", "--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder)
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
	}
	if err := accepts(port); err != nil {
		stop()
		return "", nil, err
	}
	return fmt.Sprintf("redis://127.0.0.1:%d/0", port), stop, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	_, port, _ := strings.Cut(l.Addr().String(), ":")
	return strconv.Atoi(port)
}

// accepts waits until something listens on a port.
func accepts(port int) error {
	address := fmt.Sprintf("127.0.0.1:%d", port)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("nothing listens on %s after 30 s", address)
}
