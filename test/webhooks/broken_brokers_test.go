package webhooks

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/test/broker"
)

// gate is a way to a broker that a test can cut, and on which it can hold what the broker says.
type gate struct {
	net.Listener
	to   atomic.Int64 // port of the broker
	mu   sync.Mutex
	open []net.Conn
	hold atomic.Bool
}

func openGate(t *testing.T) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{Listener: l}
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			if on, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", g.to.Load())); err == nil {
				g.mu.Lock()
				g.open = append(g.open, from, on)
				g.mu.Unlock()
				go func() { _, _ = io.Copy(on, from); _ = on.Close() }()
				go func() { _, _ = io.Copy(from, held{on, &g.hold}); _ = from.Close() }()
			}
		}
	}()
	t.Cleanup(func() { _ = l.Close(); g.cut() })
	return g
}

func (g *gate) port() int { return g.Addr().(*net.TCPAddr).Port }

// cut closes all connections in the middle of what they do.
func (g *gate) cut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.open {
		_ = c.Close()
	}
	g.open = nil
}

// held lets nothing pass while hold is set.
type held struct {
	io.Reader
	hold *atomic.Bool
}

func (h held) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	for h.hold.Load() {
		time.Sleep(5 * time.Millisecond)
	}
	return n, err
}

// A confirmation that comes too late is a failure with a reason, and so is a connection that ends before it; the client of Kafka
// connects again within the attempt. Everything arrives in order in the end.
func TestDestinationConfirmsLateAndBreaksOff(t *testing.T) {
	t.Parallel()
	for _, kind := range broker.Kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			g := openGate(t)
			s := broker.StartBehind(t, kind, g.port())
			g.to.Store(int64(s.Port))
			h, in := open(t, storetest.SQLite(t)), s.InputAt(g.port())
			in.Retry = &webhook.Retry{Schedule: []int{3600, 3600, 3600}, TimeoutSeconds: 60} // no attempt is repeated before the test wants it
			id := h.endpointWith(in)
			h.dispatch(longTimeout)
			r := h.record()
			r.step()
			h.waitFor("first delivered", func() bool { return delivered(h, id) == 1 })
			failed := func(why string) func() bool {
				return func() bool {
					return slices.ContainsFunc(h.deliveries(id), func(d webhook.Delivery) bool { return strings.Contains(d.Error, why) })
				}
			}
			h.set(id, `{"retry":{"schedule":[3600,3600,3600],"timeoutSeconds":1}}`)
			g.hold.Store(true)
			r.steps(2)
			h.waitFor("late", failed("no answer within 1 second"))
			h.set(id, patient)
			g.hold.Store(false)
			h.waitFor("delivered late", func() bool { h.retryNow(id); return delivered(h, id) == 3 })
			g.hold.Store(true)
			r.step()
			h.waitFor("sent", func() bool { steps, _ := received(s.Messages()); return len(steps[r.id]) == 4 })
			g.cut()
			if kind != "kafka" {
				h.waitFor("ended early", failed("closed without an answer"))
			}
			g.hold.Store(false)
			h.waitFor("all delivered", func() bool { h.retryNow(id); return delivered(h, id) == 4 })
			if steps, _ := received(s.Messages()); !slices.Equal(steps[r.id], []int{1, 2, 3, 4}) {
				t.Errorf("%v", steps[r.id])
			}
		})
	}
}

// While a broker is full, is asked for too much, or has lost what the settings name, the log says so in plain words, the events of a
// record wait in order, and they go on by themselves once the broker takes them.
func TestDestinationTakesNothingForAWhile(t *testing.T) {
	eachKind(t, func(t *testing.T, h *harness, s *broker.Server) {
		in := s.Input()
		in.Retry = &webhook.Retry{Schedule: []int{3600, 3600, 3600}, TimeoutSeconds: 60}
		id := h.endpointWith(in)
		h.dispatch(longTimeout)
		r := h.record()
		r.step()
		h.waitFor("first delivered", func() bool { return delivered(h, id) == 1 })
		var all []broker.Message
		for i, trouble := range s.Troubles() {
			before := s.Messages()
			s.Refuse(trouble)
			r.steps(2)
			h.waitFor(trouble.Reason, func() bool {
				return slices.ContainsFunc(h.deliveries(id), func(d webhook.Delivery) bool { return d.Status == webhook.Pending && d.Error != "" })
			})
			waiting := h.deliveries(id)[1+2*i:]
			if d := waiting[0]; !strings.Contains(d.Error, trouble.Reason) || d.Attempts != 1 {
				t.Errorf("after %d attempts: %q, want %q", d.Attempts, d.Error, trouble.Reason)
			}
			if d := waiting[1]; d.Attempts != 0 && s.Kind != "s3" { // a batch has both, in order
				t.Errorf("the next event of the record was tried too: %+v", d)
			}
			s.Refuse(broker.Trouble{})
			h.waitFor("delivered after "+trouble.Reason, func() bool { h.retryNow(id); return delivered(h, id) == 3+2*i })
			all = slices.Concat(all, before)
		}
		steps, _ := received(slices.Concat(all, s.Messages()))
		if got, want := steps[r.id], 1+2*len(s.Troubles()); len(got) != want || !slices.IsSorted(got) {
			t.Errorf("arrived: %v, want %d", got, want)
		}
		if e := h.find(id); !e.Active || !e.FailingSince.IsZero() {
			t.Errorf("the endpoint afterwards: %+v", e)
		}
	})
}
