// Package graceful serves HTTP and stops without failing a request: every request on a
// connection that was accepted is answered.
package graceful

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Server serves until Stop.
type Server struct {
	// Delay is how long Stop goes on accepting connections. Meanwhile clients are asked to
	// close theirs, and load balancers see that the instance is not ready.
	Delay time.Duration

	server   *http.Server
	listener net.Listener
	stopping atomic.Bool

	mu   sync.Mutex
	idle map[net.Conn]int // connections without a request under way, with the sweeps that saw them
}

// acceptDelay is how long connections are still accepted after new ones are refused: as long as a handshake that has
// begun may take.
const acceptDelay = 200 * time.Millisecond

// New makes a server of s, whose handler is wrapped.
func New(s *http.Server) *Server {
	g := &Server{server: s, idle: map[net.Conn]int{}}
	s.ConnState = g.note
	handler := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(&closing{ResponseWriter: w, stopping: &g.stopping}, r)
	})
	return g
}

// Listen listens on a TCP address. It does without Multipath TCP, whose sockets take no filter.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(ctx, "tcp", address)
}

// Serve accepts connections on the listener until Stop; with certificates in the server's
// TLSConfig it speaks TLS. It returns http.ErrServerClosed after Stop.
func (g *Server) Serve(l net.Listener) error {
	g.listener = l
	if g.server.TLSConfig != nil {
		return g.server.ServeTLS(l, "", "")
	}
	return g.server.Serve(l)
}

// Stopping reports whether Stop was called.
func (g *Server) Stopping() bool { return g.stopping.Load() }

// Announce asks clients to close their connections after the next answer: by
// "Connection: close", which becomes GOAWAY with HTTP/2.
func (g *Server) Announce() { g.stopping.Store(true) }

// Stop announces the end, goes on accepting for Delay, closes the listener and waits until
// all requests are answered or ctx ends; then it cuts the connections that are left and
// returns the context's error.
//
// Closing a listener resets connections that the kernel has made and the program has not
// accepted yet. So new ones are kept out first, as far as the system can do that, and those
// that exist are accepted.
func (g *Server) Stop(ctx context.Context) error {
	g.Announce()
	if g.Delay > 0 {
		wait(ctx, g.Delay)
		if refuseNew(g.listener) == nil {
			wait(ctx, acceptDelay)
		}
	}
	done := make(chan struct{})
	go g.sweep(done)
	err := g.server.Shutdown(ctx)
	close(done)
	if ctx.Err() != nil {
		_ = g.server.Close()
	}
	return err
}

func (g *Server) note(c net.Conn, state http.ConnState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if state == http.StateIdle {
		g.idle[c] = 0
	} else {
		delete(g.idle, c)
	}
}

// Idle connections are checked at this interval, and closed after this many checks. An HTTP/2 connection needs a second
// to close by itself.
const (
	sweepInterval = 200 * time.Millisecond
	maxSweeps     = 10
)

// sweep closes connections that stay idle after the shutdown has begun. http.Server does so for HTTP/1.1, but misses
// HTTP/2 connections whose handshake ends later.
func (g *Server) sweep(done <-chan struct{}) {
	tick := time.NewTicker(sweepInterval)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		for _, c := range g.idleTooLong() {
			_ = c.Close()
		}
	}
}

func (g *Server) idleTooLong() (conns []net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.idle {
		if g.idle[c]++; g.idle[c] > maxSweeps {
			conns = append(conns, c)
		}
	}
	return conns
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// closing adds "Connection: close" to an answer that begins after the end was announced.
type closing struct {
	http.ResponseWriter
	stopping *atomic.Bool
	began    bool
}

func (c *closing) begin() {
	if !c.began && c.stopping.Load() {
		c.Header().Set("Connection", "close")
	}
	c.began = true
}

func (c *closing) WriteHeader(status int) {
	if status >= http.StatusOK {
		c.begin()
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *closing) Write(b []byte) (int, error) {
	c.begin()
	return c.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (c *closing) Unwrap() http.ResponseWriter { return c.ResponseWriter }
