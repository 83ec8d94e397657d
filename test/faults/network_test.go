package faults_test

import (
	"database/sql"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// networkSpeed makes a proxy slow.
type networkSpeed struct {
	delay, jitter time.Duration // of every read
	rate          int           // bytes a second for each connection and direction; 0 for no limit

	mu     sync.Mutex
	random *rand.Rand
}

func (w *networkSpeed) slows(bytes int) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	slow := w.delay
	if w.jitter > 0 {
		slow += time.Duration(w.random.Int64N(int64(w.jitter)))
	}
	if w.rate > 0 {
		slow += time.Duration(bytes) * time.Second / time.Duration(w.rate)
	}
	return slow
}

// lose drops everything on open connections from now on, like a router that has forgotten them. New connections
// work.
func (w *proxy) lose() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, through := range w.open {
		through.lost.Store(true)
	}
}

// reset resets open connections.
func (w *proxy) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for end := range w.open {
		_ = end.(*net.TCPConn).SetLinger(0)
		_ = end.Close()
	}
}

// networkFault is a fault of a proxy, until it is ended.
type networkFault struct {
	name  string
	begin func(w *proxy, random *rand.Rand)
	while time.Duration
	end   func(w *proxy)
}

func slowly(name string, w *networkSpeed) networkFault {
	return networkFault{name: name, while: 3 * time.Second, end: func(w *proxy) { w.speed.Store(nil) }, begin: func(on *proxy, random *rand.Rand) {
		on.speed.Store(&networkSpeed{delay: w.delay, jitter: w.jitter, rate: w.rate, random: rand.New(rand.NewPCG(random.Uint64(), 0))})
	}}
}

const lost = "lost"

func networkFaults() []networkFault {
	nothing := func(*proxy) {}
	return []networkFault{
		slowly("delayed", &networkSpeed{delay: 20 * time.Millisecond, jitter: 40 * time.Millisecond}),
		slowly("narrow", &networkSpeed{rate: 48 << 10}),
		slowly("crawling", &networkSpeed{delay: 400 * time.Millisecond, jitter: 800 * time.Millisecond}),
		{"reset", func(w *proxy, _ *rand.Rand) { w.reset() }, time.Second, nothing},
		{lost, func(w *proxy, _ *rand.Rand) { w.lose() }, time.Second, nothing},
		{"cut without notice to either end", func(w *proxy, _ *rand.Rand) { w.freeze() }, 10 * time.Second, func(w *proxy) { w.reset(); w.thaw() }},
	}
}

// answerLimit is the longest time for any answer, whatever the network does: a transaction is given up after eight
// seconds, and a request has few of them.
const answerLimit = 25 * time.Second

// The network to the database may be slow, lose connections and reset them: callers are answered in time, or asked
// to retry; no work accumulates; and the service recovers some seconds after the network does.
func TestNetworkToDatabase(t *testing.T) {
	t.Parallel()
	b := storetest.Postgres(t)
	p := newHost(t, b)
	p.EnableMetrics(t)
	w := newProxy(t, p)
	admin, database := superuser(t, b, os.Getenv(storetest.PostgresVariable))
	running, c := p.withOrganisation(t)
	shipment := c.shipment(t)
	before := p.figures(t)
	l := c.withFaults(t, shipment, w, 2*recoverLimit, func(s networkFault, since time.Time) {
		if s.name == lost {
			listens(t, admin, database, since)
		}
	})
	c.waitForInitialSize(t, p, before)
	l.onlyError(t, "store_unavailable")
	l.end(t, p, p, running)
}

// The same between the service and CDS: no declaration is lost, and none is declared twice.
func TestNetworkToCustoms(t *testing.T) {
	t.Parallel()
	p, front := newHost(t, storetest.SQLite(t)), newLoadBalancer(t)
	station, simulator := p.startSimulator(t, front.URL)
	u, err := url.Parse(simulator.Address)
	if err != nil {
		t.Fatal(err)
	}
	w := proxyTo(t, u.Host)
	p.useCDS("http://" + w.address)
	c := newClient(p.organisation(t))
	running := p.serve(t)
	front.turn(t, running)
	c.turn(running)
	l := c.withFaults(t, c.shipment(t), w, customsLimit, func(networkFault, time.Time) {})
	l.end(t, p, station, running, simulator)
}

// withFaults lets callers file during one network fault after another, in random order, and checks that the
// service recovers from each.
func (c *client) withFaults(t *testing.T, shipment string, w *proxy, limit time.Duration, after func(networkFault, time.Time)) *load {
	t.Helper()
	random, l := randomSource(t), newLoad(c, shipment, callerPause(50*time.Millisecond))
	finish := l.run(t.Context(), callers)
	all := networkFaults()
	for range rounds() {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, s := range summary(all) {
			time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
			began := time.Now()
			s.begin(w, random)
			time.Sleep(s.while)
			s.end(w)
			before := len(l.acknowledged())
			took := eventually(t, limit, "declarations are taken again after "+s.name, func() bool {
				return c.ready() == http.StatusOK && len(l.acknowledged()) >= before+callers
			})
			t.Logf("recovered %s after the network was %s", took.Round(10*time.Millisecond), s.name)
			after(s, began)
		}
	}
	finish()
	c.waitUntilFinished(t)
	if l.slowest > within(answerLimit) {
		t.Errorf("an answer took %s", l.slowest)
	}
	t.Logf("the slowest answer took %s", l.slowest.Round(10*time.Millisecond))
	return l
}

// summary are all faults or, in the short run, the first two and the lost connections.
func summary(all []networkFault) (chosen []networkFault) {
	for i, s := range all {
		if long() || i < 2 || s.name == lost {
			chosen = append(chosen, s)
		}
	}
	return chosen
}

func rounds() int {
	if long() {
		return 12
	}
	return 1
}

// listens waits until the service is notified of jobs on another connection than the lost one.
func listens(t *testing.T, admin *sql.DB, database string, since time.Time) {
	t.Helper()
	took := eventually(t, listenLimit, "the service listens by another connection", func() bool {
		var n int
		err := admin.QueryRow("SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE '%listening' AND backend_start > $2", database, since).Scan(&n)
		return err == nil && n > 0
	})
	t.Logf("it listens again after %s more", took.Round(10*time.Millisecond))
}

// listenLimit is how long the loss of a listening connection may stay unnoticed.
const listenLimit = 20 * time.Second

// customsLimit is how soon callers get answers again after CDS was unreachable: the timeout of an answer is half a
// minute.
const customsLimit = time.Minute
