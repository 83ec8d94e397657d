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

// Customs that repeats its messages, sends them in another order, drops and stalls
// them, and that loses submissions and answers to them, changes nothing in the end:
// each declaration is declared once, and every message counts once.
func TestUnrulyCustoms(t *testing.T) {
	onBoth(t, testUnruly)
}

func testUnruly(t *testing.T, b storetest.Backend) {
	p, random := newPlace(t, b), dice(t)
	inbound := newUnruly(t, random.Uint64(), repeat, delay, loseRequest, loseAnswer, stall)
	station, simulator := p.station(t, inbound.URL)
	outbound := newUnruly(t, random.Uint64(), loseRequest, loseAnswer, stall)
	outbound.leadTo(simulator.Address)
	p.declareTo(outbound.URL)
	c := newClient(p.organisation(t))
	running := p.serve(t)
	inbound.leadTo(running.Address)
	c.turn(running)
	l := newLoad(c, c.shipment(t), 80*time.Millisecond)
	finish := l.run(t.Context(), callers)
	eventually(t, settleLimit, "enough was filed", func() bool { return len(l.acknowledged()) >= unrulyFilings() })
	finish()
	c.settle(t)
	eventually(t, settleLimit, "all that customs said has arrived", func() bool {
		_, unheard := p.heard(t, readJournal(t, station.Data()))
		return unheard == nil
	})
	repeated := l.end(t, p, station, running, simulator)
	t.Logf("customs was sent a declaration again %d times; on the way to us %v, on the way to customs %v", repeated, inbound.told(), outbound.told())
	for _, way := range []*unruly{inbound, outbound} {
		for pranks, times := range way.told() {
			if times == 0 {
				t.Errorf("nothing was put to the test by %s", pranks)
			}
		}
	}
}

func unrulyFilings() int {
	if long() {
		return 2_000
	}
	return 80
}

// A prank is what an unruly way does to a request.
type prank string

const (
	repeat      prank = "repeat"       // it arrives twice
	delay       prank = "delay"        // it is taken, and arrives later, behind others
	loseRequest prank = "lose request" // it never arrives
	loseAnswer  prank = "lose answer"  // it arrives, and its sender does not learn so
	stall       prank = "stall"        // it arrives, and its sender waits for the answer
)

// longestStall is less than what either side waits for an answer.
const longestStall = 2 * time.Second

// unruly is a way between two parties that plays a prank with every second request.
type unruly struct {
	*httptest.Server
	target atomic.Pointer[string]
	pranks []prank

	mu     sync.Mutex
	random *rand.Rand
	played map[prank]int
	late   sync.WaitGroup
	over   chan struct{} // closed when the test is over: a request that is still late has nowhere to go
}

func newUnruly(t *testing.T, seed uint64, pranks ...prank) *unruly {
	u := &unruly{pranks: pranks, random: rand.New(rand.NewPCG(seed, 0)), played: map[prank]int{}, over: make(chan struct{})}
	for _, p := range pranks {
		u.played[p] = 0
	}
	u.Server = httptest.NewServer(u)
	t.Cleanup(func() {
		close(u.over)
		u.late.Wait()
		u.Close()
	})
	return u
}

func (u *unruly) leadTo(address string) { u.target.Store(&address) }

func (u *unruly) told() map[prank]int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.played
}

// next is the prank to play, none for every second request, and a time that goes with it.
func (u *unruly) next() (p prank, while time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	while = time.Duration(u.random.Int64N(int64(longestStall)))
	if u.random.IntN(2) == 0 {
		return "", while
	}
	p = u.pranks[u.random.IntN(len(u.pranks))]
	u.played[p]++
	return p, while
}

func (u *unruly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

// deliver carries a request to its target; the status is 0 where it did not get there.
func (u *unruly) deliver(r *http.Request, body []byte) (status int, header http.Header, answer []byte) {
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
