// Command servers starts temporary servers on free ports of the loopback address, runs a command with their
// addresses in its environment, and ends the servers with the command:
//
//	go run ./test/servers go test ./...
//
// It sets TIDEWAITER_TEST_POSTGRES and TIDEWAITER_TEST_REDIS, and in TIDEWAITER_TEST_PROGRAM a folder in which the
// first test that needs the program builds it for all. With -memory before the command, temporary files are kept
// in memory if the machine has enough: they survive a killed process, and no test waits for a disk.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/tidewaiter/tidewaiter/test/port"
	"github.com/tidewaiter/tidewaiter/test/postgres"
	"github.com/tidewaiter/tidewaiter/test/redis"
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
	in := ""
	if len(command) > 0 && command[0] == "-memory" {
		in, command = memory(), command[1:]
	}
	if len(command) == 0 {
		return 2, errors.New("usage: servers [-memory] COMMAND [ARGUMENT…]")
	}
	folder, err := os.MkdirTemp(in, "tidewaiter-servers-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(folder)
	if in != "" {
		if err := temporary(filepath.Join(folder, "tmp")); err != nil {
			return 1, err
		}
	}
	settings := []string{"max_connections=1000", "fsync=off", "full_page_writes=off"}
	if in != "" {
		settings = append(settings, "autovacuum=off") // no database lives long enough
	}
	database, err := postgres.Start(folder, settings...)
	if err != nil {
		return 1, fmt.Errorf("postgresql: %w", err)
	}
	defer database.Stop()
	at, err := port.Free()
	if err != nil {
		return 1, err
	}
	limits, err := redis.Start(at)
	if err != nil {
		return 1, fmt.Errorf("redis: %w", err)
	}
	defer limits.Kill()

	builds := filepath.Join(folder, "program")
	if err := os.Mkdir(builds, 0o700); err != nil {
		return 1, err
	}

	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "TIDEWAITER_TEST_POSTGRES="+database.Address("postgres"), "TIDEWAITER_TEST_REDIS="+limits.Address(), "TIDEWAITER_TEST_PROGRAM="+builds)
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

// roomy is the memory in bytes that must be free for the temporary files of tests.
const roomy = 6 << 30

// memory is a folder that the machine keeps in memory. It is empty if there is none with enough space, or none
// from which programs can run, as in most containers.
func memory() string {
	const shared, noexec = "/dev/shm", 8
	var fs syscall.Statfs_t
	if syscall.Statfs(shared, &fs) != nil || fs.Bavail*uint64(fs.Bsize) < roomy || fs.Flags&noexec != 0 {
		return ""
	}
	return shared
}

// temporary makes a folder the one for temporary files, for the servers of every account.
func temporary(folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(folder, 0o1777); err != nil {
		return err
	}
	return os.Setenv("TMPDIR", folder)
}
