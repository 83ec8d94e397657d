package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthPatience is how long the service may take to say that it is well.
const healthPatience = 3 * time.Second

// AskHealth asks the service that listens on an address whether it lives, or also
// whether its database answers. It is for containers that have nothing else to ask with.
func AskHealth(ctx context.Context, listens string, ready bool) error {
	host, port, err := net.SplitHostPort(listens)
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
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(strings.Trim(host, "[]"), port)+path, nil)
	if err != nil {
		return fmt.Errorf("app: health: %w", err)
	}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request) // never by a proxy
	if err != nil {
		return fmt.Errorf("app: health: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("app: health: %s answers %d", path, response.StatusCode)
	}
	return nil
}
