package faults_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Repeated, reordered, lost and delayed messages from CDS, and lost submissions and answers, have no effect in the
// end: each declaration is declared once, and every message is applied once.
func TestUnreliableMessages(t *testing.T) {
	onBoth(t, testUnreliableMessages)
}

func testUnreliableMessages(t *testing.T, b storetest.Backend) {
	p, random := newHost(t, b), randomSource(t)
	inbound := newUnreliableProxy(t, random.Uint64(), repeat, delay, loseRequest, loseAnswer, stall)
	station, simulator := p.startSimulator(t, inbound.URL)
	outbound := newUnreliableProxy(t, random.Uint64(), loseRequest, loseAnswer, stall)
	outbound.forwardTo(simulator.Address)
	p.useCDS(outbound.URL)
	c := newClient(p.organisation(t))
	running := p.serve(t)
	inbound.forwardTo(running.Address)
	c.turn(running)
	l := newLoad(c, c.shipment(t), 80*time.Millisecond)
	finish := l.run(t.Context(), callers)
	eventually(t, finishLimit, "enough was filed", func() bool { return len(l.acknowledged()) >= sized(50, 2_000) })
	finish()
	c.waitUntilFinished(t)
	eventually(t, finishLimit, "all messages of CDS have arrived", func() bool {
		_, unheard := p.countMessages(t, readJournal(t, station.Data()))
		return unheard == nil
	})
	repeated := l.end(t, p, station, running, simulator)
	t.Logf("%d declarations were sent to CDS again; faults of messages %v, of submissions %v", repeated, inbound.counts(), outbound.counts())
	for _, way := range []*unreliableProxy{inbound, outbound} {
		for kinds, times := range way.counts() {
			if times == 0 {
				t.Errorf("no fault of type %s occurred", kinds)
			}
		}
	}
}

// disturbance is what an unreliableProxy does to a request.
type disturbance string

const (
	repeat      disturbance = "repeat"       // it is delivered twice
	delay       disturbance = "delay"        // it is accepted, and delivered later, after others
	loseRequest disturbance = "lose request" // it is never delivered
	loseAnswer  disturbance = "lose answer"  // it is delivered, and its sender gets no answer
	stall       disturbance = "stall"        // it is delivered, and its sender waits for the answer
)

// longestStall is shorter than the timeout of either side.
const longestStall = 2 * time.Second

// unreliableProxy is an HTTP proxy that disturbs every second request.
type unreliableProxy struct {
	*httptest.Server
	target       atomic.Pointer[string]
	disturbances []disturbance

	mu      sync.Mutex
	random  *rand.Rand
	applied map[disturbance]int
	late    sync.WaitGroup
	over    chan struct{} // closed when the test is over: a delayed request then has no target
}

func newUnreliableProxy(t *testing.T, seed uint64, kinds ...disturbance) *unreliableProxy {
	u := &unreliableProxy{disturbances: kinds, random: rand.New(rand.NewPCG(seed, 0)), applied: map[disturbance]int{}, over: make(chan struct{})}
	for _, p := range kinds {
		u.applied[p] = 0
	}
	u.Server = httptest.NewServer(u)
	t.Cleanup(func() {
		close(u.over)
		u.late.Wait()
		u.Close()
	})
	return u
}

func (u *unreliableProxy) forwardTo(address string) { u.target.Store(&address) }

func (u *unreliableProxy) counts() map[disturbance]int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.applied
}

// next is the disturbance of the next request, none for every second one, and a duration for it.
func (u *unreliableProxy) next() (p disturbance, while time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	while = time.Duration(u.random.Int64N(int64(longestStall)))
	if u.random.IntN(2) == 0 {
		return "", while
	}
	p = u.disturbances[u.random.IntN(len(u.disturbances))]
	u.applied[p]++
	return p, while
}

func (u *unreliableProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	p, while := u.next()
	switch p {
	case loseRequest:
		panic(http.ErrAbortHandler)
	case delay:
		u.late.Go(func() {
			for status := 0; status != http.StatusOK; status, _, _ = u.deliver(r, body) {
				select {
				case <-u.over:
					return
				case <-time.After(while):
				}
			}
		})
		return
	case repeat:
		u.deliver(r, body)
	}
	status, header, answer := u.deliver(r, body)
	switch {
	case p == loseAnswer, status == 0:
		panic(http.ErrAbortHandler)
	case p == stall:
		time.Sleep(while)
	}
	for name, values := range header {
		w.Header()[name] = values
	}
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}

// deliver forwards a request to its target; the status is 0 if that failed.
func (u *unreliableProxy) deliver(r *http.Request, body []byte) (status int, header http.Header, answer []byte) {
	target := u.target.Load()
	if target == nil {
		return 0, nil, nil
	}
	request, err := http.NewRequest(r.Method, *target+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil
	}
	request.Header = r.Header.Clone()
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0, nil, nil
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		return 0, nil, nil
	}
	return response.StatusCode, response.Header, answer
}
