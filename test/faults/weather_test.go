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

// weather makes a wire slow.
type weather struct {
	delay, jitter time.Duration // of every piece
	rate          int           // bytes a second of a connection and direction; 0 for any number

	mu     sync.Mutex
	random *rand.Rand
}

func (w *weather) slows(bytes int) time.Duration {
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

// lose lets everything that open connections carry from now on vanish, as when a router
// between has forgotten them. New ones pass.
func (w *wire) lose() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, through := range w.open {
		through.lost.Store(true)
	}
}

// reset ends open connections without a farewell.
func (w *wire) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for end := range w.open {
		_ = end.(*net.TCPConn).SetLinger(0)
		_ = end.Close()
	}
}

// A storm is what happens to a wire; it lasts until it is over.
type storm struct {
	name  string
	begin func(w *wire, random *rand.Rand)
	while time.Duration
	end   func(w *wire)
}

func slowly(name string, w *weather) storm {
	return storm{name: name, while: 3 * time.Second, end: func(w *wire) { w.weather.Store(nil) }, begin: func(on *wire, random *rand.Rand) {
		on.weather.Store(&weather{delay: w.delay, jitter: w.jitter, rate: w.rate, random: rand.New(rand.NewPCG(random.Uint64(), 0))})
	}}
}

const lost = "lost"

func storms() []storm {
	nothing := func(*wire) {}
	return []storm{
		slowly("delayed", &weather{delay: 20 * time.Millisecond, jitter: 40 * time.Millisecond}),
		slowly("narrow", &weather{rate: 48 << 10}),
		slowly("crawling", &weather{delay: 400 * time.Millisecond, jitter: 800 * time.Millisecond}),
		{"reset", func(w *wire, _ *rand.Rand) { w.reset() }, time.Second, nothing},
		{lost, func(w *wire, _ *rand.Rand) { w.lose() }, time.Second, nothing},
		{"cut, and nobody is told", func(w *wire, _ *rand.Rand) { w.freeze() }, 10 * time.Second, func(w *wire) { w.reset(); w.thaw() }},
	}
}

// answerLimit is how long any answer may take, whatever the network does: a transaction
// is given up after eight seconds, and a request has few.
const answerLimit = 25 * time.Second

// The network to the database may be slow, lose connections and cut them: callers are
// answered in time, or told to come again; nothing piles up; and the service is well
// some seconds after the network is.
func TestNetworkToDatabase(t *testing.T) {
	t.Parallel()
	b := storetest.Postgres(t)
	p := newPlace(t, b)
	p.EnableMetrics(t)
	w := newWire(t, p)
	admin, database := superuser(t, b, os.Getenv(storetest.PostgresVariable))
	running, c := p.opened(t)
	shipment := c.shipment(t)
	before := p.figures(t)
	l := c.weather(t, shipment, w, 2*recoverLimit, func(s storm, since time.Time) {
		if s.name == lost {
			listens(t, admin, database, since)
		}
	})
	c.settled(t, p, before)
	l.blames(t, "store_unavailable")
	l.end(t, p, p, running)
}

// The same between the service and customs: no declaration is lost on the way, and none
// is declared twice.
func TestNetworkToCustoms(t *testing.T) {
	t.Parallel()
	p, front := newPlace(t, storetest.SQLite(t)), newFront(t)
	station, simulator := p.station(t, front.URL)
	u, err := url.Parse(simulator.Address)
	if err != nil {
		t.Fatal(err)
	}
	w := wireTo(t, u.Host)
	p.declareTo("http://" + w.address)
	c := newClient(p.organisation(t))
	running := p.serve(t)
	front.turn(t, running)
	c.turn(running)
	l := c.weather(t, c.shipment(t), w, customsLimit, func(storm, time.Time) {})
	l.end(t, p, station, running, simulator)
}

// weather lets callers file while one storm after another, in an order of chance, comes
// over a wire, and sees that each is over when it is over.
func (c *client) weather(t *testing.T, shipment string, w *wire, limit time.Duration, after func(storm, time.Time)) *load {
	t.Helper()
	random, l := dice(t), newLoad(c, shipment, calm(50*time.Millisecond))
	finish := l.run(t.Context(), callers)
	all := storms()
	for range rounds() {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, s := range inShort(all) {
			time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
			began := time.Now()
			s.begin(w, random)
			time.Sleep(s.while)
			s.end(w)
			before := len(l.acknowledged())
			took := eventually(t, limit, "declarations are taken again after "+s.name, func() bool {
				return c.ready() == http.StatusOK && len(l.acknowledged()) >= before+callers
			})
			t.Logf("well %s after the network was %s", took.Round(10*time.Millisecond), s.name)
			after(s, began)
		}
	}
	finish()
	c.settle(t)
	if l.slowest > within(answerLimit) {
		t.Errorf("an answer took %s", l.slowest)
	}
	t.Logf("the slowest answer took %s", l.slowest.Round(10*time.Millisecond))
	return l
}

// inShort are all storms or, where time is short, the first two and the loss.
func inShort(all []storm) (chosen []storm) {
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

// listens waits until the service hears of jobs by another connection than the one that
// was lost without a word.
func listens(t *testing.T, admin *sql.DB, database string, since time.Time) {
	t.Helper()
	took := eventually(t, listenLimit, "the service listens by another connection", func() bool {
		var n int
		err := admin.QueryRow("SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE '%listening' AND backend_start > $2", database, since).Scan(&n)
		return err == nil && n > 0
	})
	t.Logf("it listens again after %s more", took.Round(10*time.Millisecond))
}

// listenLimit is how long a connection that listens may be lost without notice.
const listenLimit = 20 * time.Second

// customsLimit is how soon callers hear again from a customs that was lost: an answer is
// waited for half a minute.
const customsLimit = time.Minute
