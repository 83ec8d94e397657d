package faults_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// Amount of writes and faults.
const (
	writers      = 8
	killEvery    = time.Second
	leastBetween = 20 // transitions between two kills

	absence    = 1500 * time.Millisecond // of a receiver: no delivery fails twice, because the second attempt comes after 4 s at the earliest
	quietAfter = 3 * time.Second         // after a pause: every process knows of it by then
	drainLimit = 2 * time.Minute

	mostRepeated = 64 // deliveries of one endpoint after a kill
)

// However often the program is killed, every event arrives at least once at every endpoint that subscribes to it,
// with the same bytes, in the order of its record, and none without its change.
func TestWebhooksUnderKills(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.SQLite(t))
	testWebhooks(t, newDispatch(t, p))
}

// The same with two processes on one database, both written to and killed alternately: one finishes the work of
// the other.
func TestWebhooksOfTwoProcessesUnderKills(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.Postgres(t))
	testWebhooks(t, newDispatch(t, p, p.beside(t)))
}

func testWebhooks(t *testing.T, d *dispatch) {
	began, stop := time.Now(), make(chan struct{})
	finished := d.writers.run(t.Context(), writers, stop)
	absences := d.receiverOutages(t, stop)
	d.killWhileWriting(t)
	close(stop)
	finished()
	took := time.Since(began)
	d.killWhileSending(t)
	failed := absences()
	drained := d.drain(t)
	all := d.readTrail(t)
	for _, r := range d.running {
		r.Stop(t)
	}
	d.places[0].verifyAudit(t)
	findings(d.writers.problems).report(t, "writers")
	d.changed(t, all)
	d.oneDeliveryEach(t, all)
	repeated, bytes := 0, map[string][sha256.Size]byte{}
	for _, e := range d.endpoints {
		n := e.compare(t, all, bytes)
		if n > d.kills*mostRepeated {
			t.Errorf("%s got %d deliveries again after %d kills", e.name, n, d.kills)
		}
		repeated += n
	}
	t.Logf("%d transitions in %s (%.0f a second), %d kills, %d absences; %d duplicates; drained %s after the last kill",
		d.writers.written.Load(), took.Round(time.Second), float64(d.writers.written.Load())/took.Seconds(), d.kills, failed, repeated,
		drained.Round(100*time.Millisecond))
}

// dispatch is an organisation with its endpoints, and the processes that serve it.
type dispatch struct {
	places    []host
	running   []*program.Process
	clients   []*client // one for each process
	writers   *writerPool
	endpoints []*endpoint
	database  *sql.Conn
	kills     int
}

// endpoint is one receiver and its subscription; all events if it is empty.
type endpoint struct {
	name, id string
	events   []string
	receiver *receiver
}

// Indexes of the endpoints.
const (
	everything = iota
	some
	paused
	absent
)

func newDispatch(t *testing.T, places ...host) *dispatch {
	t.Helper()
	d := &dispatch{places: places, endpoints: []*endpoint{
		everything: {name: "everything"},
		some:       {name: "some", events: []string{"tss.declaration.submitted", "client.updated"}},
		paused:     {name: "paused"},
		absent:     {name: "absent"},
	}}
	key := places[0].organisation(t)
	for _, p := range places {
		p.Settings["TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS"] = "true"
		r, c := p.serve(t), newClient(key)
		c.turn(r)
		d.running, d.clients = append(d.running, r), append(d.clients, c)
	}
	d.database = places[0].open(t)
	d.writers = &writerPool{clients: d.clients, pace: pace}
	d.clients[0].must(t, http.MethodPost, "/api/hubs/tss", nil, new(any))
	for _, e := range d.endpoints {
		e.receiver = newReceiver(t)
		var made struct{ Endpoint struct{ ID, Secret string } }
		d.clients[0].must(t, http.MethodPost, "/api/webhooks/endpoints", map[string]any{"url": "http://" + e.receiver.address, "events": e.subscription(d.recordEvents(t))}, &made)
		e.id = made.Endpoint.ID
		e.receiver.acceptSecret(t, made.Endpoint.Secret)
	}
	return d
}

// subscription are the types of events that an endpoint gets, of those of records. A pause is an event too, which is none of a record.
func (e *endpoint) subscription(ofRecords []string) []string {
	if e.events == nil {
		return ofRecords
	}
	return e.events
}

// requiredTransitions are written in each run.
var requiredTransitions = int64(sized(250, 20_000))

// pace makes the writing last through several kills.
var pace = time.Duration(sized(120, 10)) * time.Millisecond

// killWhileWriting kills a process every second until enough was written, and less often on a slow machine. In the
// second and third quarter, one endpoint is paused.
func (d *dispatch) killWhileWriting(t *testing.T) {
	t.Helper()
	random, next := randomSource(t), time.NewTicker(killEvery)
	defer next.Stop()
	var since time.Time
	quiet, resumed := -1, false
	for d.writers.written.Load() < requiredTransitions || !resumed {
		<-next.C
		last := d.writers.written.Load()
		eventually(t, drainLimit, "something is written between two kills", func() bool { return d.writers.written.Load() >= last+leastBetween })
		time.Sleep(time.Duration(random.Int64N(int64(killEvery / 10))))
		d.kill(t)
		switch quarter := 4 * d.writers.written.Load() / requiredTransitions; {
		case since.IsZero() && quarter >= 1:
			d.activate(t, false)
			since = time.Now()
		case quiet < 0 && !since.IsZero() && time.Since(since) > quietAfter:
			quiet = d.endpoints[paused].receiver.count()
		case quiet >= 0 && !resumed && quarter >= 3:
			if more := d.endpoints[paused].receiver.count() - quiet; more != 0 {
				t.Errorf("%d deliveries arrived more than %s after their endpoint was paused", more, quietAfter)
			}
			d.activate(t, true)
			resumed = true
		}
	}
}

// killWhileSending kills once more, while a backlog is being sent.
func (d *dispatch) killWhileSending(t *testing.T) {
	t.Helper()
	r := d.endpoints[everything].receiver
	before := r.count()
	eventually(t, drainLimit, "deliveries go on", func() bool { return r.count() > before+50 || d.pending(t.Context()) == 0 })
	d.kill(t)
}

// kill kills the processes alternately and starts each again. Meanwhile the other one, if any, serves the callers
// of both.
func (d *dispatch) kill(t *testing.T) {
	t.Helper()
	one := d.kills % len(d.running)
	other := (one + 1) % len(d.running)
	d.running[one].Kill()
	d.clients[one].turn(d.running[other])
	d.running[one] = d.places[one].serve(t)
	d.clients[one].turn(d.running[one])
	d.kills++
}

// activate pauses or resumes the endpoint.
func (d *dispatch) activate(t *testing.T, active bool) {
	t.Helper()
	eventually(t, requestLimit, "the endpoint is paused or resumed", func() bool {
		a, err := d.clients[0].do(t.Context(), http.MethodPatch, "/api/webhooks/endpoints/"+d.endpoints[paused].id, "", map[string]any{"active": active})
		return err == nil && a.ok()
	})
}

// receiverOutages takes a receiver down repeatedly, each time until a delivery has failed and a little longer. When
// wait returns the number of absences, it is up again.
func (d *dispatch) receiverOutages(t *testing.T, stop <-chan struct{}) (wait func() int) {
	e, conn, times := d.endpoints[absent], d.places[0].open(t), 0
	failing := func() (n int) {
		_ = conn.QueryRowContext(t.Context(), "SELECT count(*) FROM deliveries WHERE endpoint_id = $1 AND status = 'PENDING' AND attempts > 0", e.id).Scan(&n)
		return n
	}
	var done sync.WaitGroup
	done.Go(func() {
		for ; t.Context().Err() == nil; time.Sleep(100 * time.Millisecond) {
			select {
			case <-stop:
				return
			default:
			}
			if failing() > 0 {
				continue
			}
			e.receiver.goDown()
			for t.Context().Err() == nil && failing() == 0 {
				time.Sleep(50 * time.Millisecond)
			}
			time.Sleep(absence)
			if err := e.receiver.open(); err != nil {
				t.Errorf("the receiver cannot listen again: %v", err)
				return
			}
			times++
		}
	})
	return func() int { done.Wait(); return times }
}

// drain waits until no delivery is pending.
func (d *dispatch) drain(t *testing.T) time.Duration {
	t.Helper()
	return eventually(t, drainLimit, "everything is delivered", func() bool {
		time.Sleep(50 * time.Millisecond)
		return d.pending(t.Context()) == 0
	})
}

// pending is the number of pending deliveries; -1 if the database is busy.
func (d *dispatch) pending(ctx context.Context) (n int) {
	if err := d.database.QueryRowContext(ctx, "SELECT count(*) FROM deliveries WHERE status = 'PENDING'").Scan(&n); err != nil {
		return -1
	}
	return n
}
