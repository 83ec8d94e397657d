package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"syscall"
)

// dial connects to a broker of the address, or to one that a broker has named; both are checked. TLS comes first. Where the
// operator allows addresses without TLS, and the broker does not speak it, the connection is without.
func (d *topic) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.secure(ctx, network, address)
	if err != nil && hasNoTLS(err) && d.network.Guard.AllowsPlain() {
		conn, err = d.network.Guard.Dialer(true)(ctx, network, address)
	}
	if err != nil {
		d.failed.Store(&err)
		return nil, err
	}
	d.failed.Store(nil)
	return conn, nil
}

func (d *topic) secure(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	raw, err := d.network.Guard.Dialer(false)(ctx, network, address)
	if err != nil {
		return nil, err
	}
	conn := tls.Client(raw, d.network.TLS(host))
	if err := conn.HandshakeContext(ctx); err != nil {
		_ = raw.Close()
		return nil, err
	}
	return conn, nil
}

// hasNoTLS reports whether a broker does not speak TLS. A broker without it takes the beginning of TLS for a message of an
// impossible length and closes the connection.
func hasNoTLS(err error) bool {
	var record tls.RecordHeaderError
	return errors.As(err, &record) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)
}
