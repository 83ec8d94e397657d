package faults_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// balancer sends each request to the next of several processes.
type balancer struct {
	*httptest.Server
	targets atomic.Pointer[[]*url.URL]
	turn    atomic.Int64
}

func newBalancer(t *testing.T) *balancer {
	b := &balancer{}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			all := *b.targets.Load()
			r.SetURL(all[int(b.turn.Add(1))%len(all)])
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	b.Server = httptest.NewServer(proxy)
	t.Cleanup(b.Close)
	return b
}

func (b *balancer) to(t *testing.T, all ...*process) {
	t.Helper()
	targets := make([]*url.URL, len(all))
	for i, r := range all {
		u, err := url.Parse(r.address)
		if err != nil {
			t.Fatal(err)
		}
		targets[i] = u
	}
	b.targets.Store(&targets)
}

// more waits until so many further declarations have been filed.
func (l *load) more(t *testing.T, n int) {
	t.Helper()
	before := len(l.acknowledged())
	eventually(t, settleLimit, "declarations are filed", func() bool { return len(l.acknowledged()) >= before+n })
}

// A new version joins an installation of the release before under load: it migrates by
// the owner, which served until now, and serves by a role that owns nothing; both serve
// side by side, and the old one goes. Nothing is lost, nothing is declared twice, and
// the trail is one chain.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	b := storetest.Unmigrated(t)
	old := newPlace(t, b.AsOwner())
	old.program = formerProgram(t)
	key := old.organisation(t)
	crowd := newBalancer(t)
	station := old.beside(t)
	station.program = program
	simulator := station.start(t, "simulator", "--callback", crowd.URL+"/api/cds/webhook")
	old.settings["TIDEWAITER_CUSTOMS_URL"] = simulator.address
	old.settings["TIDEWAITER_CUSTOMS_CLIENT_ID"] = "tidewaiter"
	old.settings["TIDEWAITER_CUSTOMS_CLIENT_SECRET"] = "tidewaiter"
	present := old.beside(t)
	present.program = program
	present.settings["TIDEWAITER_DATABASE_URL"], present.settings["TIDEWAITER_DATABASE_OWNER_URL"] = b.URL, b.Owner

	before := old.serve(t)
	crowd.to(t, before)
	c := newClient(key)
	c.address.Store(&crowd.URL)
	l := newLoad(c, c.shipment(t), 40*time.Millisecond)
	stop := make(chan struct{})
	finished := l.run(t.Context(), 8, stop)
	l.more(t, 20)
	after := present.serve(t)
	crowd.to(t, before, after)
	l.more(t, 60)
	crowd.to(t, after)
	if code, _ := before.terminate(t, stopLimit); code != 0 {
		t.Errorf("the old program ended with %d", code)
	}
	l.more(t, 20)
	close(stop)
	finished()
	c.settle(t)
	present.waitForWork(t)
	submitted := c.keeps(t, l.acknowledged(), l.shipment)
	c.submittedOnce(t, submitted)
	for _, r := range []*process{after, simulator} {
		if code, _ := r.terminate(t, stopLimit); code != 0 {
			t.Errorf("the program ended with %d", code)
		}
	}
	present.noWorkLeft(t)
	present.verifyAudit(t)
	book := readJournal(t, station.data)
	book.declaredOnce(t, submitted)
	present.heardAll(t, book)
	l.report(t)
	if log := tail(old.log()); strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the old program was in trouble:\n%s", log)
	}
}

// What the release before had taken up when it died, the present one finishes.
func TestPresentTakesOverFromFormer(t *testing.T) {
	t.Parallel()
	b := storetest.Unmigrated(t)
	old := newPlace(t, b.AsOwner())
	old.program = formerProgram(t)
	present := old.beside(t)
	present.program = program
	testTakeover(t, old, present)
}
