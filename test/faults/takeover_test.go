package faults_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// takeoverLimit is how soon another process finishes the work of a killed one.
const takeoverLimit = 15 * time.Second

// If one of two processes dies while CDS processes a submission, the other one sends the same bytes again, and the
// caller gets its answer there.
func TestTakeover(t *testing.T) {
	onBoth(t, func(t *testing.T, b storetest.Backend) {
		p := newHost(t, b)
		if b.URL == "" {
			testTakeover(t, p, p)
		} else {
			testTakeover(t, p, p.beside(t))
		}
	})
}

func testTakeover(t *testing.T, p, beside host) {
	authority := newFakeCDS(t, p)
	for name, value := range p.Settings {
		if name != "TIDEWAITER_DATA" {
			beside.Settings[name] = value
		}
	}
	first, c := p.withOrganisation(t)
	id := c.draft(t)
	lost := c.submit(t.Context(), id)
	before := authority.next(t, takeoverLimit)
	var second *program.Process
	if beside.Settings["TIDEWAITER_DATA"] != p.Settings["TIDEWAITER_DATA"] {
		second = beside.serve(t) // it runs before the first one dies
	}
	first.Kill()
	killed := time.Now()
	if second == nil {
		second = p.serve(t) // a SQLite folder allows one server
	}
	if a := <-lost; a.status != 0 {
		t.Fatalf("the killed process answered %d %s", a.status, a.body)
	}
	c.turn(second)
	repeated := c.submit(t.Context(), id)
	again := authority.next(t, takeoverLimit)
	if again.body != before.body {
		t.Errorf("the second submission has other bytes:\n%s\n%s", before.body, again.body)
	}
	again.answer <- conversation(1)
	agreed(t, <-repeated, conversation(1))
	t.Logf("taken over in %s", time.Since(killed).Round(100*time.Millisecond))
	if d := c.declaration(t, id); d.Status != "SUBMITTED" || d.ConversationID != conversation(1) {
		t.Errorf("the declaration is %s in conversation %s", d.Status, d.ConversationID)
	}
	if events := c.events(t, "declaration.submitted"); len(events) != 1 {
		t.Errorf("the trail has %d submissions", len(events))
	}
	beside.waitForWork(t)
	beside.verifyAudit(t)
}

// Two processes that are killed alternately, with a CDS simulator that keeps running, lose nothing and declare
// nothing twice.
func TestAlternateKills(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.Postgres(t))
	c := newClient(p.organisation(t))
	front := newLoadBalancer(t)
	station, simulator := p.startSimulator(t, front.URL)
	places := []host{p, p.beside(t)}
	running := []*program.Process{places[0].serve(t), places[1].serve(t)}
	front.turn(t, running[0])
	c.address.Store(&front.URL)
	l := newLoad(c, c.shipment(t), 80*time.Millisecond)
	finish := l.run(t.Context(), callers)
	random := randomSource(t)
	for round := range sized(int(phases), 60) {
		l.await(phase(round%int(phases)), random)
		one, other := round%2, (round+1)%2
		running[one].Kill()
		front.turn(t, running[other])
		running[one] = places[one].serve(t)
	}
	finish()
	repeated := l.end(t, p, station, append(running, simulator)...)
	p.sentOnce(t)
	t.Logf("%d declarations were sent to CDS again", repeated)
}

// loadBalancer is the common address of several processes, like a load balancer's.
type loadBalancer struct {
	*httptest.Server
	target atomic.Pointer[url.URL]
}

func newLoadBalancer(t *testing.T) *loadBalancer {
	f := &loadBalancer{}
	proxy := &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(f.target.Load()) },
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	f.Server = httptest.NewServer(proxy)
	t.Cleanup(f.Close)
	return f
}

func (f *loadBalancer) turn(t *testing.T, r *program.Process) {
	t.Helper()
	u, err := url.Parse(r.Address)
	if err != nil {
		t.Fatal(err)
	}
	f.target.Store(u)
}
