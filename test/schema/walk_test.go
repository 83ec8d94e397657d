package schema_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// How much is asked, and what of it may stay behind.
const (
	walkers      = 2
	asked        = 2000 // requests in all, on each database
	askedLong    = 25_000
	answerLimit  = 60 * time.Second
	settleLimit  = 60 * time.Second
	settledBytes = 48 << 20 // of live memory
	settledTasks = 50
	maxFaults    = 25   // that are told
	maxTold      = 1500 // characters of a body
	keptIDs      = 40   // of a collection
)

var seed = flag.Uint64("seed", 0, "seed of the requests; 0 for a new one")

// Whatever is asked, in whatever order and by whomever, the service answers as its
// document says: what is sound is taken or refused with a reason, what is not is refused
// by the name of the field, nothing is an error of the service's own, and another
// organisation's records are not there. When all is asked the trail is unbroken, and
// neither memory nor goroutines are left behind.
func TestEveryAnswerIsTheDocuments(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		number := *seed
		if number == 0 {
			number = rand.Uint64N(1_000_000)
		}
		t.Logf("again with: go test ./test/schema -run '%s' -seed %d", t.Name(), number)
		sink := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		defer sink.Close()
		p := serve(t, b)
		c := &walk{server: p, operations: p.document(t), reached: map[string]int{}}
		stranger := c.settle(t, sink.URL, number, 0, &organisation{})
		others := make([]*walker, walkers)
		for i := range others {
			others[i] = c.settle(t, sink.URL, number, uint64(i)+1, stranger.own)
		}
		before, requests := p.load(t), asked
		if long() {
			requests = askedLong
		}
		var all sync.WaitGroup
		for _, w := range others {
			all.Go(func() { w.ask(requests / walkers) })
		}
		all.Wait()
		c.report(t)
		others[0].whole(t, before)
	})
}

// walk is what the walkers share.
type walk struct {
	*server
	operations []operation

	mu      sync.Mutex
	faults  []string
	reached map[string]int // successes by operation
	total   int
}

// ask asks so many times, of any operation, and at times of what is none.
func (w *walker) ask(times int) {
	for range times {
		if w.percent(2) {
			w.try(w.nowhere())
			continue
		}
		w.try(w.request(pick(w.maker, w.operations)))
	}
}

// nowhere is a request that the document does not know.
func (w *walker) nowhere() *request {
	q := &request{header: http.Header{}, caller: w.someone(), spoilt: true}
	q.caller.introduce(q.header)
	q.method = pick(w.maker, []string{"GET", "PUT", "POST", "DELETE", "OPTIONS", "TRACE", "PATCH", "GIBBERISH"})
	q.target = pick(w.maker, []string{"/api/", "/api/nothing", "/api/clients/", "/api//clients", "/api/./clients", "/api/clients/x/y/z", "/api/openapi", "/api/%2e%2e/healthz", "/api/hubs/a%2Fb/c"})
	if w.percent(30) {
		q.method, q.target = "PUT", pick(w.maker, w.operations).path
	}
	return q
}

// try sends a request and notes what is wrong with the answer.
func (w *walker) try(q *request) {
	a, err := w.send(q)
	if err == nil {
		err = w.judge(q, a)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.total++
	if err != nil {
		w.faults = append(w.faults, fmt.Sprintf("%s %.200s by %q: %v\nsent %v %.*q\nanswered %d %.*s",
			q.method, q.target, q.caller.role, err, q.header, maxTold, q.body, a.status, maxTold, a.body))
		return
	}
	if a.status < 300 && q.Operation != nil {
		w.reached[q.operation.String()]++
		w.learn(q, a)
	}
}

// send does a request, with the path as it is written.
func (w *walker) send(q *request) (a answer, err error) {
	base, _ := url.Parse(w.base)
	path, query, _ := strings.Cut(q.target, "?")
	r := &http.Request{
		Method: q.method, URL: &url.URL{Scheme: "http", Host: base.Host, Opaque: path, RawQuery: query}, Header: q.header,
		Body: io.NopCloser(strings.NewReader(q.body)), ContentLength: int64(len(q.body)),
	}
	response, err := w.http.Do(r)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	read := io.ReadAll
	if response.Header.Get("Content-Type") == "application/x-ndjson" {
		read = func(r io.Reader) ([]byte, error) { return bufio.NewReader(r).ReadBytes('\n') } // it does not end
	}
	text, err := read(response.Body)
	if err != nil {
		return a, err
	}
	a = answer{status: response.StatusCode, header: response.Header, body: text}
	if strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		in := json.NewDecoder(bytes.NewReader(text))
		if err = in.Decode(&a.value); err == nil && in.More() {
			err = errors.New("more than one value")
		}
	}
	return a, err
}

// judge holds an answer against the document, and against what is known of the request.
func (w *walker) judge(q *request, a answer) error {
	switch {
	case a.status >= 500:
		return errors.New("an error of the service's own")
	case q.Operation == nil:
		if a.status < 300 {
			return errors.New("there is no such operation")
		}
		return refuses(a)
	case q.foreign && a.status < 400:
		return errors.New("a record of another organisation")
	case bytes.Contains(a.body, []byte(w.stranger.id)) && w.stranger.id != "":
		return errors.New("tells of another organisation")
	case q.spoilt && a.status < 400:
		return fmt.Errorf("spoilt at %s, and taken", q.field)
	case q.spoilt && q.field != "" && a.fault().Error == "invalid_request" && !a.names(q.field):
		return fmt.Errorf("%s is not named", q.field)
	}
	return q.fits(a)
}
