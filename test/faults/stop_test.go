package faults_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A program that is told to stop under load finishes what it has begun, ends with
// 0, and has everything that it acknowledged; what it put off is done when it is back.
func TestStop(t *testing.T) {
	onBoth(t, testStop)
}

func testStop(t *testing.T, b storetest.Backend) {
	p := newPlace(t, b)
	running, c := p.opened(t)
	l := newLoad(c, c.shipment(t), 10*time.Millisecond)
	finish := l.run(t.Context(), callers)
	random := dice(t)
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
	p.sentInOneGo(t)
}

// A program that is told to stop while customs considers a submission answers its
// caller first; meanwhile it takes nothing new.
func TestStopWaitsForCustoms(t *testing.T) {
	t.Parallel()
	p := newPlace(t, storetest.SQLite(t))
	authority := newCustoms(t, p)
	running, c := p.opened(t)
	id := c.draft(t)
	told := c.submit(t.Context(), id)
	under := authority.next(t, takeoverLimit)
	running.Terminate()
	eventually(t, 5*time.Second, "new requests are refused", func() bool {
		a, err := c.do(t.Context(), http.MethodGet, "/api/declarations", "", nil)
		return err != nil || a.code() == "shutting_down"
	})
	under.answer <- conversation(1)
	agreed(t, <-told, conversation(1))
	running.Wait(t)
}
