package webhooks

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// A changed URL and changed events apply from the next event on.
func TestChangesTakeEffect(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		before, after := receive(t, nil), receive(t, nil)
		id, _ := h.endpoint(before.URL)
		h.dispatch(longTimeout)
		one := h.record()
		one.step()
		h.waitFor("before", func() bool { return before.count() == 1 })
		h.set(id, `{"url":"`+after.URL+`"}`)
		one.step()
		h.waitFor("after", func() bool { return after.count() == 1 })
		h.set(id, `{"events":["thing.created"]}`)
		one.step()
		h.record().step()
		h.waitFor("created alone", func() bool { return after.count() == 2 })
		if before.count() != 1 || after.arrivals()[1].Header.Get("X-Service-Event") != "thing.created" {
			t.Errorf("%d before, %v", before.count(), after.arrivals()[1].Header)
		}
	})
}

// After a rotation both secrets sign for a day, then only the new one; a Standard Webhooks library verifies every
// delivery.
func TestRotation(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r := receive(t, nil)
		id, first := h.endpoint(r.URL)
		h.dispatch(longTimeout)
		var second string
		verified := func(a arrival, secret string) bool {
			w, err := standardwebhooks.NewWebhook(secret)
			if err != nil {
				t.Fatal(err)
			}
			return w.VerifyIgnoringTimestamp(a.Body, a.Header) == nil
		}
		next := func() arrival {
			t.Helper()
			n := r.count()
			h.record().step()
			h.waitFor("arrived", func() bool { return r.count() == n+1 })
			return r.arrivals()[n]
		}
		if a := next(); !verified(a, first) {
			t.Errorf("before: %v", a.Header)
		}
		h.update(h.org, func(tx *store.Tx) (err error) { _, second, err = h.service.Rotate(tx, h.call(), id); return err })
		if a := next(); !verified(a, first) || !verified(a, second) || strings.Count(a.Header.Get("X-Service-Signature"), "v1=") != 2 {
			t.Errorf("both: %v", a.Header)
		}
		h.advance(24*time.Hour - time.Minute)
		if a := next(); !verified(a, first) || !verified(a, second) {
			t.Errorf("almost a day later: %v", a.Header)
		}
		h.advance(2 * time.Minute)
		if a := next(); verified(a, first) || !verified(a, second) || strings.Count(a.Header.Get("X-Service-Signature"), "v1=") != 1 {
			t.Errorf("a day later: %v", a.Header)
		}
	})
}

// A deleted endpoint gets nothing more, and its complete log is deleted, and no other's.
func TestDeletedEndpointsLogIsCleared(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r := receive(t, nil)
		gone, _ := h.endpoint(r.URL + "/gone")
		stays, _ := h.endpoint(r.URL+"/stays", "thing.created")
		one := h.record()
		for range 5 {
			one.steps(500)
		}
		h.update(h.org, func(tx *store.Tx) error { return h.service.Delete(tx, h.call(), gone) })
		one.step()
		jobs, err := h.store.LeaseJobs(t.Context(), webhook.ClearQueue, 10, time.Minute)
		if err != nil || len(jobs) != 1 {
			t.Fatalf("%d jobs, %v", len(jobs), err)
		}
		if err := webhook.Clear(storeAdapter{h.store})(context.Background(), jobs[0]); err != nil {
			t.Fatal(err)
		}
		if left, kept := h.deliveries(gone), h.deliveries(stays); len(left) != 0 || len(kept) != 1 {
			t.Errorf("%d left, %d kept", len(left), len(kept))
		}
		h.advance(2 * time.Minute)
		if jobs, err := h.store.LeaseJobs(t.Context(), webhook.ClearQueue, 10, time.Minute); err != nil || len(jobs) != 0 {
			t.Errorf("the job is left: %v, %v", jobs, err)
		}
		h.dispatch(longTimeout)
		h.waitFor("the other's", func() bool { return r.count() == 1 })
	})
}

// Endpoints that no instance holds are returned before those that one holds, however many there are.
func TestUnheldEndpointsComeFirst(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		var ids []string
		for range 4 {
			id, _ := h.endpoint("http://127.0.0.1:9/")
			ids = append(ids, id)
		}
		h.record().step()
		holder := h.ids.UUID()
		for _, id := range ids[:2] {
			if _, held, err := h.store.LeaseEndpoint(t.Context(), webhook.Ref{Org: h.org, EndpointID: id}, holder, webhook.LeaseTTL); !held || err != nil {
				t.Fatal(held, err)
			}
		}
		refs, err := h.store.DueEndpoints(t.Context(), holder, 2)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, r := range refs {
			found = append(found, r.EndpointID)
		}
		slices.Sort(found)
		if !slices.Equal(found, ids[2:]) {
			t.Errorf("%v come first, not %v", found, ids[2:])
		}
	})
}

// Twenty of a hundred endpoints that hang do not delay the others.
func TestHangingEndpointsDelayNoOthers(t *testing.T) {
	const endpoints, hanging, records = 100, 20, 30
	each(t, func(t *testing.T, h *harness) {
		release := make(chan struct{})
		good := receive(t, nil)
		bad := receive(t, func(_ http.ResponseWriter, a arrival, _ int) { a.wait(release) })
		for n := range endpoints {
			url := good.URL
			if n%(endpoints/hanging) == 0 {
				url = bad.URL
			}
			h.endpoint(url)
		}
		for range records {
			h.record().step()
		}
		h.dispatch(longTimeout)
		h.waitFor("all others", func() bool { return good.count() == (endpoints-hanging)*records })
		defer close(release)
		if n := bad.count(); n < hanging || n > 2*hanging {
			t.Errorf("%d concurrent attempts at the hanging endpoints, more than two each", n)
		}
	})
}
