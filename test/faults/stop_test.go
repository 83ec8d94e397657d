package faults_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A program that is stopped under load completes started work, exits with 0, and keeps all acknowledged
// data; postponed work is done after the next start.
func TestStop(t *testing.T) {
	onBoth(t, testStop)
}

func testStop(t *testing.T, b storetest.Backend) {
	p := newHost(t, b)
	running, c := p.withOrganisation(t)
	l := newLoad(c, c.shipment(t), 10*time.Millisecond)
	finish := l.run(t.Context(), callers)
	random := randomSource(t)
	for range 3 {
		l.await(submitting, random)
		began := time.Now()
		running.Stop(t)
		t.Logf("stopped in %s", time.Since(began).Round(time.Millisecond))
		running = p.serve(t)
		c.turn(running)
	}
	finish()
	l.end(t, p, p, running)
	p.sentOnce(t)
}

// A program that is stopped while CDS processes a submission first answers its caller; meanwhile it starts nothing
// new.
func TestStopWaitsForCustoms(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.SQLite(t))
	authority := newFakeCDS(t, p)
	running, c := p.withOrganisation(t)
	id := c.draft(t)
	answered := c.submit(t.Context(), id)
	under := authority.next(t, takeoverLimit)
	running.Terminate()
	eventually(t, 5*time.Second, "new requests are refused", func() bool {
		a, err := c.do(t.Context(), http.MethodGet, "/api/declarations", "", nil)
		return err != nil || a.code() == "shutting_down"
	})
	under.answer <- conversation(1)
	agreed(t, <-answered, conversation(1))
	running.Wait(t)
}
