package faults_test

import (
	"context"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// recoverLimit is how soon the service works again when its database is back.
const recoverLimit = 15 * time.Second

// While PostgreSQL cuts connections, is away and comes back, callers are told that
// the store is unavailable and nothing worse; what was acknowledged stays; and the
// service needs nobody to recover.
func TestOutage(t *testing.T) {
	t.Parallel()
	b := storetest.Postgres(t)
	p := newPlace(t, b)
	wire := newWire(t, p)
	admin, database := superuser(t, b, os.Getenv(storetest.PostgresVariable))
	running, c := p.opened(t)
	l := newLoad(c, c.shipment(t), calm(20*time.Millisecond))
	finish := l.run(t.Context(), callers)
	random := dice(t)
	for round := range outages() {
		l.await(phase(round%int(phases)), random)
		if round%2 == 0 {
			if err := cut(t.Context(), admin, database); err != nil {
				t.Fatal(err)
			}
			continue
		}
		wire.down()
		eventually(t, 10*time.Second, "readyz says that the database does not answer", func() bool { return c.ready() == http.StatusServiceUnavailable })
		time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
		wire.up(t)
		took := eventually(t, recoverLimit, "readyz says ready", func() bool { return c.ready() == http.StatusOK })
		t.Logf("ready %s after the database was back", took.Round(time.Millisecond))
	}
	finish()
	repeated := l.end(t, p, p, running)
	t.Logf("customs was sent a declaration again %d times", repeated)
}

// outages is how often the database fails; every second time it stays away.
func outages() int {
	if long() {
		return 100
	}
	return 10
}

// ready is the status of readyz; 0 when the service does not answer at all.
func (c *client) ready() int {
	response, err := c.http.Get(*c.address.Load() + "/readyz")
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// silence is how long a caller waits, at most, for the news that the database is silent.
const silence = 30 * time.Second

// A database that takes requests and never answers keeps no caller waiting for ever,
// and the call that it swallowed can be repeated when it is back.
func TestSilentDatabase(t *testing.T) {
	t.Parallel()
	p := newPlace(t, storetest.Postgres(t))
	wire := newWire(t, p)
	_, c := p.opened(t)
	shipment := c.shipment(t)
	wire.freeze()
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), within(silence))
	defer cancel()
	a, err := c.do(ctx, http.MethodPost, "/api/declarations", "once", input(shipment, "Shirts"))
	if err != nil || a.status != http.StatusServiceUnavailable {
		t.Errorf("after %s: %d %s %v", time.Since(began).Round(time.Second), a.status, a.body, err)
	}
	wire.thaw()
	var made struct{ ID string }
	eventually(t, recoverLimit, "the repeat is answered", func() bool {
		a, err := c.do(t.Context(), http.MethodPost, "/api/declarations", "once", input(shipment, "Shirts"))
		return err == nil && a.read(&made)
	})
	c.keeps(t, []filed{{mark: "Shirts", id: made.ID}}, shipment)
}
