package faults_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// withAdjustableClock is a host whose clock the test sets.
func (p host) withAdjustableClock(t *testing.T) host {
	t.Helper()
	p.UseAdjustableClock(t)
	return p
}

// Clock steps, and the permitted deviations.
const (
	clockStep = time.Hour
	jumpEvery = 600 * time.Millisecond // and up to half as long again, at random

	// maxDifference is the permitted difference between the times of an organisation's events, and between the service
	// and its database: a transaction reads its time before it waits for others.
	maxDifference = 5 * time.Second
	// recoveryLimit is how soon the work of a killed process is done with a clock that was set back: its leases end
	// at half speed.
	recoveryLimit = 45 * time.Second
)

// While the clock of the only process jumps an hour forward and back, and after it is killed, nothing acknowledged
// is lost, nothing is done twice, no work waits for the hour to pass again, and the trail keeps its order.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	testJumps(t, newHost(t, storetest.SQLite(t)).withAdjustableClock(t))
}

// Two processes on one database use the database's time: jumps of one or both machines' clocks have no effect.
func TestClocksOfTwoProcessesJump(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.Postgres(t)).withAdjustableClock(t)
	other := p.beside(t)
	other.File = p.File
	testJumps(t, p, other.withAdjustableClock(t))
}

func testJumps(t *testing.T, places ...host) {
	front, station := newLoadBalancer(t), places[0]
	var elsewhere []*program.Process
	if len(places) > 1 { // otherwise fakeCDS is on the one machine, too
		var simulator *program.Process
		station, simulator = places[0].startSimulator(t, front.URL)
		places[1].useCDS(simulator.Address)
		elsewhere = append(elsewhere, simulator)
	}
	d := newDispatch(t, places...)
	for _, e := range d.endpoints {
		e.receiver.timeless = len(places) == 1 // only the machine's clock is available for signatures
	}
	front.turn(t, d.running[0])
	filer := newClient(d.clients[0].key)
	filer.turn(d.running[0])
	l, stop := newLoad(filer, filer.shipment(t), callerPause(50*time.Millisecond)), make(chan struct{})
	finish, written := l.run(t.Context(), callers/2), d.writers.run(t.Context(), writers/2, stop)
	jumps := d.jumpClocks(t, randomSource(t))
	close(stop)
	finish()
	written()

	d.kill(t) // with a clock that was set back, its leases last longer
	front.turn(t, d.running[0])
	filer.turn(d.running[0])
	began := time.Now()
	drained := d.drain(t)
	filer.waitUntilFinished(t)
	places[0].waitForWork(t)
	d.drain(t) // messages that CDS has sent meanwhile
	if took := time.Since(began); took > within(recoveryLimit) {
		t.Errorf("the work of a killed process took %s", took)
	}
	all := d.readTrail(t)
	d.ordered(t, places[0].Settings["TIDEWAITER_DATABASE_URL"] != "")
	if again := l.end(t, places[0], station, append(d.running, elsewhere...)...); again > callers*d.kills {
		t.Errorf("%d declarations were sent to CDS again", again)
	}
	places[0].sentOnce(t)
	findings(d.writers.problems).report(t, "writers")
	d.changed(t, all)
	d.oneDeliveryEach(t, all)
	repeated, seen := 0, map[string][sha256.Size]byte{}
	for _, e := range d.endpoints {
		n := e.compare(t, all, seen)
		if n > d.kills*mostRepeated {
			t.Errorf("%s got %d deliveries again", e.name, n)
		}
		repeated += n
	}
	t.Logf("%d jumps, %d transitions; %d duplicates; drained %s after a kill", jumps, d.writers.written.Load(), repeated, drained.Round(100*time.Millisecond))
}

// jumpClocks sets the clocks of one or all machines again and again, and finally an hour behind.
func (d *dispatch) jumpClocks(t *testing.T, random *rand.Rand) (jumps int) {
	t.Helper()
	wait := func() { time.Sleep(jumpEvery + time.Duration(random.Int64N(int64(jumpEvery/2)))) }
	wait()
	for range clockJumps() {
		for _, to := range [...]time.Duration{clockStep, 0, -clockStep, 0} {
			only := random.IntN(len(d.places))
			for i, p := range d.places {
				if jumps%2 == 1 || i == only {
					p.SetClockOffset(t, to)
				}
			}
			jumps++
			wait()
		}
	}
	for _, p := range d.places {
		p.SetClockOffset(t, clockStep)
	}
	wait()
	for _, p := range d.places {
		p.SetClockOffset(t, 0)
	}
	wait()
	return jumps + 2
}

func clockJumps() int {
	if long() {
		return 40
	}
	return 1
}

// ordered checks that the times of a trail follow its sequence, and on a shared database that they are the
// database's times.
func (d *dispatch) ordered(t *testing.T, shared bool) {
	t.Helper()
	rows, err := d.database.QueryContext(t.Context(), "SELECT occurred_at FROM events WHERE org_id <> $1 ORDER BY org_id, sequence", "00000000-0000-0000-0000-000000000000")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var latest time.Time
	for rows.Next() {
		at := instantOf(t, rows)
		if back := latest.Sub(at); back > maxDifference {
			t.Fatalf("an event is %s older than the one before", back)
		}
		latest = at
	}
	if off := time.Since(latest); shared && (off < -maxDifference || off > within(recoveryLimit+finishLimit)) {
		t.Errorf("the last event is %s old by the database's clock", off)
	}
	if off := time.Until(latest); !shared && (off < clockStep/2 || off > clockStep+maxDifference) {
		t.Errorf("the last event is %s ahead of the right time; after a step back of an hour the difference must decrease", off)
	}
}

func instantOf(t *testing.T, rows *sql.Rows) (at time.Time) {
	t.Helper()
	var read any
	if err := rows.Scan(&read); err != nil {
		t.Fatal(err)
	}
	switch v := read.(type) {
	case time.Time:
		return v
	case string:
		at, err := time.Parse(time.RFC3339Nano, v)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	t.Fatalf("an instant is a %T", read)
	return at
}

// Released programs do not contain the clock adjustment for tests.
func TestReleasedProgramHasNoAdjustableClock(t *testing.T) {
	usual := newHost(t, storetest.Backend{})
	for file, want := range map[string]bool{usual.File: false, usual.withAdjustableClock(t).File: true} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(text, []byte(program.ClockVariable)); got != want {
			t.Errorf("%s knows %s: %t", filepath.Base(file), program.ClockVariable, got)
		}
	}
}
