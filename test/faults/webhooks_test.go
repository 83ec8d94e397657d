package faults_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Transitions that are announced, and how often a process is killed meanwhile.
const (
	transitions     = 1500
	transitionsLong = 20_000
	writers         = 8
	pace            = 15 * time.Millisecond // between two steps of one writer
	drainLimit      = 2 * time.Minute
)

func enough() int64 {
	if long() {
		return transitionsLong
	}
	return transitions
}

func killEvery() time.Duration {
	if long() {
		return time.Second
	}
	return 300 * time.Millisecond
}

// However often the program is killed, every event arrives at least once at every
// endpoint that wants it, with the same bytes, in the order of its record, and none
// without its change.
func TestWebhooksUnderKills(t *testing.T) {
	p := newPlace(t, storetest.SQLite(t))
	d := newDispatch(t, p)
	d.announce(t, func(int) {
		d.running[0].kill()
		d.running[0] = p.serve(t)
		d.client.turn(d.running[0])
	})
}

// The same with two processes on one database that are killed in turn: what one has
// taken on the other finishes.
func TestWebhooksOfTwoUnderKills(t *testing.T) {
	p := newPlace(t, storetest.Postgres(t))
	d := newDispatch(t, p)
	beside := p.beside(t)
	places := []place{p, beside}
	d.running = append(d.running, beside.serve(t))
	front := newFront(t)
	front.turn(t, d.running[0])
	d.client.address.Store(&front.URL)
	d.announce(t, func(round int) {
		one, other := round%2, (round+1)%2
		d.running[one].kill()
		front.turn(t, d.running[other])
		d.running[one] = places[one].serve(t)
	})
}

// dispatch is an organisation with endpoints, and what writes its events.
type dispatch struct {
	place    place
	client   *client
	running  []*process
	receiver *receiver
	paused   string // id of the endpoint that is paused for a while
	done     atomic.Int64
}

// The endpoints, by their paths: one takes everything, one two types, one is paused
// for a while.
const (
	everything = "/everything"
	some       = "/some"
	nowAndThen = "/now-and-then"
)

var someTypes = []string{"tss.declaration.submitted", "client.updated"}

func newDispatch(t *testing.T, p place) *dispatch {
	p.settings["TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS"] = "true"
	d := &dispatch{place: p, client: newClient(p.organisation(t)), receiver: newReceiver(t)}
	d.running = []*process{p.serve(t)}
	d.client.turn(d.running[0])
	d.client.must(t, "POST", "/api/hubs/tss", nil, new(any))
	var made struct{ Endpoint struct{ ID string } }
	for path, events := range map[string][]string{everything: {}, some: someTypes, nowAndThen: {"*"}} {
		d.client.must(t, "POST", "/api/webhooks/endpoints", map[string]any{"url": d.receiver.URL + path, "events": events}, &made)
		if path == nowAndThen {
			d.paused = made.Endpoint.ID
		}
	}
	return d
}

// announce writes events while processes are killed, and checks what has come of them.
func (d *dispatch) announce(t *testing.T, kill func(round int)) {
	began := time.Now()
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() { d.write(ctx, i) })
	}
	kills := 0
	for d.done.Load() < enough() {
		switch third := enough() / 3; {
		case d.done.Load() >= 2*third:
			d.pause(ctx, true)
			d.receiver.leave(false)
		case d.done.Load() >= third:
			d.pause(ctx, false)
			d.receiver.leave(kills%4 == 1)
		}
		time.Sleep(killEvery())
		kill(kills)
		kills++
	}
	stop()
	all.Wait()
	d.receiver.leave(false)
	eventually(t, requestLimit, "the endpoint is resumed", func() bool { return d.pause(t.Context(), true) })
	written := time.Since(began)
	drained := d.drain(t)
	seen := d.compare(t)
	d.place.verifyAudit(t)
	for _, r := range d.running {
		if code, _ := r.terminate(t, stopLimit); code != 0 {
			t.Errorf("the program ended with %d", code)
		}
	}
	t.Logf("%d transitions in %s with %d kills; drained after %s; %s", d.done.Load(), written.Round(time.Second), kills, drained.Round(time.Second), seen)
}

func (d *dispatch) pause(ctx context.Context, active bool) bool {
	a, err := d.client.do(ctx, "PATCH", "/api/webhooks/endpoints/"+d.paused, "", map[string]any{"active": active})
	return err == nil && a.ok()
}

// write steps records until it is stopped. What fails while nobody answers is left.
func (d *dispatch) write(ctx context.Context, n int) {
	for round := 0; ctx.Err() == nil; round++ {
		id, ok := d.step(ctx, "/api/tss/declarations", movement(), "declaration")
		if ok {
			d.step(ctx, "/api/tss/declarations/"+id+"/submit", nil, "declaration")
			d.step(ctx, "/api/tss/declarations/"+id+"/mark-accepted", nil, "declaration")
		}
		if id, ok = d.step(ctx, "/api/clients", map[string]any{"name": fmt.Sprintf("Trader %d-%d", n, round)}, ""); ok {
			for i := range 3 {
				a, err := d.client.do(ctx, "PATCH", "/api/clients/"+id, "", map[string]any{"reference": fmt.Sprint(i)})
				d.count(a, err)
			}
		}
	}
}

func movement() map[string]any {
	return map[string]any{
		"movementType": "GB_NI", "traderEori": "XI123456789000", "consignorName": "Harbour Kitchens Ltd", "consigneeName": "Lagan Interiors Ltd",
		"commodityCode": "9403409000", "goodsDescription": "Flat-packed wooden kitchen cupboards", "netMassKg": 1250.5,
	}
}

func (d *dispatch) step(ctx context.Context, path string, in any, under string) (id string, ok bool) {
	a, err := d.client.do(ctx, "POST", path, "", in)
	if !d.count(a, err) {
		return "", false
	}
	var plain struct{ ID string }
	named := map[string]*struct{ ID string }{under: &plain}
	if under == "" {
		return plain.ID, a.read(&plain) && plain.ID != ""
	}
	ok = a.read(&named)
	return named[under].ID, ok
}

func (d *dispatch) count(a answer, err error) bool {
	time.Sleep(pace)
	if err != nil || !a.ok() {
		return false
	}
	d.done.Add(1)
	return true
}

// drain waits until nothing is on its way any more.
func (d *dispatch) drain(t *testing.T) time.Duration {
	conn := d.place.open(t)
	return eventually(t, drainLimit, "everything is delivered", func() bool {
		// What failed while the receiver was away waits minutes for its next attempt.
		_, _ = conn.ExecContext(t.Context(), "UPDATE deliveries SET due_at = created_at WHERE status = 'PENDING' AND attempts > 0")
		var left int
		err := conn.QueryRowContext(t.Context(), "SELECT count(*) FROM deliveries WHERE status <> 'DELIVERED'").Scan(&left)
		return err == nil && left == 0
	})
}

// told is an event of the trail that receivers are told of.
type told struct {
	sequence int
	kind     string
}

// compare holds what has arrived against the trail.
func (d *dispatch) compare(t *testing.T) string {
	trail := map[string]told{}
	rows, err := d.place.open(t).QueryContext(t.Context(),
		"SELECT id, sequence, type FROM events WHERE resource_type IN ('client', 'tss.declaration') AND type NOT LIKE '%.refused' ORDER BY sequence")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var e told
		if err := rows.Scan(&id, &e.sequence, &e.kind); err != nil {
			t.Fatal(err)
		}
		trail["evt_"+id] = e
	}
	if int64(len(trail)) < d.done.Load() {
		t.Errorf("%d events were acknowledged, %d are in the trail", d.done.Load(), len(trail))
	}
	repeats := 0
	for _, path := range []string{everything, some, nowAndThen} {
		repeats += d.check(t, path, trail)
	}
	return fmt.Sprintf("%d events, %d of the deliveries came again", len(trail), repeats)
}

// check holds what has arrived at one endpoint against the trail.
func (d *dispatch) check(t *testing.T, path string, trail map[string]told) (repeats int) {
	first, last := map[string]arrival{}, map[string]int{}
	for _, a := range d.receiver.at(path) {
		before, again := first[a.ID]
		e, known := trail[a.ID]
		switch {
		case !known || e.kind != a.Type:
			t.Errorf("%s got %s, a %s, which is not in the trail", path, a.ID, a.Type)
		case again && before != a:
			t.Errorf("%s got %s with other bytes the second time", path, a.ID)
		case again:
			repeats++
		case e.sequence < last[a.Record]:
			t.Errorf("%s got event %d of record %s after %d", path, e.sequence, a.Record, last[a.Record])
		default:
			first[a.ID], last[a.Record] = a, e.sequence
		}
	}
	for id, e := range trail {
		if _, came := first[id]; !came && (path != some || e.kind == someTypes[0] || e.kind == someTypes[1]) {
			t.Errorf("%s never got %s, event %d", path, id, e.sequence)
		}
	}
	return repeats
}
