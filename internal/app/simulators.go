package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// simulatorServer is the simulator of an authority.
type simulatorServer interface {
	http.Handler
	Close() error
}

// simulatorFrame serves the simulators of authorities in this process, each behind a socket of its own. That of CDS, which calls
// this service itself, is embeddedSimulator.
type simulatorFrame struct {
	app     *App
	stopped []func()
}

// start serves the simulator of an authority, which continues from its journal, and returns its address.
func (f *simulatorFrame) start(ctx context.Context, c connector) (address string, err error) {
	log := f.app.deps.Log.With("part", "simulator of "+c.authority.ID)
	s, err := c.simulator(simulator.Options{Folder: filepath.Join(f.app.Config.Data, "simulator"), Clock: f.app.organisationClock(context.WithoutCancel(ctx)), Log: log})
	if err != nil {
		return "", err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		_ = s.Close()
		return "", fmt.Errorf("simulator: %w", err)
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: headerTimeout, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(listener) })
	f.stopped = append(f.stopped, func() {
		_ = server.Close()
		running.Wait()
		if err := s.Close(); err != nil {
			log.Warn("cannot close the simulator's journal", "error", err)
		}
	})
	return "http://" + listener.Addr().String(), nil
}

// stop ends all simulators.
func (f *simulatorFrame) stop() {
	for _, stop := range f.stopped {
		stop()
	}
}
