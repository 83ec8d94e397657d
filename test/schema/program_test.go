package schema_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// server is the running program.
type server struct {
	program.Program
	base string // its address
}

// serve starts the program with rate limits that are never reached, a fast simulator, and webhooks that may go to
// this machine. It ends with the test.
func serve(t *testing.T, b storetest.Backend) *server {
	t.Helper()
	const plenty = "100000000"
	s := &server{Program: program.New(t, b.Folder, b.URL,
		"TIDEWAITER_LIMIT_STANDARD="+plenty, "TIDEWAITER_LIMIT_AI="+plenty, "TIDEWAITER_LIMIT_PUBLIC="+plenty,
		"TIDEWAITER_SIMULATOR_DELAY=10ms", "TIDEWAITER_SIMULATOR_SEED=1", "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS=true",
		"TIDEWAITER_LOG_LEVEL=warn")}
	s.EnableMetrics(t)
	s.base = s.Serve(t, "serve").Address
	return s
}

// get reads a URL outside the API.
func get(t *testing.T, address string) []byte {
	t.Helper()
	text, status := program.Get(t, address)
	if status != http.StatusOK {
		t.Fatalf("%s: %d: %s", address, status, text)
	}
	return []byte(text)
}

// load is the program's live memory at its last garbage collection, which determines the next one, and its
// goroutines.
type load struct{ bytes, goroutines float64 }

// load reads the program's metrics.
func (s *server) load(t *testing.T) load {
	t.Helper()
	figures := s.Metrics(t, "go_memstats_next_gc_bytes", "go_gc_gogc_percent", "go_goroutines")
	return load{figures[0] / (1 + figures[1]/100), figures[2]}
}

func (l load) String() string {
	return fmt.Sprintf("%.1f MB and %.0f goroutines", l.bytes/(1<<20), l.goroutines)
}
