package faults_test

import (
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// stopLimit is how long the program may take to stop.
const stopLimit = 30 * time.Second

// A program that is told to stop under load finishes what it has begun, ends with
// 0, and has everything that it acknowledged; what it put off is done when it is back.
func TestStop(t *testing.T) {
	onBoth(t, testStop)
}

func testStop(t *testing.T, b storetest.Backend) {
	p := newPlace(t, b)
	c := newClient(p.organisation(t))
	running := p.serve(t)
	c.turn(running)
	l := newLoad(c, c.shipment(t), 10*time.Millisecond)
	stop := make(chan struct{})
	finished := l.run(t.Context(), callers, stop)
	random := dice(t)
	for range 3 {
		l.await(submitting, random)
		code, took := running.terminate(t, stopLimit)
		t.Logf("stopped in %s", took.Round(time.Millisecond))
		if code != 0 {
			t.Errorf("the program ended with %d\n%s", code, running.tail())
		}
		running = p.serve(t)
		c.turn(running)
	}
	close(stop)
	finished()
	c.settle(t)
	p.waitForWork(t)
	submitted := c.keeps(t, l.acknowledged(), l.shipment)
	c.submittedOnce(t, submitted)
	if code, _ := running.terminate(t, stopLimit); code != 0 {
		t.Errorf("the program ended with %d", code)
	}
	p.noWorkLeft(t)
	p.verifyAudit(t)
	book := readJournal(t, p.data)
	book.declaredOnce(t, submitted)
	p.heardAll(t, book)
	l.report(t)
}

// A program that is told to stop while customs considers a submission answers its
// caller first; meanwhile it takes nothing new.
func TestStopWaitsForCustoms(t *testing.T) {
	t.Parallel()
	p := newPlace(t, storetest.SQLite(t))
	authority := newCustoms(t, p)
	c := newClient(p.organisation(t))
	running := p.serve(t)
	c.turn(running)
	id := c.draft(t)
	told := c.submit(t.Context(), id)
	under := authority.next(t, takeoverLimit)
	if err := running.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, 5*time.Second, "new requests are refused", func() bool {
		a, err := c.do(t.Context(), http.MethodGet, "/api/declarations", "", nil)
		return err != nil || a.code() == "shutting_down"
	})
	under.answer <- conversation(1)
	agreed(t, <-told, conversation(1))
	select {
	case <-running.ended:
	case <-time.After(stopLimit):
		t.Fatalf("the program runs on\n%s", running.tail())
	}
	if code := running.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("the program ended with %d", code)
	}
}
