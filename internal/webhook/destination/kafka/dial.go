package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"time"
)

const (
	optionalTLS   = 2 * time.Second // for a handshake that the broker may not know
	rememberPlain = time.Minute
	maxPlain      = 1024 // brokers
)

// plainBrokers are the addresses of brokers that did not speak TLS lately, and since when that is known. Endpoints share them, so
// that each new connection does not wait for a handshake that nobody answers.
type plainBrokers struct {
	mu    sync.Mutex
	since map[string]time.Time
}

// know reports whether a broker did not speak TLS lately.
func (b *plainBrokers) know(address string, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	since, known := b.since[address]
	if known && now.Sub(since) > rememberPlain {
		delete(b.since, address)
		return false
	}
	return known
}

// note remembers a broker that does not speak TLS, from the first time on.
func (b *plainBrokers) note(address string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.since) >= maxPlain {
		clear(b.since)
	}
	if _, known := b.since[address]; !known {
		b.since[address] = now
	}
}

// dial connects to a broker of the address, or to one that a broker has named; both are checked. TLS comes first. Where the
// operator allows addresses without TLS, and the broker does not speak it, the connection is without.
func (d *topic) dial(ctx context.Context, network, address string) (conn net.Conn, err error) {
	permitted := d.network.Guard.AllowsPlain()
	plain := permitted && d.plain.know(address, d.network.Now())
	if !plain {
		conn, err = d.secure(ctx, network, address, permitted)
		plain = permitted && hasNoTLS(err)
	}
	if plain {
		if conn, err = d.network.Guard.Dialer(true)(ctx, network, address); err == nil {
			d.plain.note(address, d.network.Now())
		}
	}
	if err != nil {
		d.failed.Store(&err)
		return nil, err
	}
	d.failed.Store(nil)
	return conn, nil
}

// secure connects with TLS. Where it is not a must, it gives up early on a broker that does not answer.
func (d *topic) secure(ctx context.Context, network, address string, optional bool) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	raw, err := d.network.Guard.Dialer(false)(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if optional {
		short, cancel := context.WithTimeout(ctx, optionalTLS)
		defer cancel()
		ctx = short
	}
	conn := tls.Client(raw, d.network.TLS(host))
	if err := conn.HandshakeContext(ctx); err != nil {
		_ = raw.Close()
		return nil, err
	}
	return conn, nil
}

// hasNoTLS reports whether a broker does not speak TLS. A broker without it takes the beginning of TLS for a message of an
// impossible length, and closes the connection or waits for the rest.
func hasNoTLS(err error) bool {
	var record tls.RecordHeaderError
	return errors.As(err, &record) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, context.DeadlineExceeded)
}
