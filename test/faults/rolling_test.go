package faults_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
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

func (b *balancer) to(t *testing.T, all ...*program.Process) {
	t.Helper()
	targets := make([]*url.URL, len(all))
	for i, r := range all {
		u, err := url.Parse(r.Address)
		if err != nil {
			t.Fatal(err)
		}
		targets[i] = u
	}
	b.targets.Store(&targets)
}

// more waits until this many further declarations were filed.
func (l *load) more(t *testing.T, n int) {
	t.Helper()
	before := len(l.acknowledged())
	eventually(t, finishLimit, "declarations are filed", func() bool { return len(l.acknowledged()) >= before+n })
}

// A new version joins an installation of the previous release under load: the owner, which also served until now,
// migrates, and the new version serves with a role that owns nothing. Both serve side by side, and then the old
// one ends. Nothing is lost, nothing is declared twice, and the trail is one chain.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	b := storetest.Unmigrated(t)
	old := newHost(t, b.AsOwner())
	old.File = formerProgram(t)
	key := old.organisation(t)
	balancing := newBalancer(t)
	simulatorHost, simulator := old.startSimulator(t, balancing.URL)
	present := old.beside(t)
	present.Settings["TIDEWAITER_DATABASE_URL"], present.Settings["TIDEWAITER_DATABASE_OWNER_URL"] = b.URL, b.Owner

	before := old.serve(t)
	balancing.to(t, before)
	c := newClient(key)
	c.address.Store(&balancing.URL)
	l := newLoad(c, c.shipment(t), callerPause(40*time.Millisecond))
	finish := l.run(t.Context(), 8)
	l.more(t, 20)
	after := present.serve(t)
	balancing.to(t, before, after)
	l.more(t, 60)
	balancing.to(t, after)
	before.Stop(t)
	l.more(t, 20)
	finish()
	l.end(t, present, simulatorHost, after, simulator)
	present.sentOnce(t)
	if errors := old.Log.Errors(); errors != nil {
		t.Errorf("the old program logged errors:\n%s", errors)
	}
}

// The new release finishes the jobs that the previous one had taken when it died.
func TestTakeoverFromPreviousRelease(t *testing.T) {
	t.Parallel()
	b := storetest.Unmigrated(t)
	old := newHost(t, b.AsOwner())
	old.File = formerProgram(t)
	present := old.beside(t)
	testTakeover(t, old, present)
}

// A data folder of the previous release, killed under load, is served by the new one, which migrates it at start
// and continues its work.
func TestFolderOfPreviousRelease(t *testing.T) {
	t.Parallel()
	old := newHost(t, storetest.Backend{Folder: t.TempDir()})
	old.File = formerProgram(t)
	running, c := old.withOrganisation(t)
	l := newLoad(c, c.shipment(t), callerPause(40*time.Millisecond))
	finish := l.run(t.Context(), callers)
	l.more(t, 20)
	running.Kill()
	present := old
	present.File = program.Binary(t)
	running = present.serve(t)
	c.turn(running)
	l.more(t, 20)
	finish()
	l.end(t, present, present, running)
}
