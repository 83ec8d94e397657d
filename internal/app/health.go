package app

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

// healthPatience is how long the service may take to say that it is well.
const healthPatience = 3 * time.Second

// healthClient uses no proxy. It asks this machine for its health and sends nothing secret, and
// the certificate is for the service's public name, so it is not checked.
var healthClient = &http.Client{Transport: &http.Transport{
	DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // #nosec G402 -- as said above
}}

// AskHealth asks the service that listens on an address whether it lives, or also
// whether its database answers. It is for containers that have nothing else to ask with.
func AskHealth(ctx context.Context, c config.Config, ready bool) error {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("app: health: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	path := "/healthz"
	if ready {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Scheme()+"://"+net.JoinHostPort(strings.Trim(host, "[]"), port)+path, nil)
	if err != nil {
		return fmt.Errorf("app: health: %w", err)
	}
	response, err := healthClient.Do(request)
	if err != nil {
		return fmt.Errorf("app: health: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("app: health: %s answers %d", path, response.StatusCode)
	}
	return nil
}
