package webhooks

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// hotStatements are parts of the statements that every event costs, from the change to the stored result.
var hotStatements = []string{
	"INSERT INTO notices ", "INSERT INTO deliveries ", "FROM endpoints e WHERE e.active", "UPDATE endpoints SET holder = $3", "JOIN notices n", "UPDATE deliveries SET",
	"INSERT INTO dispatchers ", "failing_since = $3", "SET holder = NULL",
}

// The statements that bring an event to its receiver read no more rows in a large organisation than in a small one: on an empty database, without
// statistics, and on a full one.
func TestPlansOfDeliveries(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		h := open(t, b)
		r := receive(t, func(w http.ResponseWriter, _ arrival, nth int) {
			if nth == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		id, _ := h.endpoint(r.URL)
		stop := h.dispatch(longTimeout)
		one := h.record()
		one.steps(2)
		h.waitFor("failed", func() bool { return h.deliveries(id)[0].Attempts == 1 })
		h.set(id, patient)
		h.waitFor("delivered", func() bool { h.retryNow(id); return delivered(h, id) == 2 })
		h.set(id, `{"active":false}`)
		one.step()
		h.set(id, `{"active":true}`)
		h.waitFor("resumed", func() bool { return delivered(h, id) == 3 })
		stop()
		if _, err := h.recover(id, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if _, err := h.store.DueEndpoints(t.Context(), h.ids.UUID(), 1); err != nil {
			t.Fatal(err)
		}
		if err := h.store.DropDispatchers(t.Context()); err != nil {
			t.Fatal(err)
		}
		statements := slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool {
			return !strings.Contains(query, "deliveries") && !strings.Contains(query, "endpoints") && !strings.Contains(query, "notices") && !strings.Contains(query, "dispatchers")
		})
		for _, hot := range hotStatements {
			if !slices.ContainsFunc(statements, func(query string) bool { return strings.Contains(query, hot) }) {
				t.Errorf("no statement was asked for that has %q", hot)
			}
		}
		storetest.CheckPlansOf(t, b.Name, statements)
	})
}
