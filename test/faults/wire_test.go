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

// wire lies between the program and its database, and can be cut, frozen or slow.
type wire struct {
	address, server string

	mu       sync.Mutex
	listener net.Listener
	open     map[net.Conn]*pipe
	ice      sync.RWMutex // held for writing while nothing passes
	weather  atomic.Pointer[weather]
}

// pipe is one connection over a wire.
type pipe struct{ lost atomic.Bool } // what it carries vanishes, and neither end learns so

// newWire leads a place to its database over a wire.
func newWire(t *testing.T, p place) *wire {
	t.Helper()
	u, err := url.Parse(p.Settings["TIDEWAITER_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	w := wireTo(t, u.Host)
	u.Host = w.address
	p.Settings["TIDEWAITER_DATABASE_URL"] = u.String()
	return w
}

func wireTo(t *testing.T, server string) *wire {
	t.Helper()
	w := &wire{address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port.For(t))), server: server, open: map[net.Conn]*pipe{}}
	w.up(t)
	t.Cleanup(w.down)
	return w
}

// up accepts connections, at the same address each time.
func (w *wire) up(t *testing.T) {
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

func (w *wire) join(near net.Conn) {
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

func (w *wire) close(ends ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, end := range ends {
		_ = end.Close()
		delete(w.open, end)
	}
}

// down cuts all connections and refuses new ones.
func (w *wire) down() {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.listener.Close()
	for end := range w.open {
		_ = end.Close()
	}
}

// freeze lets nothing pass, and closes nothing either, until thaw.
func (w *wire) freeze() { w.ice.Lock() }
func (w *wire) thaw()   { w.ice.Unlock() }

// passing is an end of a wire.
type passing struct {
	net.Conn
	wire *wire
	pipe *pipe
}

func (p passing) Write(b []byte) (int, error) {
	p.wire.ice.RLock()
	defer p.wire.ice.RUnlock()
	if now := p.wire.weather.Load(); now != nil {
		time.Sleep(now.slows(len(b)))
	}
	if p.pipe.lost.Load() {
		return len(b), nil
	}
	return p.Conn.Write(b)
}
