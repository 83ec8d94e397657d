package lifecycle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// validTable returns a valid table.
func validTable() lifecycle.Table {
	return lifecycle.Table{
		Initial: "OPEN", States: []lifecycle.State{"OPEN", "SENT", "DONE"}, Created: "created",
		Edges: []lifecycle.Edge{
			{From: []lifecycle.State{"OPEN"}, Action: "send", To: "SENT", Guard: lifecycle.Member, Event: "sent", Effects: []lifecycle.Effect{lifecycle.StampSubmitted}},
			{From: []lifecycle.State{"OPEN", "SENT"}, Action: "edit", Guard: lifecycle.Member, Event: "edited", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
			{From: []lifecycle.State{"SENT"}, Action: "close", To: "DONE", Guard: lifecycle.Owner, Event: "closed", Effects: []lifecycle.Effect{lifecycle.KeepReason}},
			{From: []lifecycle.State{"DONE"}, Action: "reopen", To: "OPEN", Guard: lifecycle.System, Event: "reopened"},
		},
	}
}

// Check finds each kind of error, and all of them at once.
func TestCheck(t *testing.T) {
	if err := validTable().Check(); err != nil {
		t.Fatal(err)
	}
	if err := lifecycle.Regulated.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*lifecycle.Table)
		want  []string
	}{
		{"no initial state", func(t *lifecycle.Table) { t.Initial = "" }, []string{`initial state "" is not among the states`}},
		{"no first event", func(t *lifecycle.Table) { t.Created = "" }, []string{"the creation has no event"}},
		{"unknown start", func(t *lifecycle.Table) { t.Edges[0].From = []lifecycle.State{"OPEN", "LOST"} }, []string{"send: unknown state in LOST → SENT"}},
		{"unknown end", func(t *lifecycle.Table) { t.Edges[2].To = "LOST" }, []string{"close: unknown state in SENT → LOST", "no transition leads to DONE"}},
		{"unknown guard", func(t *lifecycle.Table) { t.Edges[0].Guard = "everyone" }, []string{`send: unknown guard "everyone"`}},
		{"no guard", func(t *lifecycle.Table) { t.Edges[0].Guard = "" }, []string{`send: unknown guard ""`}},
		{"no event", func(t *lifecycle.Table) { t.Edges[1].Event = "" }, []string{"edit: no event"}},
		{"unknown effect", func(t *lifecycle.Table) { t.Edges[0].Effects = []lifecycle.Effect{"send-flowers"} }, []string{`send: unknown effect "send-flowers"`}},
		{"ambiguous", func(t *lifecycle.Table) {
			*t = t.With(lifecycle.Edge{From: []lifecycle.State{"OPEN"}, Action: "send", To: "DONE", Guard: lifecycle.Member, Event: "sent"})
		}, []string{"send: two transitions from OPEN"}},
		{"the same start twice", func(t *lifecycle.Table) { t.Edges[0].From = []lifecycle.State{"OPEN", "OPEN"} }, []string{"send: two transitions from OPEN"}},
		{"two guards", func(t *lifecycle.Table) {
			*t = t.With(lifecycle.Edge{From: []lifecycle.State{"DONE"}, Action: "send", To: "SENT", Guard: lifecycle.Owner, Event: "sent"})
		}, []string{"send: different guards"}},
		{"an unreachable state", func(t *lifecycle.Table) { t.States = append(t.States, "LOST") }, []string{"no transition leads to LOST"}},
		{"two unreachable states that lead to each other", func(t *lifecycle.Table) {
			t.States = append(t.States, "HERE", "THERE")
			*t = t.With(
				lifecycle.Edge{From: []lifecycle.State{"HERE"}, Action: "go", To: "THERE", Guard: lifecycle.Member, Event: "gone"},
				lifecycle.Edge{From: []lifecycle.State{"THERE"}, Action: "go", To: "HERE", Guard: lifecycle.Member, Event: "gone"})
		}, []string{"no transition leads to HERE", "no transition leads to THERE"}},
		{"an unreachable state with a loop", func(t *lifecycle.Table) {
			t.States = append(t.States, "LOST")
			t.Edges[1].From = append(t.Edges[1].From, "LOST")
		}, []string{"no transition leads to LOST"}},
		{"no state to start from", func(t *lifecycle.Table) { t.Edges[0].From = nil }, []string{"send: no state to start from"}},
		{"no action", func(t *lifecycle.Table) { t.Edges[0].Action = "" }, []string{"a transition has no action"}},
		{"a state twice", func(t *lifecycle.Table) { t.States = append(t.States, "DONE") }, []string{"state DONE is listed twice"}},
		{"an empty state", func(t *lifecycle.Table) { t.States = append(t.States, "") }, []string{"a state has no name"}},
		{"several at once", func(t *lifecycle.Table) { t.Created, t.Edges[0].Guard = "", "x" }, []string{"the creation has no event", `send: unknown guard "x"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := validTable()
			c.spoil(&table)
			err := table.Check()
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in %v", want, err)
				}
			}
		})
	}
}

// Find returns the transition of a state and action, if there is one.
func TestFind(t *testing.T) {
	table := validTable()
	for _, c := range []struct {
		from lifecycle.State
		by   lifecycle.Action
		to   lifecycle.State
	}{
		{"OPEN", "send", "SENT"}, {"OPEN", "edit", "OPEN"}, {"SENT", "edit", "SENT"}, {"SENT", "close", "DONE"}, {"DONE", "reopen", "OPEN"},
		{"SENT", "send", ""}, {"DONE", "edit", ""}, {"OPEN", "close", ""}, {"LOST", "send", ""}, {"OPEN", "", ""}, {"", "send", ""},
	} {
		edge, found := table.Find(c.from, c.by)
		if found != (c.to != "") || found && edge.StateAfter(c.from) != c.to {
			t.Errorf("%s from %s: %+v, %t", c.by, c.from, edge, found)
		}
	}
}

// The methods of a table describe its transitions.
func TestTableMethods(t *testing.T) {
	table := validTable()
	equal := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	equal("starts of edit", join(table.From("edit")), "OPEN SENT")
	equal("starts of an unknown action", join(table.From("fly")), "")
	equal("actions of people", join(table.Actions()), "send edit close")
	equal("events", join(table.Events()), "created sent edited closed reopened")
	equal("guard of close", table.Guard("close"), lifecycle.Owner)
	equal("guard of reopen", table.Guard("reopen"), lifecycle.System)
	equal("guard of an unknown action", table.Guard("fly"), lifecycle.System)
	equal("close keeps a reason", table.HasEffect("close", lifecycle.KeepReason), true)
	equal("send keeps a reason", table.HasEffect("send", lifecycle.KeepReason), false)
	equal("unknown keeps a reason", table.HasEffect("fly", lifecycle.KeepReason), false)
}

// An action or event with several transitions is listed once.
func TestSeveralTransitionsOfOneAction(t *testing.T) {
	table := validTable().With(lifecycle.Edge{From: []lifecycle.State{"DONE"}, Action: "send", To: "SENT", Guard: lifecycle.Member, Event: "sent"})
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	if got := join(table.Actions()); got != "send edit close" {
		t.Errorf("actions: %s", got)
	}
	if got := join(table.From("send")); got != "OPEN DONE" {
		t.Errorf("starts: %s", got)
	}
	if got := join(table.Events()); got != "created sent edited closed reopened" {
		t.Errorf("events: %s", got)
	}
}

// With returns a new table and does not change the original.
func TestWith(t *testing.T) {
	base := validTable()
	base.Edges = slices.Grow(base.Edges, 10)
	one := base.With(lifecycle.Edge{Action: "one"})
	two := base.With(lifecycle.Edge{Action: "two"})
	if len(base.Edges) != 4 || one.Edges[4].Action != "one" || two.Edges[4].Action != "two" {
		t.Errorf("%d transitions, then %s and %s", len(base.Edges), one.Edges[4].Action, two.Edges[4].Action)
	}
}

func join[S ~string](names []S) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = string(n)
	}
	return strings.Join(words, " ")
}

// A state is final if users can do nothing more in it and no transition leads to another state, or if it is in Ended.
func TestFinal(t *testing.T) {
	table := lifecycle.Regulated.With(
		lifecycle.Edge{From: []lifecycle.State{lifecycle.Accepted}, Action: "learn", Guard: lifecycle.System, Event: "learnt"},
		lifecycle.Edge{From: []lifecycle.State{lifecycle.Cancelled}, Action: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended"},
		lifecycle.Edge{From: []lifecycle.State{lifecycle.Rejected}, Action: "reopen", To: lifecycle.Submitted, Guard: lifecycle.System, Event: "reopened"})
	for state, want := range map[lifecycle.State]bool{
		lifecycle.Draft: false, lifecycle.Submitted: false, lifecycle.Accepted: true, lifecycle.Cancelled: false, lifecycle.Rejected: false,
	} {
		if table.Final(state) != want {
			t.Errorf("%s is final: %t", state, !want)
		}
	}
	table.Ended = []lifecycle.State{lifecycle.Rejected}
	if !table.Final(lifecycle.Rejected) {
		t.Error("Ended has no effect")
	}
	table.Ended = []lifecycle.State{"LOST"}
	if table.Check() == nil {
		t.Error("an unknown final state was accepted")
	}
}
