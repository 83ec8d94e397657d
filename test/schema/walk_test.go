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
	"github.com/tidewaiter/tidewaiter/test/contract"
)

// Number of requests, and what may remain afterwards.
const (
	walkers             = 2
	requestCount        = 2000 // requests in all, on each database
	requestCountLong    = 25_000
	answerLimit         = 60 * time.Second
	shrinkLimit         = 60 * time.Second
	remainingBytes      = 48 << 20 // live memory
	remainingGoroutines = 50
	maxFaults           = 25   // that are reported
	maxShown            = 1500 // characters of a body
	keptIDs             = 40   // for each collection
)

var seed = flag.Uint64("seed", 0, "seed of the requests; 0 for a new one")

// For any request, in any order and from any caller, the service answers as its document says: valid requests are
// accepted or refused with a reason, invalid ones are refused with the name of the field, none causes an internal
// error, and another organisation's records do not exist. Afterwards the trail is intact, and memory and
// goroutines are released.
func TestEveryAnswerMatchesTheDocument(t *testing.T) {
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
		other := c.newWalker(t, sink.URL, number, 0, &organisation{})
		others := make([]*walker, walkers)
		for i := range others {
			others[i] = c.newWalker(t, sink.URL, number, uint64(i)+1, other.own)
		}
		before, requests := p.load(t), requestCount
		if long() {
			requests = requestCountLong
		}
		var all sync.WaitGroup
		for _, w := range others {
			all.Go(func() { w.sendRequests(requests / walkers) })
		}
		all.Wait()
		c.report(t)
		c.validateByAjv(t, get(t, p.base+"/api/openapi.json"))
		others[0].checkService(t, before)
	})
}

// walk is shared by all walkers.
type walk struct {
	*server
	operations []operation

	mu      sync.Mutex
	faults  []string
	reached map[string]int // successes by operation
	total   int
	answers contract.Recorder
}

// sendRequests sends this many requests, to any operation, and sometimes to an unknown path.
func (w *walker) sendRequests(times int) {
	for range times {
		if w.percent(2) {
			w.try(w.unknownPath())
			continue
		}
		w.try(w.request(pick(w.maker, w.operations)))
	}
}

// unknownPath is a request that is not in the document.
func (w *walker) unknownPath() *request {
	q := &request{header: http.Header{}, caller: w.anyCaller(), invalid: true}
	q.caller.introduce(q.header)
	q.method = pick(w.maker, []string{"GET", "PUT", "POST", "DELETE", "OPTIONS", "TRACE", "PATCH", "GIBBERISH"})
	q.target = pick(w.maker, []string{"/api/", "/api/nothing", "/api/clients/", "/api//clients", "/api/./clients", "/api/clients/x/y/z", "/api/openapi", "/api/%2e%2e/healthz", "/api/hubs/a%2Fb/c"})
	if w.percent(30) {
		q.method, q.target = "PUT", pick(w.maker, w.operations).path
	}
	return q
}

// try sends a request and records what is wrong with the answer.
func (w *walker) try(q *request) {
	a, err := w.send(q)
	if err == nil {
		err = w.validate(q, a)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.total++
	if err != nil {
		w.faults = append(w.faults, fmt.Sprintf("%s %.200s by %q: %v\nsent %v %.*q\nanswered %d %.*s",
			q.method, q.target, q.caller.role, err, q.header, maxShown, q.body, a.status, maxShown, a.body))
		return
	}
	if a.status < 300 && q.Operation != nil {
		w.reached[q.operation.String()]++
		w.remember(q, a)
	}
}

// send sends a request, with its path unchanged.
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
	if media := response.Header.Get("Content-Type"); media == "application/x-ndjson" || media == "text/event-stream" {
		read = func(r io.Reader) ([]byte, error) { return bufio.NewReader(r).ReadBytes('\n') } // the answer does not end
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

// maxDetails is the number of faults after which an answer names no more.
const maxDetails = 100

// validate validates an answer with the document, and with what is known about the request.
func (w *walker) validate(q *request, a answer) error {
	switch {
	case a.status >= 500:
		return errors.New("an internal error")
	case q.Operation == nil:
		if a.status < 300 {
			return errors.New("no such operation")
		}
		return isRefusal(a)
	case q.foreign && a.status < 400:
		return errors.New("a record of another organisation")
	case bytes.Contains(a.body, []byte(w.other.id)) && w.other.id != "":
		return errors.New("contains data of another organisation")
	case q.invalid && a.status < 400:
		return fmt.Errorf("invalid at %s, but accepted", q.field)
	case q.invalid && q.field != "" && a.fault().Error == "invalid_request" && len(a.fault().Details) < maxDetails && !a.names(q.field):
		return fmt.Errorf("the error does not name %s", q.field)
	}
	w.answers.Add(q.OperationID, a.status, a.body)
	return q.fits(a)
}
