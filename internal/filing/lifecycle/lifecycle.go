// Package lifecycle describes the states of a record and the transitions between them as plain data: a table that can be
// checked, printed and drawn. Transitions that are not in the table are rejected.
package lifecycle

import (
	"cmp"
	"slices"
)

// State is the state of a record, such as SUBMITTED.
type State string

// Action is the name of a transition, such as mark-accepted.
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
	Refresh      Action = "refresh" // computes the record again
	Remove       Action = "remove"  // deletes a record

	AskApproval Action = "ask-approval" // asks a second person to approve what would be sent
	Approve     Action = "approve"      // by a second person
)

// Guard is the role that a transition requires.
type Guard string

// All guards.
const (
	Member Guard = "member" // every member with write access
	Owner  Guard = "owner"  // only an OWNER
	System Guard = "system" // only the service: an authority's message or a timer

	SecondPerson Guard = "second person" // a member in a console session who neither made nor last changed the record
)

// Effect is a change that a transition makes to the record, apart from its state.
type Effect string

// All effects.
const (
	AssignReference Effect = "assign-reference" // adds the authority's reference
	StampSubmitted  Effect = "stamp-submitted"  // sets submittedAt
	KeepReason      Effect = "keep-reason"      // stores the reason that was given
	ReplaceBody     Effect = "replace-body"     // stores the corrected input
	Delete          Effect = "erase"            // deletes the record but not its events
	StampArchived   Effect = "stamp-archived"   // sets archivedAt, or removes it if the record leaves ARCHIVED
	NeedsApproval   Effect = "needs-approval"   // sends something besides a submission that an organisation may have to approve
	KeepRecord      Effect = "keep-record"      // changes nothing in the record: there is only the event
	ByAuthority     Effect = "by-authority"     // is possible only for records that are connected with their authority, which has to accept it
)

// Edge is a transition from any of the states From to the state To, by an action.
type Edge struct {
	From    []State
	Action  Action
	To      State // empty if the state does not change
	Guard   Guard
	Event   string // past tense; the event type is the kind, a dot and this, such as tss.declaration.submitted
	Type    string // event type, if it is not that; its last part is Event
	About   string // when the event happens, if its name does not say it
	Effects []Effect
}

// EventType returns the type of the event of a record of a kind.
func (e Edge) EventType(kind string) string { return cmp.Or(e.Type, kind+"."+e.Event) }

// Has reports whether the transition has an effect.
func (e Edge) Has(effect Effect) bool { return slices.Contains(e.Effects, effect) }

// StateAfter returns the state after the transition.
func (e Edge) StateAfter(from State) State {
	if e.To == "" {
		return from
	}
	return e.To
}

// Table is a whole lifecycle.
type Table struct {
	Initial State
	Sent    State // of a new record that is sent to its authority at once; empty for kinds that have none
	States  []State
	Created string // past tense of the first event, such as "created"
	Edges   []Edge
	Ended   []State // count as final although transitions lead on
}

// Find returns the transition of an action from a state.
func (t Table) Find(from State, by Action) (Edge, bool) {
	for _, e := range t.Edges {
		if e.Action == by && slices.Contains(e.From, from) {
			return e, true
		}
	}
	return Edge{}, false
}

// From returns the states from which an action is possible.
func (t Table) From(by Action) []State {
	var states []State
	for _, e := range t.Edges {
		if e.Action == by {
			states = append(states, e.From...)
		}
	}
	return states
}

// FromAlone returns the states from which an action is possible without the authority of the record.
func (t Table) FromAlone(by Action) []State {
	alone := t
	alone.Edges = slices.DeleteFunc(slices.Clone(t.Edges), func(e Edge) bool { return e.Has(ByAuthority) })
	return alone.From(by)
}

// Final reports whether a state is final: users can do nothing more with the record, and no transition leads to another
// state.
func (t Table) Final(s State) bool {
	if slices.Contains(t.Ended, s) {
		return true
	}
	return !slices.ContainsFunc(t.Edges, func(e Edge) bool {
		return slices.Contains(e.From, s) && (e.Guard != System || e.StateAfter(s) != s)
	})
}

// Actions returns the actions with which users change records, in the order of the table.
func (t Table) Actions() []Action {
	var actions []Action
	for _, e := range t.Edges {
		if e.Guard != System && !e.Has(KeepRecord) && !slices.Contains(actions, e.Action) {
			actions = append(actions, e.Action)
		}
	}
	return actions
}

// Guard returns the guard of an action. All edges of an action have the same.
func (t Table) Guard(by Action) Guard {
	for _, e := range t.Edges {
		if e.Action == by {
			return e.Guard
		}
	}
	return System
}

// HasEffect reports whether any transition of an action has an effect.
func (t Table) HasEffect(by Action, effect Effect) bool {
	return slices.ContainsFunc(t.Edges, func(e Edge) bool { return e.Action == by && e.Has(effect) })
}

// Events returns the past-tense names of all events.
func (t Table) Events() []string {
	events := []string{t.Created}
	for _, e := range t.Edges {
		if !slices.Contains(events, e.Event) {
			events = append(events, e.Event)
		}
	}
	return events
}

// With returns the table with additional transitions.
func (t Table) With(edges ...Edge) Table {
	t.Edges = append(slices.Clone(t.Edges), edges...)
	return t
}

// Regulated is the lifecycle of most filings: a draft is corrected and submitted, and then accepted or rejected by the
// authority.
var Regulated = Table{
	Initial: Draft,
	States:  []State{Draft, Submitted, Accepted, Rejected, Cancelled},
	Created: "created",
	Edges: []Edge{
		{From: []State{Draft}, Action: Amend, Guard: Member, Event: "amended", Effects: []Effect{ReplaceBody}},
		{From: []State{Draft}, Action: Submit, To: Submitted, Guard: Member, Event: "submitted", Effects: []Effect{AssignReference, StampSubmitted}},
		{From: []State{Submitted}, Action: MarkAccepted, To: Accepted, Guard: Owner, Event: "accepted"},
		{From: []State{Submitted}, Action: MarkRejected, To: Rejected, Guard: Owner, Event: "rejected", Effects: []Effect{KeepReason}},
		{From: []State{Draft, Submitted}, Action: Cancel, To: Cancelled, Guard: Member, Event: "cancelled"},
	},
}
