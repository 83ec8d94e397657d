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
	"os"
	"os/exec"
	"os/signal"
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
	if len(command) == 0 {
		return 2, errors.New("usage: servers COMMAND [ARGUMENT…]")
	}
	folder, err := os.MkdirTemp("", "tidewaiter-servers-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(folder)
	database, err := postgres.Start(folder, "max_connections=300", "fsync=off", "full_page_writes=off")
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

	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "TIDEWAITER_TEST_POSTGRES="+database.Address("postgres"), "TIDEWAITER_TEST_REDIS="+limits.Address())
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
