package health_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/ops/health"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// Ask reaches the service at every form of the address that it listens on.
func TestAsk(t *testing.T) {
	ready := http.StatusServiceUnavailable
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(ready)
		}
	}))
	defer s.Close()
	address := strings.TrimPrefix(s.URL, "http://")
	port := address[strings.LastIndex(address, ":"):]
	for _, listens := range []string{address, port, "0.0.0.0" + port} {
		if err := health.Check(t.Context(), config.Config{Addr: listens}, false); err != nil {
			t.Errorf("%s: %v", listens, err)
		}
	}
	if err := health.Check(t.Context(), config.Config{Addr: address}, true); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("not ready: %v", err)
	}
	ready = http.StatusOK
	if err := health.Check(t.Context(), config.Config{Addr: address}, true); err != nil {
		t.Errorf("ready: %v", err)
	}
	s.Close()
	for _, listens := range []string{address, "nonsense"} {
		if err := health.Check(t.Context(), config.Config{Addr: listens}, false); err == nil {
			t.Errorf("%s is healthy", listens)
		}
	}
}
