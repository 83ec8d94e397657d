package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/certfile"
	"github.com/tidewaiter/tidewaiter/internal/platform/graceful"
	"github.com/tidewaiter/tidewaiter/internal/platform/sdnotify"
)

// Limits of the HTTP servers.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = time.Minute
	writeTimeout  = 2 * time.Minute
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	stopGrace     = 20 * time.Second // for running requests; jobs have eight more
)

// Limits of HTTP/2: the buffers hold what a client sends before a handler reads it.
const (
	maxStreams       = 100
	connectionBuffer = 256 << 10
	streamBuffer     = 64 << 10
)

// certificateInterval is the time between two checks of the certificate's files.
const certificateInterval = 10 * time.Second

// listen listens on the service's address, and sets the public URL if there is none.
func (a *App) listen(ctx context.Context) (net.Listener, error) {
	a.manager = sdnotify.New(a.deps.Getenv, os.Getpid())
	c := &a.Config
	a.callback = noListener{}
	if c.TLSCert != "" {
		var err error
		if a.cert, err = certfile.Open(c.TLSCert, c.TLSKey, a.deps.trueTime, a.deps.Log); err != nil {
			return nil, fmt.Errorf("app: TLS: %w", err)
		}
		if a.callback, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, fmt.Errorf("app: listen: %w", err)
		}
	}
	listener, err := graceful.Listen(ctx, c.Addr)
	if err != nil {
		_ = a.callback.Close()
		return nil, fmt.Errorf("app: listen: %w", err)
	}
	if c.PublicURL == "" {
		c.PublicURL = c.Scheme() + "://" + localhost(listener.Addr().String())
	}
	return listener, nil
}

// noListener is used if the service needs no second listener.
type noListener struct{ net.Listener }

func (noListener) Close() error { return nil }

// callbackURL is where the built-in simulator sends messages: the service itself or, with TLS, a listener on the
// loopback address, because the certificate is for another name.
func (a *App) callbackURL(own net.Addr) string {
	if a.cert != nil {
		own = a.callback.Addr()
	}
	return "http://" + loopback(own) + customsPath
}

const customsPath = "/api/cds/webhook"

// serveCallback serves only messages of the simulator, on the second listener.
func (a *App) serveCallback() {
	if a.cert == nil {
		return
	}
	mux := http.NewServeMux()
	mux.Handle("POST "+customsPath, a.api)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, MaxHeaderBytes: maxHeader}
	go func() { _ = server.Serve(a.callback) }()
}

func (a *App) newServer() *graceful.Server {
	server := &http.Server{
		Handler: a.handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(a.deps.Log.Handler(), slog.LevelWarn),
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: maxStreams, MaxReceiveBufferPerConnection: connectionBuffer, MaxReceiveBufferPerStream: streamBuffer,
		},
	}
	if a.cert != nil {
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: a.cert.Get}
	}
	server.RegisterOnShutdown(a.pages.Close) // pages that follow changes would delay the shutdown
	server.RegisterOnShutdown(a.api.Drain)   // so would feeds
	g := graceful.New(server)
	g.Delay = a.Config.StopDelay
	return g
}

// stop waits for running requests, up to a limit.
func (a *App) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), a.Config.StopDelay+stopGrace)
	defer cancel()
	err := a.server.Stop(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		a.deps.Log.Warn("requests that were still running at the stop timeout were cancelled")
		return nil
	}
	return err
}

// reloadOnSignal reloads the certificate when its files change, and on SIGHUP also the log level.
func (a *App) reloadOnSignal(ctx context.Context) {
	again := make(chan chan<- error)
	if a.cert != nil {
		go a.cert.Watch(ctx, certificateInterval, again)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.deps.ReloadSignals:
		}
		a.notify(a.manager.Reloading(monotonic()))
		var err error
		if a.deps.Reload != nil {
			err = a.deps.Reload()
		}
		if a.cert != nil {
			done := make(chan error, 1)
			select {
			case again <- done:
				err = errors.Join(err, <-done)
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			a.deps.Log.Error("cannot reload everything; what failed keeps its former value", "error", err)
		} else {
			a.deps.Log.Info("reloaded")
		}
		a.notify(a.manager.Ready())
	}
}

// pingWatchdog notifies systemd's watchdog, if it is on.
func (a *App) pingWatchdog(ctx context.Context) {
	if a.manager.Watchdog == 0 {
		return
	}
	tick := time.NewTicker(a.manager.Watchdog / 2)
	defer tick.Stop()
	for {
		a.notify(a.manager.Alive())
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (a *App) notify(err error) {
	if err != nil {
		a.deps.Log.Warn("cannot notify systemd", "error", err)
	}
}
