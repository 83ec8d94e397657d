package webhooks

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// arrival is a received delivery.
type arrival struct {
	Header http.Header
	Body   []byte
	ID     string // of the event
	Record string
	Step   int
	Gone   <-chan struct{} // closed when the sender no longer waits
}

// wait delays the answer.
func (a arrival) wait(release <-chan struct{}) {
	select {
	case <-release:
	case <-a.Gone:
	}
}

// receiver is a real HTTP server that stores requests and answers with its answer function.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []arrival
	answer func(w http.ResponseWriter, a arrival, nth int)
}

// receive starts a receiver. Nth counts the arrivals from 1; without an answer function it answers 200.
func receive(t *testing.T, answer func(w http.ResponseWriter, a arrival, nth int)) *receiver {
	t.Helper()
	r := &receiver{answer: answer}
	r.Server = httptest.NewServer(r)
	t.Cleanup(func() {
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	a := arrival{Header: request.Header.Clone(), Body: body, Gone: request.Context().Done()}
	var notice struct {
		ID   string
		Data struct {
			Object struct {
				ID   string
				Step int
			}
		}
	}
	_ = json.Unmarshal(body, &notice)
	a.ID, a.Record, a.Step = notice.ID, notice.Data.Object.ID, notice.Data.Object.Step
	r.mu.Lock()
	r.got = append(r.got, a)
	nth := len(r.got)
	r.mu.Unlock()
	if r.answer != nil {
		r.answer(w, a, nth)
	}
}

func (r *receiver) count() int { return len(r.arrivals()) }

func (r *receiver) arrivals() []arrival {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]arrival(nil), r.got...)
}

// steps are the steps of a record in the order of their arrival.
func (r *receiver) steps(record string) (steps []int) {
	for _, a := range r.arrivals() {
		if a.Record == record {
			steps = append(steps, a.Step)
		}
	}
	return steps
}

// always answers with one status.
func always(status int) func(http.ResponseWriter, arrival, int) {
	return func(w http.ResponseWriter, _ arrival, _ int) { w.WriteHeader(status) }
}

func merged(stored []byte, patch string) (c webhook.Change, err error) {
	whole, err := filing.Patch(stored, []byte(patch))
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(whole, &c)
}
