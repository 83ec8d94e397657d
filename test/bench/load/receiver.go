package load

import (
	"bytes"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Receiver receives deliveries on any number of connections, and does as little as possible: it reads a request to
// its end and answers 200.
type Receiver struct {
	listener net.Listener
	Silent   bool // accepts requests and never answers
	got      atomic.Int64
	lastAt   atomic.Int64

	mu     sync.Mutex
	delays []time.Duration
}

// Receive starts a receiver on a free port of the loopback address.
func Receive(silent bool) (*Receiver, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Receiver{listener: l, Silent: silent}
	go r.accept()
	return r, nil
}

// URL is the delivery address.
func (r *Receiver) URL() string { return "http://" + r.listener.Addr().String() + "/" }

// Got is the number of requests, and the time of the last one.
func (r *Receiver) Got() (n int, last time.Time) {
	return int(r.got.Load()), time.Unix(0, r.lastAt.Load())
}

// Close stops accepting connections.
func (r *Receiver) Close() { r.listener.Close() }

func (r *Receiver) accept() {
	for {
		c, err := r.listener.Accept()
		if err != nil {
			return
		}
		go r.serve(c)
	}
}

var okAnswer = []byte("HTTP/1.1 " + "200 " + http.StatusText(http.StatusOK) + "\r\nContent-Length: 0\r\n\r\n")

func (r *Receiver) serve(conn net.Conn) {
	defer conn.Close()
	c := buffered(conn)
	for {
		length, err := c.request()
		if err != nil {
			return
		}
		if err := r.read(c, length); err != nil {
			return
		}
		if r.Silent {
			_, _ = c.in.ReadByte() // until the sender gives up
			return
		}
		r.got.Add(1)
		r.lastAt.Store(time.Now().UnixNano())
		if _, err := c.Write(okAnswer); err != nil {
			return
		}
	}
}

var (
	stampBefore = []byte(`"createdAt":"`)
	stampLength = len("2026-11-21T09:00:00.000Z")
)

// read reads a body and records the age of its event.
func (r *Receiver) read(c *connection, length int) error {
	beginning, err := c.in.Peek(min(length, 256))
	if err != nil {
		return err
	}
	if at := bytes.Index(beginning, stampBefore); at >= 0 && len(beginning) >= at+len(stampBefore)+stampLength {
		stamp := string(beginning[at+len(stampBefore):][:stampLength])
		if created, err := time.Parse(time.RFC3339, stamp); err == nil {
			r.mu.Lock()
			r.delays = append(r.delays, time.Since(created))
			r.mu.Unlock()
		}
	}
	_, err = c.in.Discard(length)
	return err
}

// Delays are the delivery times since the last call.
func (r *Receiver) Delays() (p50, p99 time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.Sort(r.delays)
	p50, p99 = quantile(r.delays, 50), quantile(r.delays, 99)
	r.delays = r.delays[:0]
	return p50, p99
}
