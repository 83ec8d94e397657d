package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// How much is asked, and what of it may stay behind.
const (
	walkers      = 2
	asked        = 1500 // requests in all, on each database
	askedLong    = 25_000
	answerLimit  = 60 * time.Second
	settleLimit  = 60 * time.Second
	settledBytes = 48 << 20
	settledTasks = 20
	maxFaults    = 25   // that are told
	maxTold      = 1500 // characters of a body
	keptIDs      = 40   // of a collection
)

var seed = flag.Uint64("seed", 0, "seed of the requests; 0 for one of the day's")

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
		c := &walk{program: p, operations: p.document(t), reached: map[string]int{}}
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
		c.whole(t, before)
	})
}

// walk is what the walkers share.
type walk struct {
	*program
	operations []operation

	mu      sync.Mutex
	faults  []string
	reached map[string]int // successes by operation
	total   int
}

// organisation is what a walker knows of one.
type organisation struct {
	id      string
	ids     map[string][]string // by collection
	cursors map[string][]string // by path
	token   string              // of the calendar feed
}

// walker asks for one organisation, and has heard of another.
type walker struct {
	*walk
	*maker
	http     http.Client
	callers  []caller
	own      *organisation
	stranger *organisation
}

// caller is somebody with a key, or what looks like one.
type caller struct {
	role   string
	header []string
}

func (c caller) introduce(h http.Header) {
	for _, value := range c.header {
		h.Add("Authorization", value)
	}
}

// someone is mostly the owner.
func (w *walker) someone() caller {
	if w.percent(80) {
		return w.callers[0]
	}
	return pick(w.maker, w.callers)
}

var hubs = []string{"customs", "ics2", "gvms", "tss", "emcs", "trade", "cbam", "tax", "corporate"}

// settle makes an organisation with its keys, its Hubs and some records of each kind.
func (c *walk) settle(t *testing.T, hook string, seed, number uint64, stranger *organisation) *walker {
	t.Helper()
	var made struct{ OrganisationID, APIKey string }
	c.command(t, &made, "org", "create", "--name", fmt.Sprintf("Walker %d", number), "--eori", "GB123456789000")
	w := &walker{
		walk: c, stranger: stranger, own: &organisation{id: made.OrganisationID, ids: map[string][]string{}, cursors: map[string][]string{}},
		maker:   &maker{Rand: rand.New(rand.NewPCG(seed, number)), now: time.Now().UTC(), hook: hook},
		callers: []caller{{"OWNER", []string{"Bearer " + made.APIKey}}},
		http:    http.Client{Timeout: answerLimit, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
	w.known = w.idOf
	for _, role := range []string{"MEMBER", "VIEWER"} {
		c.command(t, &made, "key", "create", "--org", w.own.id, "--role", role, "--name", role)
		w.callers = append(w.callers, caller{role, []string{"Bearer " + made.APIKey}})
	}
	w.callers = append(w.callers, caller{}, caller{header: []string{"Bearer svc_none"}}, caller{header: []string{"Basic eDp5", "Bearer"}})
	for _, hub := range hubs {
		_, _ = w.send(&request{operation: operation{method: http.MethodPost}, target: "/api/hubs/" + hub, header: http.Header{"Authorization": w.callers[0].header}})
	}
	w.begin()
	return w
}

// begin makes a few records of each kind, those first that others need.
func (w *walker) begin() {
	const few = 4
	creations := slices.DeleteFunc(slices.Clone(w.operations), func(o operation) bool {
		return o.method != http.MethodPost || strings.Contains(o.path, "{") || strings.Contains(o.path, "/ai/")
	})
	first := []string{"/api/clients", "/api/shipments", "/api/declarations"}
	slices.SortStableFunc(creations, func(a, b operation) int {
		return rank(first, a.path) - rank(first, b.path)
	})
	for _, op := range creations {
		for range few {
			w.try(w.request(op))
		}
	}
}

// rank is the place in a list; that behind it for what is not there.
func rank(all []string, one string) int {
	if at := slices.Index(all, one); at >= 0 {
		return at
	}
	return len(all)
}

// collections are where the records are that a member of a body names.
var collections = map[string]string{
	"clientId": "/api/clients", "shipmentId": "/api/shipments", "declarationId": "/api/declarations", "periodId": "/api/tax/periods",
}

// idOf is an id for a member of a body.
func (w *walker) idOf(name string) string {
	ids := w.own.ids[collections[name]]
	if w.percent(5) {
		ids = w.stranger.ids[collections[name]]
	}
	if len(ids) == 0 || w.percent(3) {
		return oddIDs[0]
	}
	return pick(w.maker, ids)
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
	text, err := io.ReadAll(response.Body)
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

// learn keeps the ids and cursors of an answer for later requests.
func (w *walker) learn(q *request, a answer) {
	whole, _ := a.value.(map[string]any)
	if next, ok := whole["nextCursor"].(string); ok {
		w.own.cursors[q.operation.path] = kept(w.own.cursors[q.operation.path], next)
	}
	collection, _, _ := strings.Cut(q.operation.path, "/{")
	if strings.HasSuffix(q.operation.path, "/deliveries") {
		collection = q.operation.path
	}
	for _, name := range slices.Sorted(maps.Keys(whole)) {
		switch v := whole[name].(type) {
		case string:
			if name == "id" {
				w.own.ids[collection] = kept(w.own.ids[collection], v)
			}
		case map[string]any:
			w.learn(q, answer{value: v})
			if token, ok := v["token"].(string); ok && name == "feed" {
				w.own.token = token
			}
		case []any:
			for _, one := range v[:min(len(v), 3)] {
				if record, ok := one.(map[string]any); ok && record["id"] != nil && len(whole) <= 3 {
					w.learn(q, answer{value: map[string]any{"id": record["id"]}})
				}
			}
		}
	}
}

// kept adds to a list that stays short.
func kept(all []string, one string) []string {
	if slices.Contains(all, one) {
		return all
	}
	return append(all[max(0, len(all)-keptIDs):], one)
}

// report tells what was wrong, and which operations never succeeded.
func (c *walk) report(t *testing.T) {
	t.Helper()
	for _, fault := range c.faults[:min(len(c.faults), maxFaults)] {
		t.Error(fault)
	}
	if len(c.faults) > maxFaults {
		t.Errorf("and %d more", len(c.faults)-maxFaults)
	}
	var never []string
	for _, op := range c.operations {
		if c.reached[op.String()] == 0 {
			never = append(never, op.String())
		}
	}
	t.Logf("%d requests; %d of %d operations were reached, not %s", c.total, len(c.reached), len(c.operations), strings.Join(never, ", "))
	if len(never) > len(c.operations)/2 {
		t.Errorf("most operations never succeeded")
	}
}

// whole holds the service to what has to be so when all is asked.
func (c *walk) whole(t *testing.T, before load) {
	t.Helper()
	for _, path := range []string{"/healthz", "/readyz"} {
		get(t, c.base+path)
	}
	for _, line := range c.log.errors() {
		t.Errorf("logged: %s", line)
	}
	var verified struct{ OK bool }
	if c.command(t, &verified, "audit", "verify"); !verified.OK {
		t.Error("the audit trail is broken")
	}
	var now load
	for deadline := time.Now().Add(settleLimit); ; time.Sleep(100 * time.Millisecond) {
		if now = c.load(t); now.bytes < before.bytes+settledBytes && now.goroutines < before.goroutines+settledTasks {
			break
		}
		if time.Now().After(deadline) {
			t.Errorf("%s before, %s after", before, now)
			break
		}
	}
	t.Logf("%s before, %s after", before, now)
}
