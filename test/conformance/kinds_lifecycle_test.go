package conformance

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Every transition of every kind does what its table says, once and with one event, for the permitted roles; every
// other one changes nothing.
func TestLifecycles(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		crew := roleCallers{owner, owner.as("MEMBER"), owner.as("VIEWER")}
		for _, s := range hubKinds(t) {
			owner.call("POST", "/api/hubs/"+s.Hub, nil).want(t, 200)
			for _, state := range s.Lifecycle.States {
				way, ok := s.shortestPath(state)
				if !ok && s.decidedByAuthority(state) {
					continue
				}
				if !ok {
					t.Errorf("%s: no transitions lead to %s", s.Kind, state)
					continue
				}
				actions := s.Lifecycle.Actions()
				for i, id := range s.advance(owner, way, len(actions)) {
					crew.tryTransition(t, s, id, state, actions[i])
				}
			}
		}
	})
}

// roleCallers has a caller of each role in an organisation.
type roleCallers struct{ owner, member, viewer *caller }

// tryTransition tries a transition as roles that may not perform it, and then as one that may.
func (c roleCallers) tryTransition(t *testing.T, s hubKind, id string, state lifecycle.State, by lifecycle.Action) {
	t.Helper()
	s.transition(c.viewer, id, by).refused(t, 403, "read_only_key")
	who := c.member
	if s.Lifecycle.Guard(by) == lifecycle.Owner {
		s.transition(c.member, id, by).refused(t, 403, "owner_role_required")
		who = c.owner
	}
	before := s.latest(c.owner)
	a := s.transition(who, id, by)
	after := s.latest(c.owner)
	edge, ok := s.Lifecycle.Find(state, by)
	if !ok || edge.Has(lifecycle.ByAuthority) { // these records have no authority
		a.refused(t, 400, "invalid_state")
		if len(after) > 0 && after[0]["id"] != before[0]["id"] {
			t.Errorf("%s: %s in %s was refused and created the event %v", s.Kind, by, state, after[0])
		}
		return
	}
	if got := a.want(t, 200).in(s.Singular, "status"); got != string(edge.StateAfter(state)) {
		t.Errorf("%s: %s in %s led to %v, want %s", s.Kind, by, state, got, edge.StateAfter(state))
	}
	e := after[0]
	if e["eventType"] != s.Kind+"."+edge.Event || e["resourceId"] != id || e["fromStatus"] != string(state) || e["toStatus"] != string(edge.StateAfter(state)) {
		t.Errorf("%s: %s in %s created the event %v", s.Kind, by, state, e)
	}
	if after[1]["id"] != before[0]["id"] {
		t.Errorf("%s: %s in %s created more than one event: %v", s.Kind, by, state, after)
	}
}

// latest are the last events of a kind, without events of refusals.
func (s hubKind) latest(c *caller) []map[string]any {
	return slices.DeleteFunc(c.events("limit=20&hub="+s.Hub), func(e map[string]any) bool {
		return !strings.HasPrefix(e["eventType"].(string), s.Kind+".") || e["toStatus"] == nil
	})
}

// byTime stands for the transition caused by time.
const byTime lifecycle.Action = ""

// shortestPath returns the transitions to a state.
func (s hubKind) shortestPath(to lifecycle.State) ([]lifecycle.Action, bool) {
	ways := map[lifecycle.State][]lifecycle.Action{s.Lifecycle.Initial: {}}
	for reached := []lifecycle.State{s.Lifecycle.Initial}; len(reached) > 0; reached = reached[1:] {
		from := reached[0]
		for _, e := range s.Lifecycle.Edges {
			next := e.StateAfter(from)
			if _, known := ways[next]; known || !slices.Contains(e.From, from) || e.Guard == lifecycle.System && s.late == nil {
				continue
			}
			by := e.Action
			if e.Guard == lifecycle.System {
				by = byTime
			}
			ways[next] = append(slices.Clone(ways[from]), by)
			reached = append(reached, next)
		}
	}
	way, ok := ways[to]
	return way, ok
}

// decidedByAuthority reports whether only messages of the authority lead to a state.
func (s hubKind) decidedByAuthority(state lifecycle.State) bool {
	return s.late == nil && !slices.ContainsFunc(s.Lifecycle.Edges, func(e lifecycle.Edge) bool { return e.To == state && e.Guard != lifecycle.System })
}

// advance creates filings and applies transitions to them.
func (s hubKind) advance(c *caller, way []lifecycle.Action, number int) (ids []string) {
	c.t.Helper()
	body := s.body()
	if slices.Contains(way, byTime) {
		body = s.with(s.late)
	}
	for range number {
		ids = append(ids, c.call("POST", s.Path, body).want(c.t, s.made()).id())
	}
	for _, by := range way {
		if by == byTime {
			s.awaitTime(c, ids)
			continue
		}
		for _, id := range ids {
			s.transition(c, id, by).want(c.t, 200)
		}
	}
	return ids
}

// awaitTime starts another process, because each looks for due timers at its start, and waits until each filing's
// timer has been applied.
func (s hubKind) awaitTime(c *caller, ids []string) {
	c.t.Helper()
	status := func(id string) any { return c.call("GET", s.Path+"/"+id, nil).want(c.t, 200).in(s.Singular, "status") }
	begun := status(ids[0])
	c.restart()
	for _, id := range ids {
		for until := time.Now().Add(waitLimit); status(id) == begun; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(until) {
				c.t.Fatalf("%s: no timer was applied within %s", s.Kind, waitLimit)
			}
		}
	}
}

// Without the Hub a caller can neither list nor create; existing records can be read.
func TestHubsMustBeEnabled(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for _, s := range hubKinds(t) {
			guarded := func() {
				c.call("GET", s.Path, nil).refused(t, 402, "hub_not_enabled")
				c.call("POST", s.Path, s.body()).refused(t, 402, "hub_not_enabled")
			}
			guarded()
			c.call("POST", "/api/hubs/"+s.Hub, nil).want(t, 200)
			id := c.call("POST", s.Path, s.body()).want(t, s.made()).id()
			c.call("DELETE", "/api/hubs/"+s.Hub, nil).want(t, 200)
			guarded()
			c.call("GET", s.Path+"/"+id, nil).want(t, 200)
			c.call("POST", "/api/hubs/"+s.Hub, nil).want(t, 200)
			if a := c.call("GET", s.Path+"?status="+string(s.Lifecycle.Initial), nil).want(t, 200); len(a.in(s.Plural).([]any)) != 1 {
				t.Errorf("%s: %s", s.Kind, a.text)
			}
			if last := s.Lifecycle.States[len(s.Lifecycle.States)-1]; last != s.Lifecycle.Initial {
				if a := c.call("GET", s.Path+"?status="+string(last), nil).want(t, 200); len(a.in(s.Plural).([]any)) != 0 {
					t.Errorf("%s: %s", s.Kind, a.text)
				}
			}
			c.call("GET", s.Path+"?status=LOST", nil).refused(t, 400, "invalid_request")
		}
	})
}

// The document's example of each kind is a correct filing: its review has no warnings, and is the same each time.
func TestExamplesHaveNoWarnings(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for _, s := range hubKinds(t) {
			if len(s.Rules) == 0 {
				continue
			}
			c.call("POST", "/api/hubs/"+s.Hub, nil).want(t, 200)
			example := p.example(s)
			one := s.Path + "/" + c.call("POST", s.Path, example).want(t, s.made()).id()
			reviewed := c.call("POST", one+"/review", nil).want(t, 200)
			for _, f := range reviewed.in("review", "findings").([]any) {
				if f.(map[string]any)["severity"] != "info" {
					t.Errorf("%s: %v", s.Kind, f)
				}
			}
			if a := c.call("POST", one+"/review", nil); a.text != reviewed.text {
				t.Errorf("%s: two reviews of the same filing differ", s.Kind)
			}
		}
	})
}

// example is a filing made of the document's examples, with dates moved so that it is due in six days: EMCS accepts no draft earlier than seven.
func (p *server) example(s hubKind) map[string]any {
	body := maps.Clone(p.document.Paths.Find(s.Path).Post.RequestBody.Value.Content["application/json"].Example.(map[string]any))
	if s.due == "" {
		return body
	}
	due, err := time.Parse(time.RFC3339, body[s.due].(string))
	if err != nil {
		p.t.Fatal(err)
	}
	return moved(body, int(time.Until(due.AddDate(0, 0, -6)).Hours()/24)).(map[string]any)
}

// moved is a value with all dates moved back by some days.
func moved(v any, days int) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			out[name] = moved(member, days)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = moved(v[i], days)
		}
		return out
	case string:
		for _, form := range []string{time.RFC3339, time.DateOnly} {
			if at, err := time.Parse(form, v); err == nil {
				return at.AddDate(0, 0, -days).Format(form)
			}
		}
	}
	return v
}

// The body of one kind is refused by another.
func TestBodiesOfAnotherHub(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		kinds := hubKinds(t)
		for _, s := range kinds {
			c.call("POST", "/api/hubs/"+s.Hub, nil).want(t, 200)
			for _, other := range kinds {
				if other.Kind != s.Kind {
					c.call("POST", s.Path, other.body()).refused(t, 400, "invalid_request")
				}
			}
		}
	})
}
