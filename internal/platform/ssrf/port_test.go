package ssrf_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
)

// Webhooks may use ports 80, 443, those above 1023 and those of the settings, both when a URL is entered and when it is
// dialled.
func TestPorts(t *testing.T) {
	closed, wide := ssrf.New(ssrf.Settings{AllowPrivate: true}), ssrf.New(ssrf.Settings{AllowPrivate: true, Ports: []uint16{25}})
	for port, open := range map[string]bool{"80": true, "443": true, "1024": true, "65535": true, "25": false, "22": false, "1023": false, "1": false} {
		if _, err := closed.Check("https://example.com:" + port + "/x"); (err == nil) != open {
			t.Errorf("port %s: %v", port, err)
		}
		var refused *ssrf.Refused
		_, err := closed.Transport().DialContext(t.Context(), "tcp", "127.0.0.1:"+port)
		if (errors.As(err, &refused) && strings.Contains(refused.Why, "port")) == open {
			t.Errorf("port %s dialled: %v", port, err)
		}
	}
	if _, err := wide.Check("http://example.com:25/x"); err != nil {
		t.Errorf("an allowed port: %v", err)
	}
	var refused *ssrf.Refused
	if _, err := wide.Transport().DialContext(t.Context(), "tcp", "127.0.0.1:25"); errors.As(err, &refused) {
		t.Errorf("an allowed port dialled: %v", err)
	}
}
