package amqp

import (
	"net"
	"sync"
)

// maxGathered is how many bytes wait to be written; more block those who write.
const maxGathered = 64 << 10

// gathering is a connection that gathers what is written while an earlier write is under way. The client writes each message for
// itself, so messages at the same time share a packet only here.
type gathering struct {
	net.Conn
	mu      sync.Mutex
	changed sync.Cond
	waiting []byte
	err     error // after which nothing is written any more
}

func gather(c net.Conn) *gathering {
	g := &gathering{Conn: c}
	g.changed.L = &g.mu
	go g.write()
	return g
}

// Write adds to what is written next. An error of writing is returned by the next call.
func (g *gathering) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.waiting) > maxGathered && g.err == nil {
		g.changed.Wait()
	}
	if g.err != nil {
		return 0, g.err
	}
	g.waiting = append(g.waiting, p...)
	g.changed.Broadcast()
	return len(p), nil
}

// Close closes the connection. What waits is not written.
func (g *gathering) Close() error {
	g.end(net.ErrClosed)
	return g.Conn.Close()
}

func (g *gathering) end(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
	}
	g.changed.Broadcast()
}

// write writes what has been gathered until the connection ends.
func (g *gathering) write() {
	var out []byte
	for {
		g.mu.Lock()
		for len(g.waiting) == 0 && g.err == nil {
			g.changed.Wait()
		}
		ended := g.err != nil
		out, g.waiting = g.waiting, out[:0]
		g.changed.Broadcast()
		g.mu.Unlock()
		if ended {
			return
		}
		if _, err := g.Conn.Write(out); err != nil {
			g.end(err)
			_ = g.Conn.Close() // so that those who wait for an answer learn of it
			return
		}
	}
}
