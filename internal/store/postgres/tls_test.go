package postgres

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A connection to another host is encrypted unless its address says sslmode=disable; on
// this host it may be plain.
func TestRequireTLS(t *testing.T) {
	t.Setenv("PGSSLMODE", "")
	for _, c := range []struct {
		address string
		plain   string // hosts that may be reached without TLS
		tls     bool   // of the first attempt
	}{
		{"postgres://u:p@db.example/x", "", true},
		{"postgres://u:p@192.0.2.1/x", "", true},
		{"postgres://u:p@db.example/x?sslmode=prefer", "", true},
		{"postgres://u:p@db.example/x?sslmode=allow", "", true},
		{"postgres://u:p@db.example/x?sslmode=require", "", true},
		{"postgres://u:p@db.example/x?sslmode=verify-full", "", true},
		{"postgres://u:p@db.example/x?sslmode=disable", "db.example", false},
		{"postgres://u:p@db1.example,db2.example/x", "", true},
		{"postgres://u:p@db1.example,db2.example/x?sslmode=disable", "db1.example db2.example", false},
		{"host=db.example user=u dbname=x", "", true},
		{"host=db.example user=u dbname=x sslmode=disable", "db.example", false},
		{"postgres://u:p@127.0.0.1/x?sslmode=disable", "", false},
		{"postgres://u:p@[::1]/x", "", true}, // and plain if the server has no TLS
		{"host=/run/postgresql user=u dbname=x", "", false},
	} {
		config, err := ParseAddress(c.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(plainHosts(config), " "); got != c.plain || (config.TLSConfig != nil) != c.tls {
			t.Errorf("%s: plain to %q, TLS %t", c.address, got, config.TLSConfig != nil)
		}
	}
	if config, _ := ParseAddress("postgres://u:p@127.0.0.1/x"); len(config.Fallbacks) != 1 || config.Fallbacks[0].TLSConfig != nil {
		t.Error("a server without TLS on this host cannot be reached")
	}
}

// A server that refuses TLS gets no plain connection, and the error says what to do.
func TestServerWithoutTLS(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	further := make(chan []byte, 16)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadFull(c, make([]byte, 8)) // SSLRequest
			_, _ = c.Write([]byte("N"))
			rest, _ := io.ReadAll(c)
			further <- rest
			_ = c.Close()
		}
	}()
	config, err := ParseAddress("postgres://u:p@db.example:5432/x")
	if err != nil {
		t.Fatal(err)
	}
	config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"192.0.2.1"}, nil }
	config.DialFunc = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, listener.Addr().String())
	}
	if _, err := pgx.ConnectConfig(t.Context(), config); err == nil || !strings.Contains(explainTLS(err).Error(), "sslmode=disable") {
		t.Errorf("connected: %v", err)
	}
	if rest := <-further; len(rest) > 0 {
		t.Errorf("sent in the clear: %q", rest)
	}
}
