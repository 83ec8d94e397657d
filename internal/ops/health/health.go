// Package health asks a running service on this machine for its health. Containers without a shell use it.
package health

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// timeout is how long the service may take to answer.
const timeout = 3 * time.Second

// client uses no proxy. The certificate is for the service's public name, and nothing secret is sent, so it is not
// checked.
var client = &http.Client{Transport: &http.Transport{
	DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // #nosec G402 -- as said above
}}

// Check returns an error unless the service at the address of the settings is alive or, if ready is set, can reach its
// database.
func Check(ctx context.Context, c config.Config, ready bool) error {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("health: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	path := "/healthz"
	if ready {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Scheme()+"://"+net.JoinHostPort(strings.Trim(host, "[]"), port)+path, nil)
	if err != nil {
		return fmt.Errorf("health: %w", err)
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("health: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("health: %s answers %d", path, response.StatusCode)
	}
	return nil
}
