package lifecycle

import (
	"fmt"
	"slices"
	"strings"
)

var (
	guards  = []Guard{Member, Owner, System, SecondPerson}
	effects = []Effect{AssignReference, StampSubmitted, KeepReason, ReplaceBody, Delete, StampArchived, KeepRecord, NeedsApproval, ByAuthority}
)

// Check returns an error that lists everything wrong with a table: unknown states, guards or effects, ambiguous
// transitions, states that cannot be reached.
func (t Table) Check() error {
	c := &check{table: t}
	c.states()
	c.ended()
	for _, e := range t.Edges {
		c.edge(e)
	}
	c.ambiguities()
	c.unreachable()
	if c.problems != nil {
		return fmt.Errorf("lifecycle: %s", strings.Join(c.problems, "; "))
	}
	return nil
}

type check struct {
	table    Table
	problems []string
}

func (c *check) add(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func (c *check) known(s State) bool { return slices.Contains(c.table.States, s) }

func (c *check) states() {
	if !c.known(c.table.Initial) {
		c.add("initial state %q is not among the states", c.table.Initial)
	}
	if c.table.Sent != "" && !c.known(c.table.Sent) {
		c.add("first state of a sent record %q is not among the states", c.table.Sent)
	}
	if c.table.Created == "" {
		c.add("the creation has no event")
	}
	for i, s := range c.table.States {
		if s == "" {
			c.add("a state has no name")
		}
		if slices.Contains(c.table.States[:i], s) {
			c.add("state %s is listed twice", s)
		}
	}
}

func (c *check) ended() {
	for _, s := range c.table.Ended {
		if !c.known(s) {
			c.add("final state %q is not among the states", s)
		}
	}
}

func (c *check) edge(e Edge) {
	if e.Action == "" {
		c.add("a transition has no action")
	}
	if len(e.From) == 0 {
		c.add("%s: no state to start from", e.Action)
	}
	if !slices.Contains(guards, e.Guard) {
		c.add("%s: unknown guard %q", e.Action, e.Guard)
	}
	if e.Guard != c.table.Guard(e.Action) {
		c.add("%s: different guards", e.Action)
	}
	if e.Event == "" {
		c.add("%s: no event", e.Action)
	}
	for _, effect := range e.Effects {
		if !slices.Contains(effects, effect) {
			c.add("%s: unknown effect %q", e.Action, effect)
		}
	}
	for _, from := range e.From {
		if !c.known(from) || !c.known(e.StateAfter(from)) {
			c.add("%s: unknown state in %s → %s", e.Action, from, e.To)
		}
	}
}

// ambiguities finds actions with two transitions from one state.
func (c *check) ambiguities() {
	type pair struct {
		from State
		by   Action
	}
	seen := map[pair]bool{}
	for _, e := range c.table.Edges {
		for _, from := range e.From {
			p := pair{from, e.Action}
			if seen[p] {
				c.add("%s: two transitions from %s", e.Action, from)
			}
			seen[p] = true
		}
	}
}

// unreachable finds states that cannot be reached from those of a new record.
func (c *check) unreachable() {
	reached := []State{c.table.Initial}
	if c.table.Sent != "" {
		reached = append(reached, c.table.Sent)
	}
	for i := 0; i < len(reached); i++ {
		for _, e := range c.table.Edges {
			if to := e.StateAfter(reached[i]); slices.Contains(e.From, reached[i]) && !slices.Contains(reached, to) {
				reached = append(reached, to)
			}
		}
	}
	for _, s := range c.table.States {
		if !slices.Contains(reached, s) {
			c.add("no transition leads to %s", s)
		}
	}
}
