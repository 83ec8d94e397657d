package postgres

import (
	"errors"
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// requireTLS removes the attempts without TLS by which an address without sslmode, or with
// prefer or allow, would fall back to a plain connection to another host. Only an explicit
// sslmode=disable leaves no attempt with TLS, and stays as it is.
func requireTLS(config *pgx.ConnConfig) {
	own := &pgconn.FallbackConfig{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}
	attempts := append([]*pgconn.FallbackConfig{own}, config.Fallbacks...)
	encrypted := map[string]bool{}
	for _, a := range attempts {
		encrypted[a.Host] = encrypted[a.Host] || a.TLSConfig != nil
	}
	var withTLS []*pgconn.FallbackConfig
	for _, a := range attempts {
		if a.TLSConfig != nil || isThisHost(a.Host) || !encrypted[a.Host] {
			withTLS = append(withTLS, a)
		}
	}
	config.Host, config.Port, config.TLSConfig, config.Fallbacks = withTLS[0].Host, withTLS[0].Port, withTLS[0].TLSConfig, withTLS[1:]
}

// plainHosts are the other hosts to which connections are not encrypted.
func plainHosts(config *pgx.ConnConfig) (hosts []string) {
	own := &pgconn.FallbackConfig{Host: config.Host, TLSConfig: config.TLSConfig}
	seen := map[string]bool{}
	for _, a := range append([]*pgconn.FallbackConfig{own}, config.Fallbacks...) {
		if a.TLSConfig == nil && !isThisHost(a.Host) && !seen[a.Host] {
			seen[a.Host] = true
			hosts = append(hosts, a.Host)
		}
	}
	return hosts
}

// isThisHost reports whether a host of a database address is a Unix socket or loopback.
func isThisHost(host string) bool {
	if strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// PlainHosts returns the other hosts to which the service connects without TLS, because the
// database's address says sslmode=disable.
func (e *Engine) PlainHosts() []string { return plainHosts(e.config) }

// errNoTLS tells the operator what to do about a server without TLS.
var errNoTLS = errors.New("the database server offers no TLS: turn it on there, or accept a connection that can be read on the way with sslmode=disable in the database's address")

// explainTLS adds errNoTLS to an error of a server without TLS. pgx has no error of its own
// for it.
func explainTLS(err error) error {
	if err == nil || !strings.Contains(err.Error(), "server refused TLS connection") {
		return err
	}
	return errors.Join(errNoTLS, err)
}
