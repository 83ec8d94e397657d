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

// While PostgreSQL cuts connections, is stopped and comes back, callers get store_unavailable and no other error.
// Acknowledged data is kept, and the service recovers by itself.
func TestOutage(t *testing.T) {
	t.Parallel()
	b := storetest.Postgres(t)
	p := newHost(t, b)
	link := newProxy(t, p)
	admin, database := superuser(t, b, os.Getenv(storetest.PostgresVariable))
	running, c := p.withOrganisation(t)
	l := newLoad(c, c.shipment(t), callerPause(20*time.Millisecond))
	finish := l.run(t.Context(), callers)
	random := randomSource(t)
	for round := range sized(4, 100) { // every second time it stays down for a while
		l.await(phase(round%int(phases)), random)
		if round%2 == 0 {
			if err := cut(t.Context(), admin, database); err != nil {
				t.Fatal(err)
			}
			continue
		}
		link.down()
		eventually(t, 10*time.Second, "readyz says that the database does not answer", func() bool { return c.ready() == http.StatusServiceUnavailable })
		time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
		link.up(t)
		took := eventually(t, recoverLimit, "readyz says ready", func() bool { return c.ready() == http.StatusOK })
		t.Logf("ready %s after the database was back", took.Round(time.Millisecond))
	}
	finish()
	repeated := l.end(t, p, p, running)
	t.Logf("%d declarations were sent to CDS again", repeated)
}

// ready is the status of readyz; 0 if the service does not answer.
func (c *client) ready() int {
	response, err := c.http.Get(*c.address.Load() + "/readyz")
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// silentLimit is the longest wait of a caller until it learns that the database does not answer.
const silentLimit = 30 * time.Second

// A database that accepts requests and never answers does not block callers forever, and the lost call can be
// repeated when it is back.
func TestSilentDatabase(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.Postgres(t))
	link := newProxy(t, p)
	_, c := p.withOrganisation(t)
	shipment := c.shipment(t)
	link.freeze()
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), within(silentLimit))
	defer cancel()
	a, err := c.do(ctx, http.MethodPost, "/api/declarations", "once", input(shipment, "Shirts"))
	if err != nil || a.status != http.StatusServiceUnavailable {
		t.Errorf("after %s: %d %s %v", time.Since(began).Round(time.Second), a.status, a.body, err)
	}
	link.thaw()
	var made struct{ ID string }
	eventually(t, recoverLimit, "the repeat is answered", func() bool {
		a, err := c.do(t.Context(), http.MethodPost, "/api/declarations", "once", input(shipment, "Shirts"))
		return err == nil && a.read(&made)
	})
	c.checkAcknowledged(t, []filed{{mark: "Shirts", id: made.ID}}, shipment)
}
