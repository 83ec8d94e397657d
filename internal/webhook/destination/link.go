package destination

import "context"

// Conn is a connection to a broker.
type Conn interface {
	Alive() bool
	Close()
}

// Link keeps one connection, which the first message after its end opens again.
type Link[C Conn] struct {
	open   func(context.Context) (C, error)
	lock   chan struct{} // has room for one; filling it is locking
	conn   C
	opened bool
	closed bool
}

// NewLink returns a link whose connections open opens.
func NewLink[C Conn](open func(context.Context) (C, error)) *Link[C] {
	return &Link[C]{open: open, lock: make(chan struct{}, 1)}
}

// Get returns the connection. Messages at the same time wait until one of them has opened it.
func (l *Link[C]) Get(ctx context.Context) (conn C, err error) {
	select {
	case l.lock <- struct{}{}:
		defer func() { <-l.lock }()
	case <-ctx.Done():
		return conn, ctx.Err()
	}
	if l.closed {
		return conn, Refuse("", "the endpoint was changed during the attempt")
	}
	if l.opened && l.conn.Alive() {
		return l.conn, nil
	}
	if l.opened {
		l.conn.Close()
	}
	l.conn, err = l.open(ctx)
	l.opened = err == nil
	return l.conn, err
}

// Close ends the connection for good.
func (l *Link[C]) Close() {
	l.lock <- struct{}{}
	defer func() { <-l.lock }()
	l.closed = true
	if l.opened {
		l.conn.Close()
	}
	l.opened = false
}
