package webhook_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

const (
	org = tenant.ID("00000000-0000-4000-8000-000000000001")

	thingCreated = "thing.created"
)

// fixture is a dispatcher on a real store, with a receiver behind the HTTP transport. It lives
// in a synctest bubble, so that every duration is exact and no test waits for real.
type fixture struct {
	*testing.T
	store    *store.Store
	ids      *ident.Source
	receiver *receiver
	log      bytes.Buffer
}

// plain is a Sealer that does not encrypt.
type plain struct{}

func (plain) Encrypt(text, _ []byte) ([]byte, error) { return text, nil }

func (plain) Decrypt(text, _ []byte) ([]byte, error) { return text, nil }

// adapter is the store as the interface that the dispatcher declares.
type adapter struct{ *store.Store }

func (a adapter) UpdateWebhooks(ctx context.Context, org tenant.ID, fn func(webhook.Tx) error) error {
	return a.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// arrival is an attempt as the receiver saw it.
type arrival struct {
	at       time.Time
	host     string
	delivery string
	record   string // of the notice
	step     int
}

// receiver answers attempts after latency, with what answer returns; 204 without it.
type receiver struct {
	latency time.Duration
	answer  func(a arrival) (status int, retryAfter string)

	mu       sync.Mutex
	arrivals []arrival
	inFlight int
	most     int // in flight at once
}

func (r *receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	a := arrival{at: time.Now(), host: request.URL.Host, delivery: request.Header.Get("X-Service-Delivery")}
	_, rest, _ := bytes.Cut(body, []byte(`"object":{"id":"`))
	a.record = string(rest[:36])
	_, rest, _ = bytes.Cut(rest, []byte(`"step":`))
	a.step, _ = strconv.Atoi(string(rest[:bytes.IndexByte(rest, '}')]))
	r.mu.Lock()
	r.arrivals = append(r.arrivals, a)
	r.inFlight++
	r.most = max(r.most, r.inFlight)
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.inFlight--
		r.mu.Unlock()
	}()
	select {
	case <-time.After(r.latency):
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	response := &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody}
	if r.answer != nil {
		var retryAfter string
		if response.StatusCode, retryAfter = r.answer(a); retryAfter != "" {
			response.Header.Set("Retry-After", retryAfter)
		}
	}
	return response, nil
}

func (r *receiver) seen() []arrival {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.arrivals)
}

// mostAtOnce returns the largest number of simultaneous attempts so far.
func (r *receiver) mostAtOnce() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.most
}

// inBubble runs a test in a synctest bubble.
func inBubble(t *testing.T, test func(f *fixture)) {
	b := storetest.SQLite(t)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Hour) // the bubble's clock begins with the earliest time of the store
		f := &fixture{T: t, ids: ident.NewSource(rand.Reader, time.Now), receiver: &receiver{}}
		o := b.Options()
		o.NewID, o.Random = f.ids.UUID, f.ids.Bytes
		var err error
		if f.store, err = store.Open(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := f.store.Close(); err != nil {
				t.Error(err)
			}
		}()
		f.update(func(tx *store.Tx) error {
			return tx.AddOrganisation(access.Organisation{ID: org, Name: "A", Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
		})
		test(f)
	})
}

func (f *fixture) update(fn func(*store.Tx) error) {
	f.Helper()
	if err := f.store.Update(context.Background(), org, fn); err != nil {
		f.Fatal(err)
	}
}

// endpoint makes an endpoint and returns its ID.
func (f *fixture) endpoint(url string) string { return f.endpointWith(url, webhook.Options{}) }

func (f *fixture) endpointWith(url string, o webhook.Options) string {
	f.Helper()
	id := f.ids.UUID()
	secret, err := webhook.Seal(plain{}, org, id, "whsec_"+strings.Repeat("A", 44))
	if err != nil {
		f.Fatal(err)
	}
	f.update(func(tx *store.Tx) error {
		return tx.AddEndpoint(webhook.Endpoint{ID: id, URL: url, Options: o, Active: true, Secret: secret, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	})
	return id
}

// steps changes a record several times in one transaction; the first change creates it.
func (f *fixture) steps(record string, from, to int) {
	f.Helper()
	f.update(func(tx *store.Tx) error {
		for n := from; n <= to; n++ {
			c := filing.Change{
				Filing: filing.Filing{
					ID: record, Kind: "thing", Status: lifecycle.Draft, Version: int64(n), BodyVersion: 1, Body: fmt.Appendf(nil, `{"step":%d}`, n),
					CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
				},
				Event: audit.Event{ID: f.ids.UUID(), Hub: "customs", Type: thingCreated, ResourceType: "thing", ResourceID: record, ToStatus: "DRAFT"},
			}
			var err error
			if c.Notification, err = webhook.NotifyOf(f.ids.UUID)(tx, &c); err != nil {
				return err
			}
			if err := tx.Write(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// records creates records.
func (f *fixture) records(n int) {
	f.Helper()
	for range n {
		f.steps(f.ids.UUID(), 1, 1)
	}
}

// run runs a dispatcher of a new instance. The returned function stops it and waits until it has ended.
func (f *fixture) run(s webhook.Store) (stop func()) { return f.runAs(f.ids.UUID(), s) }

func (f *fixture) runAs(instance string, s webhook.Store) (stop func()) {
	return f.runOver(instance, s, f.receiver)
}

// runOver runs a dispatcher whose attempts go over a transport.
func (f *fixture) runOver(instance string, s webhook.Store, transport http.RoundTripper) (stop func()) {
	d := &webhook.Dispatcher{
		Holder: instance, Store: s, Sender: webhook.NewSender(transport, time.Now), Sealer: plain{}, IDs: f.ids,
		Log: slog.New(slog.NewTextHandler(&f.log, nil)), Observe: func(webhook.Status, time.Duration) {},
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.Run(ctx)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// deliveries returns the deliveries of an endpoint, oldest first.
func (f *fixture) deliveries(endpointID string) (all []webhook.Delivery) {
	f.Helper()
	err := f.store.View(context.Background(), org, func(tx *store.Tx) (err error) {
		all, err = tx.Deliveries(webhook.LogQuery{EndpointID: endpointID, Limit: 10_000})
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	slices.Reverse(all)
	return all
}

func count(all []webhook.Delivery, status webhook.Status) (n int) {
	for i := range all {
		if all[i].Status == status {
			n++
		}
	}
	return n
}

// leaseAs tries to lease an endpoint as another instance.
func (f *fixture) leaseAs(holder, endpointID string) bool {
	f.Helper()
	_, held, err := f.store.LeaseEndpoint(context.Background(), webhook.Ref{Org: org, EndpointID: endpointID}, holder, webhook.LeaseTTL)
	if err != nil {
		f.Fatal(err)
	}
	return held
}

// The deliveries of a record are sent one at a time and in order, while those of other records
// are sent at the same time.
func TestOrderPerRecord(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.receiver.latency = time.Second
		id := f.endpoint("https://one.example")
		first, second := f.ids.UUID(), f.ids.UUID()
		f.steps(first, 1, 5)
		f.steps(second, 1, 5)
		defer f.run(adapter{f.store})()
		time.Sleep(time.Minute)
		next, last := map[string]int{}, map[string]time.Time{}
		for _, a := range f.receiver.seen() {
			if next[a.record]++; a.step != next[a.record] {
				t.Errorf("record %s: step %d arrived as number %d", a.record, a.step, next[a.record])
			}
			if a.at.Sub(last[a.record]) < f.receiver.latency {
				t.Errorf("step %d was sent before its predecessor was answered", a.step)
			}
			last[a.record] = a.at
		}
		if next[first] != 5 || next[second] != 5 || f.receiver.mostAtOnce() != 2 || count(f.deliveries(id), webhook.Delivered) != 10 {
			t.Errorf("%v attempts, %d at once, %d delivered", next, f.receiver.mostAtOnce(), count(f.deliveries(id), webhook.Delivered))
		}
	})
}

// An endpoint begins with two attempts in flight. Successes raise that to 64, which is as many
// as a crash may repeat; failures lower it to one.
func TestInFlightLimit(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.receiver.latency = time.Second
		f.endpoint("https://one.example")
		f.records(200)
		stop := f.run(adapter{f.store})
		time.Sleep(500 * time.Millisecond)
		if most := f.receiver.mostAtOnce(); most != 2 {
			t.Errorf("%d attempts at first, want 2", most)
		}
		time.Sleep(time.Minute)
		if n, most := len(f.receiver.seen()), f.receiver.mostAtOnce(); n != 200 || most != 64 {
			t.Errorf("%d attempts, %d at once; want 200 and 64", n, most)
		}
		f.receiver.answer = func(arrival) (int, string) { return http.StatusInternalServerError, "3600" }
		f.records(40)
		time.Sleep(10 * time.Second)
		f.receiver.mu.Lock()
		f.receiver.most = 0
		f.receiver.mu.Unlock()
		time.Sleep(20 * time.Second)
		if most := f.receiver.mostAtOnce(); most != 1 {
			t.Errorf("%d attempts at once after failures, want 1", most)
		}
		stop()
	})
}

// Failed attempts are repeated after 5 seconds and 5 minutes, give or take a fifth, and not
// before the time that the receiver asks for.
func TestRetryDelays(t *testing.T) {
	for name, c := range map[string]struct {
		retryAfter  string
		least, most [2]time.Duration
	}{
		"schedule":    {"", [2]time.Duration{4 * time.Second, 4 * time.Minute}, [2]time.Duration{7 * time.Second, 6*time.Minute + time.Second}},
		"Retry-After": {"90", [2]time.Duration{90 * time.Second, 4 * time.Minute}, [2]time.Duration{91 * time.Second, 6*time.Minute + time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(f *fixture) {
				var attempts atomic.Int32
				f.receiver.answer = func(arrival) (int, string) {
					if attempts.Add(1) < 3 {
						return http.StatusServiceUnavailable, c.retryAfter
					}
					return http.StatusOK, ""
				}
				id := f.endpoint("https://one.example")
				f.records(1)
				defer f.run(adapter{f.store})()
				time.Sleep(10 * time.Minute)
				seen := f.receiver.seen()
				if len(seen) != 3 {
					t.Fatalf("%d attempts, want 3", len(seen))
				}
				for i := range 2 {
					if wait := seen[i+1].at.Sub(seen[i].at); wait < c.least[i] || wait > c.most[i] {
						t.Errorf("attempt %d came after %s, want %s to %s", i+2, wait, c.least[i], c.most[i])
					}
				}
				if d := f.deliveries(id)[0]; d.Status != webhook.Delivered || d.Attempts != 3 {
					t.Errorf("got %s after %d attempts", d.Status, d.Attempts)
				}
			})
		})
	}
}

// An endpoint with its own schedule is tried at exactly its times, and given up after the last; an attempt takes no longer
// than its own limit.
func TestOwnSchedule(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.receiver.latency = time.Minute
		id := f.endpointWith("https://one.example", webhook.Options{Retry: &webhook.Retry{Schedule: []int{7, 100}, TimeoutSeconds: 20}})
		f.records(1)
		defer f.run(adapter{f.store})()
		time.Sleep(time.Hour)
		seen := f.receiver.seen()
		if len(seen) != 3 {
			t.Fatalf("%d attempts, want 3", len(seen))
		}
		for i, want := range []time.Duration{27 * time.Second, 120 * time.Second} {
			if wait := seen[i+1].at.Sub(seen[i].at); wait < want || wait > want+time.Second {
				t.Errorf("attempt %d came after %s, want %s", i+2, wait, want)
			}
		}
		if d := f.deliveries(id)[0]; d.Status != webhook.Failed || d.Attempts != 3 || d.Error != "no answer within 20 seconds" {
			t.Errorf("%s after %d attempts: %s", d.Status, d.Attempts, d.Error)
		}
	})
}

// A paused endpoint gets nothing. When it is resumed, its deliveries arrive in order.
func TestPauseAndResume(t *testing.T) {
	inBubble(t, func(f *fixture) {
		id, record := f.endpoint("https://one.example"), f.ids.UUID()
		defer f.run(adapter{f.store})()
		set := func(active bool) {
			f.update(func(tx *store.Tx) error {
				e, err := tx.Endpoint(id)
				if err != nil {
					return err
				}
				e.Active = active
				return tx.SaveEndpoint(e)
			})
		}
		set(false)
		f.steps(record, 1, 3)
		time.Sleep(time.Minute)
		if n := len(f.receiver.seen()); n != 0 {
			t.Fatalf("%d attempts while paused", n)
		}
		set(true)
		time.Sleep(time.Second)
		seen := f.receiver.seen()
		if len(seen) != 3 || seen[0].step != 1 || seen[1].step != 2 || seen[2].step != 3 {
			t.Errorf("got %+v", seen)
		}
	})
}

// The answer 410 pauses the endpoint: nothing else is sent, and its deliveries wait.
func TestGonePausesEndpoint(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.receiver.answer = func(arrival) (int, string) { return http.StatusGone, "" }
		id, record := f.endpoint("https://one.example"), f.ids.UUID()
		f.steps(record, 1, 3)
		defer f.run(adapter{f.store})()
		time.Sleep(10 * time.Minute)
		if n := len(f.receiver.seen()); n != 1 || count(f.deliveries(id), webhook.Pending) != 3 {
			t.Errorf("%d attempts, %d pending", n, count(f.deliveries(id), webhook.Pending))
		}
		f.update(func(tx *store.Tx) error {
			e, err := tx.Endpoint(id)
			if err == nil && (e.Active || e.PausedReason == "") {
				t.Errorf("active %t, reason %q", e.Active, e.PausedReason)
			}
			return err
		})
	})
}

// An instance that was killed and comes back continues at once. Another one takes over within two seconds of the last
// heartbeat, and no sooner than it counts.
func TestInstanceIsKilled(t *testing.T) {
	for name, test := range map[string]struct {
		next       string
		least, max time.Duration
	}{
		"comes back": {"00000000-0000-4000-8000-0000000000aa", 0, 100 * time.Millisecond},
		"another":    {"00000000-0000-4000-8000-0000000000bb", webhook.AliveTTL, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(f *fixture) {
				const killed = "00000000-0000-4000-8000-0000000000aa"
				id := f.endpoint("https://one.example")
				if err := f.store.Heartbeat(t.Context(), killed, webhook.AliveTTL); err != nil || !f.leaseAs(killed, id) {
					t.Fatal("the endpoint cannot be leased", err)
				}
				beat := time.Now()
				f.records(1)
				defer f.runAs(test.next, adapter{f.store})()
				time.Sleep(time.Minute)
				seen := f.receiver.seen()
				if len(seen) != 1 {
					t.Fatalf("%d attempts, want 1", len(seen))
				}
				if after := seen[0].at.Sub(beat); after < test.least || after > test.max {
					t.Errorf("continued after %s", after)
				}
			})
		})
	}
}

// The endpoints of an instance of the release before, which stores no heartbeats, are served once its lease has expired,
// and no sooner.
func TestExpiredLeaseIsTakenOver(t *testing.T) {
	inBubble(t, func(f *fixture) {
		id := f.endpoint("https://one.example")
		if !f.leaseAs("dead", id) {
			t.Fatal("the endpoint cannot be leased")
		}
		leased := time.Now()
		f.records(1)
		defer f.run(adapter{f.store})()
		time.Sleep(time.Minute)
		seen := f.receiver.seen()
		if len(seen) != 1 {
			t.Fatalf("%d attempts, want 1", len(seen))
		}
		if after := seen[0].at.Sub(leased); after < webhook.LeaseTTL || after > webhook.LeaseTTL+2*time.Second {
			t.Errorf("taken over after %s, want %s", after, webhook.LeaseTTL)
		}
	})
}

// A lease is renewed while an attempt takes longer than the lease, so that no other instance
// sends the same delivery.
func TestLeaseIsRenewedDuringAttempt(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.receiver.latency = 14 * time.Second
		id := f.endpoint("https://one.example")
		f.records(1)
		defer f.run(adapter{f.store})()
		for range 13 {
			time.Sleep(time.Second)
			if f.leaseAs("other", id) {
				t.Fatal("another instance got the lease during the attempt")
			}
		}
		time.Sleep(time.Minute)
		if n := len(f.receiver.seen()); n != 1 {
			t.Errorf("%d attempts, want 1", n)
		}
	})
}

// A dispatcher that is stopped finishes the attempts in flight, stores their results, starts no
// others, and releases its leases.
func TestStopFinishesAttemptsInFlight(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.receiver.latency = 3 * time.Second
		id := f.endpoint("https://one.example")
		f.records(10)
		stop := f.run(adapter{f.store})
		time.Sleep(time.Second)
		began := time.Now()
		stop()
		if took := time.Since(began); took > 2*time.Second+time.Millisecond {
			t.Errorf("stopping took %s, want the 2s that were left of the attempts", took)
		}
		if n := len(f.receiver.seen()); n != 2 || count(f.deliveries(id), webhook.Delivered) != 2 {
			t.Errorf("%d attempts, %d delivered; want 2 and 2", n, count(f.deliveries(id), webhook.Delivered))
		}
		if !f.leaseAs("other", id) {
			t.Error("the lease was not released")
		}
	})
}

// An attempt that takes longer than the stop timeout is interrupted and not counted: the next
// dispatcher sends the delivery again.
func TestStopInterruptsSlowAttempts(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.receiver.latency = 14 * time.Second
		id := f.endpoint("https://one.example")
		f.records(1)
		stop := f.run(adapter{f.store})
		time.Sleep(time.Second)
		began := time.Now()
		stop()
		if took := time.Since(began); took < 8*time.Second || took > 9*time.Second {
			t.Errorf("stopping took %s, want 8s", took)
		}
		if d := f.deliveries(id)[0]; d.Status != webhook.Pending || d.Attempts != 0 {
			t.Errorf("got %s after %d attempts", d.Status, d.Attempts)
		}
		f.receiver.latency = 0
		defer f.run(adapter{f.store})()
		time.Sleep(2 * time.Second)
		seen := f.receiver.seen()
		if d := f.deliveries(id)[0]; len(seen) != 2 || seen[0].delivery != seen[1].delivery || d.Status != webhook.Delivered {
			t.Errorf("%+v, %s", seen, d.Status)
		}
	})
}

// lossyStore loses all wakeups.
type lossyStore struct{ adapter }

func (lossyStore) Wakeups() <-chan struct{} { return nil }

// Deliveries whose wakeups were lost are found by polling, within a second.
func TestLostWakeups(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.endpoint("https://one.example")
		defer f.run(lossyStore{adapter{f.store}})()
		time.Sleep(1500 * time.Millisecond)
		f.records(1)
		time.Sleep(time.Second)
		if n := len(f.receiver.seen()); n != 1 {
			t.Errorf("%d attempts, want 1", n)
		}
	})
}

// A wakeup makes a delivery start at once, between two polls.
func TestWakeupStartsAtOnce(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.endpoint("https://one.example")
		defer f.run(adapter{f.store})()
		time.Sleep(1500 * time.Millisecond)
		f.records(1)
		time.Sleep(time.Millisecond)
		if n := len(f.receiver.seen()); n != 1 {
			t.Errorf("%d attempts, want 1", n)
		}
	})
}

// An endpoint that does not answer delays no other.
func TestSlowEndpointDelaysNoOther(t *testing.T) {
	inBubble(t, func(f *fixture) {
		slow := f.receiver
		fast := f.endpoint("https://fast.example")
		f.endpoint("https://slow.example")
		slow.answer = nil
		f.receiver = &receiver{}
		transport := hosts{"fast.example": f.receiver, "slow.example": slow}
		slow.latency = time.Hour
		f.records(20)
		defer f.runOver(f.ids.UUID(), adapter{f.store}, transport)()
		time.Sleep(time.Second)
		if n := count(f.deliveries(fast), webhook.Delivered); n != 20 {
			t.Errorf("%d delivered, want 20", n)
		}
	})
}

// While one in ten of many endpoints hangs, the others get everything within a second: more hang than attempts may begin at a time.
func TestManyHangingEndpointsDelayNoOther(t *testing.T) {
	endpoints := 6000
	if os.Getenv("TIDEWAITER_LONG") != "" {
		endpoints = 10_000
	}
	inBubble(t, func(f *fixture) {
		slow := &receiver{latency: time.Hour}
		for n := range endpoints {
			f.endpoint([]string{"https://slow.example", "https://fast.example"}[min(n%10, 1)])
		}
		f.records(1)
		defer f.runOver(f.ids.UUID(), adapter{f.store}, hosts{"fast.example": f.receiver, "slow.example": slow})()
		time.Sleep(time.Second)
		if fast, hanging := len(f.receiver.seen()), len(slow.seen()); fast != endpoints*9/10 || hanging != endpoints/10 {
			t.Errorf("%d attempts at endpoints that answer, %d at those that hang", fast, hanging)
		}
	})
}

// hosts are receivers by the host of an endpoint.
type hosts map[string]http.RoundTripper

func (h hosts) RoundTrip(r *http.Request) (*http.Response, error) { return h[r.URL.Host].RoundTrip(r) }

// failingStore fails to store results for some time.
type failingStore struct {
	adapter
	failures *atomic.Int32 // left
}

func (s failingStore) CompleteDeliveries(ctx context.Context, all []webhook.Completed) error {
	if s.failures.Add(-1) >= 0 {
		return errors.New("the database is down")
	}
	return s.adapter.CompleteDeliveries(ctx, all)
}

// Results that cannot be stored are stored later, and nothing is sent twice meanwhile.
func TestResultsAreStoredAgain(t *testing.T) {
	inBubble(t, func(f *fixture) {
		id, record := f.endpoint("https://one.example"), f.ids.UUID()
		f.steps(record, 1, 3)
		s := failingStore{adapter{f.store}, &atomic.Int32{}}
		s.failures.Store(10)
		defer f.run(s)()
		time.Sleep(time.Minute)
		if n := len(f.receiver.seen()); n != 3 || count(f.deliveries(id), webhook.Delivered) != 3 {
			t.Errorf("%d attempts, %d delivered; want 3 and 3", n, count(f.deliveries(id), webhook.Delivered))
		}
	})
}
