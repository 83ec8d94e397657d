package faults_test

import (
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// receiver takes webhooks, each endpoint's on a path of its own, and remembers them.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	arrivals map[string][]arrival // by path, in the order of their coming
	away     bool                 // answers 503 and takes nothing
}

// arrival is one delivery as it came.
type arrival struct {
	ID, Type, Record string
	digest           [sha256.Size]byte
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{arrivals: map[string][]arrival{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	var event struct {
		ID, Type string
		Data     struct{ Object struct{ ID string } }
	}
	if err != nil || json.Unmarshal(body, &event) != nil || event.ID != request.Header.Get("Webhook-Id") {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.away {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	r.arrivals[request.URL.Path] = append(r.arrivals[request.URL.Path], arrival{event.ID, event.Type, event.Data.Object.ID, sha256.Sum256(body)})
}

// leave makes the receiver refuse everything, or take it again.
func (r *receiver) leave(away bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = away
}

// at is what has come to a path.
func (r *receiver) at(path string) []arrival {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.arrivals[path]
}
