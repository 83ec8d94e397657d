package console_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// stopIndexers keeps the indexers from working until the end of a test.
func (h *harness) stopIndexers() {
	h.Helper()
	ended := make(chan struct{})
	h.Cleanup(func() { close(ended) })
	for _, name := range []string{"search", "search of all records"} {
		held := make(chan error)
		go func() {
			for ran := false; !ran; {
				var err error
				if ran, err = h.app.Store.Exclusive(context.Background(), name, func(context.Context) error { held <- nil; <-ended; return nil }); err != nil {
					held <- err
					return
				}
				time.Sleep(time.Millisecond) // the indexer has it for a moment
			}
		}()
		h.must(<-held)
	}
}

// While a long index is being made, pages that search answer and say so: lists, the palette and the timeline of a shipment. Nothing can be
// done with all declarations that match.
func TestPagesWhileTheIndexIsMade(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		shipment, _ := p.recordsOf(p.declare("Woollen socks"))
		const said = "The search index is still being made, and has come to "
		for _, path := range []string{"/declarations?q=walrus", "/palette?q=walrus", "/shipments/" + shipment + "/timeline"} {
			if page := p.get(path); page.status != http.StatusOK || strings.Contains(page.body, said) {
				t.Errorf("%s: %d, although the index is complete, %s", path, page.status, said)
			}
		}
		h.stopIndexers()
		ids := ident.NewSource(rand.Reader, time.Now)
		for range 40 { // more events than the searches below index together
			h.must(h.app.Store.Update(t.Context(), p.org, func(tx *store.Tx) error {
				for range 300 {
					if err := tx.Record(audit.Event{ID: ids.UUID(), Hub: "customs", Type: "client.updated", ResourceType: "client", ResourceID: shipment}); err != nil {
						return err
					}
				}
				return nil
			}))
		}
		late := p.declare("Cotton shirts")
		list := p.get("/declarations?q=shirts")
		list.expect(h, http.StatusOK, said, "may be found by their references only", "No results")
		p.get("/declarations?type=IMPORT").expect(h, http.StatusOK, said, "Woollen socks")
		p.get("/palette?q=walrus").expect(h, http.StatusOK, said)
		p.get("/shipments/"+shipment+"/timeline").expect(h, http.StatusOK, said, "Timeline of")
		p.post("/marked", "kind", "declaration", "action", "cancel", "all", "yes", "query", "q=socks").expect(h, http.StatusConflict, said, "Mark declarations in the list instead")
		p.get("/declarations").expect(h, http.StatusOK, fmt.Sprintf("/declarations/%s", late))
	})
}
