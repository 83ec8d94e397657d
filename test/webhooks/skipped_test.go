package webhooks

import (
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// A delivery that waited for the second attempt of an earlier event is sent before later ones, although the
// dispatcher is far behind and has read past it.
func TestSkippedDeliveriesKeepTheirOrder(t *testing.T) {
	const many = 600 // events: more than two pages
	each(t, func(t *testing.T, h *harness) {
		release := make(chan struct{})
		one, before, after := h.record(), h.record(), h.record()
		var failed atomic.Bool
		r := receive(t, func(w http.ResponseWriter, a arrival, _ int) {
			switch {
			case a.Record == before.id:
				a.wait(release)
			case a.Record == one.id && failed.CompareAndSwap(false, true):
				w.WriteHeader(500)
			}
		})
		id, _ := h.endpoint(r.URL)
		one.steps(2)
		before.steps(many)
		h.dispatch(longTimeout)
		h.waitFor("failed once", func() bool { return h.deliveries(id)[0].Attempts == 1 })
		h.advance(7 * time.Second)
		after.steps(many)
		one.step()
		close(release)
		h.waitFor("all", func() bool { return r.count() == 2*many+4 })
		if got := r.steps(one.id); !slices.Equal(got, []int{1, 1, 2, 3}) {
			t.Errorf("out of order: %v", got)
		}
	})
}
