package schema_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// organisation has what a walker remembers about one organisation.
type organisation struct {
	id      string
	ids     map[string][]string // by collection
	cursors map[string][]string // by path
	token   string              // of the calendar feed
}

// walker sends requests for one organisation, and has ids of another.
type walker struct {
	*walk
	*maker
	http    http.Client
	callers []caller
	own     *organisation
	other   *organisation
}

// caller is a key, or a value that looks like one.
type caller struct {
	role   string
	header []string
}

func (c caller) introduce(h http.Header) {
	for _, value := range c.header {
		h.Add("Authorization", value)
	}
}

// anyCaller is mostly the owner.
func (w *walker) anyCaller() caller {
	if w.percent(80) {
		return w.callers[0]
	}
	return pick(w.maker, w.callers)
}

var hubs = []string{"customs", "ics2", "gvms", "tss", "emcs", "trade", "cbam", "tax", "corporate"}

// newWalker creates an organisation with its keys, its Hubs and some records of each kind.
func (c *walk) newWalker(t *testing.T, hook string, seed, number uint64, other *organisation) *walker {
	t.Helper()
	var made struct{ OrganisationID, APIKey string }
	c.Read(t, &made, "org", "create", "--name", fmt.Sprintf("Walker %d", number), "--eori", "GB123456789000")
	w := &walker{
		walk: c, other: other, own: &organisation{id: made.OrganisationID, ids: map[string][]string{}, cursors: map[string][]string{}},
		maker:   &maker{Rand: rand.New(rand.NewPCG(seed, number)), now: time.Now().UTC(), hook: hook},
		callers: []caller{{"OWNER", []string{"Bearer " + made.APIKey}}},
		http:    http.Client{Timeout: answerLimit, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
	w.known = w.idOf
	for _, role := range []string{"MEMBER", "VIEWER"} {
		c.Read(t, &made, "key", "create", "--org", w.own.id, "--role", role, "--name", role)
		w.callers = append(w.callers, caller{role, []string{"Bearer " + made.APIKey}})
	}
	w.callers = append(w.callers, caller{}, caller{header: []string{"Bearer svc_none"}}, caller{header: []string{"Basic eDp5", "Bearer"}})
	for _, hub := range hubs {
		_, _ = w.send(&request{operation: operation{method: http.MethodPost}, target: "/api/hubs/" + hub, header: http.Header{"Authorization": w.callers[0].header}})
	}
	w.createRecords()
	return w
}

// createRecords creates a few records of each kind, in the order of their dependencies, and reads all.
func (w *walker) createRecords() {
	const few = 4
	creations := slices.DeleteFunc(slices.Clone(w.operations), func(o operation) bool {
		return o.method != http.MethodPost || strings.Contains(o.path, "{")
	})
	first := []string{"/api/clients", "/api/shipments", "/api/declarations"}
	slices.SortStableFunc(creations, func(a, b operation) int {
		return rank(first, a.path) - rank(first, b.path)
	})
	for _, op := range creations {
		for range few {
			w.try(w.request(op))
		}
	}
	for _, op := range w.operations {
		if op.method == http.MethodGet && !strings.Contains(op.path, "{") {
			w.try(w.request(op))
		}
	}
}

// rank is the index in a list; its length if the value is missing.
func rank(all []string, one string) int {
	if at := slices.Index(all, one); at >= 0 {
		return at
	}
	return len(all)
}

// collections are the paths of the records that a body's member refers to.
var collections = map[string]string{
	"clientId": "/api/clients", "shipmentId": "/api/shipments", "declarationId": "/api/declarations", "periodId": "/api/tax/periods",
}

// idOf is an id for a member of a body.
func (w *walker) idOf(name string) string {
	ids := w.own.ids[collections[name]]
	if w.percent(5) {
		ids = w.other.ids[collections[name]]
	}
	if len(ids) == 0 || w.percent(3) {
		return oddIDs[0]
	}
	return pick(w.maker, ids)
}

// recordID matches the ID of a record, and not what a declaration calls id.
var recordID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// remember stores the ids and cursors of an answer for later requests.
func (w *walker) remember(q *request, a answer) {
	whole, _ := a.value.(map[string]any)
	if next, ok := whole["nextCursor"].(string); ok {
		w.own.cursors[q.operation.path] = kept(w.own.cursors[q.operation.path], next)
	}
	collection, _, _ := strings.Cut(q.operation.path, "/{")
	if strings.HasSuffix(q.operation.path, "/deliveries") {
		collection = q.operation.path
	}
	for _, name := range slices.Sorted(maps.Keys(whole)) {
		switch v := whole[name].(type) {
		case string:
			if name == "id" && recordID.MatchString(v) {
				w.own.ids[collection] = kept(w.own.ids[collection], v)
			}
		case map[string]any:
			w.remember(q, answer{value: v})
			if token, ok := v["token"].(string); ok && name == "feed" {
				w.own.token = token
			}
		case []any:
			for _, one := range v[:min(len(v), 3)] {
				if record, ok := one.(map[string]any); ok && record["id"] != nil && len(whole) <= 3 {
					w.remember(q, answer{value: map[string]any{"id": record["id"]}})
				}
			}
		}
	}
}

// kept appends to a list of limited length.
func kept(all []string, one string) []string {
	if slices.Contains(all, one) {
		return all
	}
	return append(all[max(0, len(all)-keptIDs):], one)
}
