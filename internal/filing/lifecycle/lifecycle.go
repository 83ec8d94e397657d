// Package lifecycle holds the states of a record and the steps between them as
// plain data: a table that can be checked, printed and drawn, and that refuses
// every step it has not got.
package lifecycle

import "slices"

// State is where a record stands, such as SUBMITTED.
type State string

// Action is a step that somebody takes, such as mark-accepted.
type Action string

// States that most filings share.
const (
	Draft     State = "DRAFT"
	Submitted State = "SUBMITTED"
	Accepted  State = "ACCEPTED"
	Rejected  State = "REJECTED"
	Cancelled State = "CANCELLED"
)

// Actions that most filings share.
const (
	Submit       Action = "submit"
	Cancel       Action = "cancel"
	Amend        Action = "amend"
	MarkAccepted Action = "mark-accepted"
	MarkRejected Action = "mark-rejected"
	Refresh      Action = "refresh" // draws up anew what the service draws up
	Remove       Action = "remove"  // takes a record away
)

// Guard says who may take a step.
type Guard string

// The guards there are.
const (
	Member Guard = "member" // whoever may write
	Owner  Guard = "owner"  // the OWNER alone
	System Guard = "system" // customs or a timer, never a user
)

// Effect is what a step does to the record besides changing its state.
type Effect string

// The effects there are.
const (
	AssignReference Effect = "assign-reference" // gives the record the reference of its authority
	StampSubmitted  Effect = "stamp-submitted"  // sets submittedAt
	KeepReason      Effect = "keep-reason"      // keeps the reason that was given
	ReplaceBody     Effect = "replace-body"     // takes the corrected input
	Delete          Effect = "erase"            // takes the record away; its events stay
)

// Edge is one step: from any of the states From, By an action, To a state.
type Edge struct {
	From  []State
	By    Action
	To    State // empty: the state stays
	Guard Guard
	Event string // past tense; the event type is the kind and this, such as tss.declaration.submitted
	Then  []Effect
}

// Has tells whether the step carries an effect.
func (e Edge) Has(effect Effect) bool { return slices.Contains(e.Then, effect) }

// StateAfter is the state after the step.
func (e Edge) StateAfter(from State) State {
	if e.To == "" {
		return from
	}
	return e.To
}

// Table is a whole lifecycle.
type Table struct {
	Initial State
	States  []State
	Created string // past tense of the first event, such as "created"
	Edges   []Edge
	Ended   []State // count as final though a step could still lead on
}

// Find gives the step that an action takes from a state.
func (t Table) Find(from State, by Action) (Edge, bool) {
	for _, e := range t.Edges {
		if e.By == by && slices.Contains(e.From, from) {
			return e, true
		}
	}
	return Edge{}, false
}

// From lists the states that an action starts from.
func (t Table) From(by Action) []State {
	var states []State
	for _, e := range t.Edges {
		if e.By == by {
			states = append(states, e.From...)
		}
	}
	return states
}

// Final tells whether a record in a state has come to its end: nobody but the authority
// can still do anything with it, and nothing leads on.
func (t Table) Final(s State) bool {
	if slices.Contains(t.Ended, s) {
		return true
	}
	return !slices.ContainsFunc(t.Edges, func(e Edge) bool {
		return slices.Contains(e.From, s) && (e.Guard != System || e.StateAfter(s) != s)
	})
}

// Actions lists the steps that a person can take, in the order of the table.
func (t Table) Actions() []Action {
	var actions []Action
	for _, e := range t.Edges {
		if e.Guard != System && !slices.Contains(actions, e.By) {
			actions = append(actions, e.By)
		}
	}
	return actions
}

// Guard gives who may take an action; every edge of one action has the same.
func (t Table) Guard(by Action) Guard {
	for _, e := range t.Edges {
		if e.By == by {
			return e.Guard
		}
	}
	return System
}

// HasEffect tells whether any step of an action carries an effect.
func (t Table) HasEffect(by Action, effect Effect) bool {
	return slices.ContainsFunc(t.Edges, func(e Edge) bool { return e.By == by && e.Has(effect) })
}

// Events lists the past-tense names of everything that happens in the table.
func (t Table) Events() []string {
	events := []string{t.Created}
	for _, e := range t.Edges {
		if !slices.Contains(events, e.Event) {
			events = append(events, e.Event)
		}
	}
	return events
}

// With is the table with more steps.
func (t Table) With(edges ...Edge) Table {
	t.Edges = append(slices.Clone(t.Edges), edges...)
	return t
}

// Regulated is the lifecycle that most filings share: a draft is corrected,
// submitted, and then accepted or rejected by the authority.
var Regulated = Table{
	Initial: Draft,
	States:  []State{Draft, Submitted, Accepted, Rejected, Cancelled},
	Created: "created",
	Edges: []Edge{
		{From: []State{Draft}, By: Amend, Guard: Member, Event: "amended", Then: []Effect{ReplaceBody}},
		{From: []State{Draft}, By: Submit, To: Submitted, Guard: Member, Event: "submitted", Then: []Effect{AssignReference, StampSubmitted}},
		{From: []State{Submitted}, By: MarkAccepted, To: Accepted, Guard: Owner, Event: "accepted"},
		{From: []State{Submitted}, By: MarkRejected, To: Rejected, Guard: Owner, Event: "rejected", Then: []Effect{KeepReason}},
		{From: []State{Draft, Submitted}, By: Cancel, To: Cancelled, Guard: Member, Event: "cancelled"},
	},
}
