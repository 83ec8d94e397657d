package lifecycle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// sound is a table with nothing wrong, for the tests to spoil.
func sound() lifecycle.Table {
	return lifecycle.Table{
		Initial: "OPEN", States: []lifecycle.State{"OPEN", "SENT", "DONE"}, Created: "created",
		Edges: []lifecycle.Edge{
			{From: []lifecycle.State{"OPEN"}, By: "send", To: "SENT", Guard: lifecycle.Member, Event: "sent", Then: []lifecycle.Effect{lifecycle.StampSubmitted}},
			{From: []lifecycle.State{"OPEN", "SENT"}, By: "edit", Guard: lifecycle.Member, Event: "edited", Then: []lifecycle.Effect{lifecycle.ReplaceBody}},
			{From: []lifecycle.State{"SENT"}, By: "close", To: "DONE", Guard: lifecycle.Owner, Event: "closed", Then: []lifecycle.Effect{lifecycle.KeepReason}},
			{From: []lifecycle.State{"DONE"}, By: "reopen", To: "OPEN", Guard: lifecycle.System, Event: "reopened"},
		},
	}
}

// Check finds each kind of fault, and all of them at once.
func TestCheck(t *testing.T) {
	if err := sound().Check(); err != nil {
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
		{"unknown end", func(t *lifecycle.Table) { t.Edges[2].To = "LOST" }, []string{"close: unknown state in SENT → LOST", "nothing leads to DONE"}},
		{"unknown guard", func(t *lifecycle.Table) { t.Edges[0].Guard = "everyone" }, []string{`send: unknown guard "everyone"`}},
		{"no guard", func(t *lifecycle.Table) { t.Edges[0].Guard = "" }, []string{`send: unknown guard ""`}},
		{"no event", func(t *lifecycle.Table) { t.Edges[1].Event = "" }, []string{"edit: no event"}},
		{"unknown effect", func(t *lifecycle.Table) { t.Edges[0].Then = []lifecycle.Effect{"send-flowers"} }, []string{`send: unknown effect "send-flowers"`}},
		{"two answers", func(t *lifecycle.Table) {
			*t = t.With(lifecycle.Edge{From: []lifecycle.State{"OPEN"}, By: "send", To: "DONE", Guard: lifecycle.Member, Event: "sent"})
		}, []string{"send: two steps from OPEN"}},
		{"the same start twice", func(t *lifecycle.Table) { t.Edges[0].From = []lifecycle.State{"OPEN", "OPEN"} }, []string{"send: two steps from OPEN"}},
		{"two guards", func(t *lifecycle.Table) {
			*t = t.With(lifecycle.Edge{From: []lifecycle.State{"DONE"}, By: "send", To: "SENT", Guard: lifecycle.Owner, Event: "sent"})
		}, []string{"send: two guards"}},
		{"an island", func(t *lifecycle.Table) { t.States = append(t.States, "LOST") }, []string{"nothing leads to LOST"}},
		{"two islands that lead to each other", func(t *lifecycle.Table) {
			t.States = append(t.States, "HERE", "THERE")
			*t = t.With(
				lifecycle.Edge{From: []lifecycle.State{"HERE"}, By: "go", To: "THERE", Guard: lifecycle.Member, Event: "gone"},
				lifecycle.Edge{From: []lifecycle.State{"THERE"}, By: "go", To: "HERE", Guard: lifecycle.Member, Event: "gone"})
		}, []string{"nothing leads to HERE", "nothing leads to THERE"}},
		{"a state that only keeps itself", func(t *lifecycle.Table) {
			t.States = append(t.States, "LOST")
			t.Edges[1].From = append(t.Edges[1].From, "LOST")
		}, []string{"nothing leads to LOST"}},
		{"a step from nowhere", func(t *lifecycle.Table) { t.Edges[0].From = nil }, []string{"send: starts nowhere"}},
		{"a step without a name", func(t *lifecycle.Table) { t.Edges[0].By = "" }, []string{"a step has no action"}},
		{"a state twice", func(t *lifecycle.Table) { t.States = append(t.States, "DONE") }, []string{"state DONE stands twice"}},
		{"an empty state", func(t *lifecycle.Table) { t.States = append(t.States, "") }, []string{"a state has no name"}},
		{"several at once", func(t *lifecycle.Table) { t.Created, t.Edges[0].Guard = "", "x" }, []string{"the creation has no event", `send: unknown guard "x"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := sound()
			c.spoil(&table)
			err := table.Check()
			if err == nil {
				t.Fatal("nothing found")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in %v", want, err)
				}
			}
		})
	}
}

// A step is found by where it starts and what is done, and nothing else is found.
func TestFind(t *testing.T) {
	table := sound()
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

// The table answers what the API and the documents ask of it.
func TestQuestions(t *testing.T) {
	table := sound()
	equal := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	equal("starts of edit", join(table.From("edit")), "OPEN SENT")
	equal("starts of nothing", join(table.From("fly")), "")
	equal("actions of people", join(table.Actions()), "send edit close")
	equal("events", join(table.Events()), "created sent edited closed reopened")
	equal("guard of close", table.Guard("close"), lifecycle.Owner)
	equal("guard of reopen", table.Guard("reopen"), lifecycle.System)
	equal("guard of an unknown action", table.Guard("fly"), lifecycle.System)
	equal("close keeps a reason", table.HasEffect("close", lifecycle.KeepReason), true)
	equal("send keeps a reason", table.HasEffect("send", lifecycle.KeepReason), false)
	equal("unknown keeps a reason", table.HasEffect("fly", lifecycle.KeepReason), false)
}

// An action of several steps is listed once, with all its starts, and an event of
// several steps once.
func TestSeveralStepsOfOneAction(t *testing.T) {
	table := sound().With(lifecycle.Edge{From: []lifecycle.State{"DONE"}, By: "send", To: "SENT", Guard: lifecycle.Member, Event: "sent"})
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

// Adding steps makes another table and leaves the one that they are added to.
func TestWith(t *testing.T) {
	base := sound()
	base.Edges = slices.Grow(base.Edges, 10)
	one := base.With(lifecycle.Edge{By: "one"})
	two := base.With(lifecycle.Edge{By: "two"})
	if len(base.Edges) != 4 || one.Edges[4].By != "one" || two.Edges[4].By != "two" {
		t.Errorf("%d steps, then %s and %s", len(base.Edges), one.Edges[4].By, two.Edges[4].By)
	}
}

func join[S ~string](names []S) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = string(n)
	}
	return strings.Join(words, " ")
}

// A record has come to its end where nobody can do anything with it but the authority,
// and that leads nowhere else; or where the table says so.
func TestFinal(t *testing.T) {
	table := lifecycle.Regulated.With(
		lifecycle.Edge{From: []lifecycle.State{lifecycle.Accepted}, By: "learn", Guard: lifecycle.System, Event: "learnt"},
		lifecycle.Edge{From: []lifecycle.State{lifecycle.Cancelled}, By: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended"},
		lifecycle.Edge{From: []lifecycle.State{lifecycle.Rejected}, By: "reopen", To: lifecycle.Submitted, Guard: lifecycle.System, Event: "reopened"})
	for state, want := range map[lifecycle.State]bool{
		lifecycle.Draft: false, lifecycle.Submitted: false, lifecycle.Accepted: true, lifecycle.Cancelled: false, lifecycle.Rejected: false,
	} {
		if table.Final(state) != want {
			t.Errorf("%s is final: %t", state, !want)
		}
	}
	table.Ended = []lifecycle.State{lifecycle.Rejected}
	if !table.Final(lifecycle.Rejected) {
		t.Error("the table's word does not count")
	}
	table.Ended = []lifecycle.State{"LOST"}
	if table.Check() == nil {
		t.Error("a final state that is none passes")
	}
}
