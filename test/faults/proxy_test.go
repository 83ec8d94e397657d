package faults_test

import (
	"io"
	"net"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/port"
)

// proxy is a TCP proxy between the program and its database that can be cut, frozen or slow.
type proxy struct {
	address, server string

	mu       sync.Mutex
	listener net.Listener
	open     map[net.Conn]*pipe
	frozen   sync.RWMutex // locked while nothing passes
	speed    atomic.Pointer[networkSpeed]
}

// pipe is one connection through a proxy.
type pipe struct{ lost atomic.Bool } // its data is dropped, and neither end notices

// newProxy puts a proxy between a host and its database.
func newProxy(t *testing.T, p host) *proxy {
	t.Helper()
	u, err := url.Parse(p.Settings["TIDEWAITER_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	w := proxyTo(t, u.Host)
	u.Host = w.address
	p.Settings["TIDEWAITER_DATABASE_URL"] = u.String()
	return w
}

func proxyTo(t *testing.T, server string) *proxy {
	t.Helper()
	w := &proxy{address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port.For(t))), server: server, open: map[net.Conn]*pipe{}}
	w.up(t)
	t.Cleanup(w.down)
	return w
}

// up accepts connections, at the same address each time.
func (w *proxy) up(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", w.address)
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listener, w.address = listener, listener.Addr().String()
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go w.join(near)
		}
	}()
}

func (w *proxy) join(near net.Conn) {
	far, err := net.Dial("tcp", w.server)
	if err != nil {
		_ = near.Close()
		return
	}
	w.mu.Lock()
	through := &pipe{}
	w.open[near], w.open[far] = through, through
	w.mu.Unlock()
	go func() { _, _ = io.Copy(passing{far, w, through}, near); w.close(near, far) }()
	_, _ = io.Copy(passing{near, w, through}, far)
	w.close(near, far)
}

func (w *proxy) close(ends ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, end := range ends {
		_ = end.Close()
		delete(w.open, end)
	}
}

// down cuts all connections and refuses new ones.
func (w *proxy) down() {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.listener.Close()
	for end := range w.open {
		_ = end.Close()
	}
}

// freeze lets nothing pass and closes nothing until thaw.
func (w *proxy) freeze() { w.frozen.Lock() }
func (w *proxy) thaw()   { w.frozen.Unlock() }

// passing is one end of a proxied connection.
type passing struct {
	net.Conn
	proxy *proxy
	pipe  *pipe
}

func (p passing) Write(b []byte) (int, error) {
	p.proxy.frozen.RLock()
	defer p.proxy.frozen.RUnlock()
	if now := p.proxy.speed.Load(); now != nil {
		time.Sleep(now.slows(len(b)))
	}
	if p.pipe.lost.Load() {
		return len(b), nil
	}
	return p.Conn.Write(b)
}
