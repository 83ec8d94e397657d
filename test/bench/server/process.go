// Package server runs the measured programs, each with a folder of its own and on a free port of the loopback
// address, and fills their databases.
package server

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/tidewaiter/tidewaiter/test/port"
)

// startTimeout is the timeout of a server's first answer.
const startTimeout = 20 * time.Second

// Process is a running server.
type Process struct {
	Address string
	Ready   time.Duration // from the start of the process to its first answer
	command *exec.Cmd
	log     *os.File
}

// Start runs a program on a data folder and waits for its first answer. Settings have the form NAME=value. The
// program's log goes to a file, as in production.
func Start(ctx context.Context, command []string, data string, settings ...string) (*Process, error) {
	at, err := port.Free()
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", at)
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(data, filepath.Base(command[0])+".log"))
	if err != nil {
		return nil, err
	}
	p := &Process{Address: address, command: exec.CommandContext(ctx, command[0], command[1:]...), log: log}
	p.command.Env = append(append(os.Environ(), Environment(data, address)...), settings...)
	p.command.Stderr = log
	p.command.Cancel = func() error { return p.command.Process.Signal(syscall.SIGTERM) }
	began := time.Now()
	if err := p.command.Start(); err != nil {
		log.Close()
		return nil, err
	}
	if err := answers("http://"+address+"/healthz", began.Add(startTimeout)); err != nil {
		p.Stop()
		return nil, fmt.Errorf("server: %s: %w; see %s", command[0], err, log.Name())
	}
	p.Ready = time.Since(began)
	return p, nil
}

// Environment are the settings of every program: its data folder, its address, and no rate limits.
func Environment(data, address string) []string {
	return []string{"TIDEWAITER_DATA=" + data, "TIDEWAITER_ADDR=" + address, "TIDEWAITER_LIMIT_STANDARD=0"}
}

// Stop ends the server and waits until it has ended.
func (p *Process) Stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	_ = p.command.Wait()
	p.log.Close()
}

// answers repeats a request until the answer is 200.
func answers(address string, until time.Time) error {
	client := &http.Client{Timeout: time.Second}
	for ; time.Now().Before(until); time.Sleep(time.Millisecond) {
		r, err := client.Get(address)
		if err != nil {
			continue
		}
		r.Body.Close()
		if r.StatusCode == http.StatusOK {
			return nil
		}
	}
	return fmt.Errorf("no answer within %s", startTimeout)
}
