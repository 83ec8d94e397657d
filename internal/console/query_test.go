package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// params are the query parameters of lists and pages.
var params = []string{
	"q", "status", "from", "to", "day", "days", "hub", "when", "rows", "items", "item", "behind", "part", "field", "done", "next", "state", "type", "outcome",
	"kind", "client", "quarter", "month", "actor", "eventType", "resource", "page", "sort", "direction", "step", "year", "period", "view",
}

// odd are values that no page creates.
var odd = []string{"\x00\xff", "9999-12-31", "'\"><script>\u202e" + strings.Repeat("x", 3000)}

// places are invalid page cursors: with times out of range or malformed record IDs.
var places = []string{
	"9223372036854775807.01900000-0000-7000-8000-000000000000", "1y2p0ij32e8e7.01900000-0000-7000-8000-000000000000",
	"1y2p0ij32e8e7-01900000-0000-7000-8000-000000000000:due", "1-x:y", "0000-01-01T00:00:00Z_01900000-0000-7000-8000-000000000000", "zz-\x00:\xff",
}

// No query causes an internal error. The test uses PostgreSQL because it rejects invalid IDs, text
// and timestamps.
func TestOddQueries(t *testing.T) {
	h := open(t, storetest.Postgres(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	for _, r := range console.Table() {
		if r.Method != http.MethodGet || strings.Contains(r.Path, "sign-out") {
			continue
		}
		p, id := routeCases[name(r)], h.app.IDs.UUID()
		if p.hub != "" {
			owner.enable(p.hub)
		}
		if p.record != nil {
			id = p.record(owner)
		}
		for _, q := range oddQueries(id) {
			if a := owner.get(path(r, id) + "?" + q.Encode()); a.status >= http.StatusInternalServerError {
				h.Errorf("%s?%.200s: %d", name(r), q.Encode(), a.status)
			}
		}
	}
}

// oddQueries returns queries that no page creates; some continue after the record with the given ID.
func oddQueries(id string) (all []url.Values) {
	for _, value := range odd {
		q := url.Values{}
		for _, param := range params {
			q.Set(param, value)
		}
		all = append(all, q)
	}
	for _, place := range places {
		all = append(all, url.Values{"after": {place}, "before": {place}})
	}
	for _, at := range []string{"0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"} {
		all = append(all, url.Values{"after": {id}, "at": {at}})
	}
	return all
}
