package customs

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Cleared is where a declaration ends well.
const Cleared lifecycle.State = "CLEARED"

// Steps that customs takes, or that its answers prove.
const (
	accept     lifecycle.Action = "accept"     // DMSACC
	clear      lifecycle.Action = "clear"      // DMSCLE
	reject     lifecycle.Action = "reject"     // DMSREJ
	invalidate lifecycle.Action = "invalidate" // DMSINV, a DMSREJ without errors, or one that says expired
	assess     lifecycle.Action = "assess"     // DMSTAX
	receive    lifecycle.Action = "receive"    // DMSRCV
	note       lifecycle.Action = "note"       // anything that changes no state
	askCancel  lifecycle.Action = "request-cancellation"
)

// Steps that repeat what is known: the message came late, or twice over two conversations.
const (
	acceptLate lifecycle.Action = "accept-late"
	clearLate  lifecycle.Action = "clear-late"
	rejectLate lifecycle.Action = "reject-late"
)

// declared is the lifecycle of a declaration. Customs may send its messages in any
// order, so every state that it decides can follow any other; which one holds is
// folded from the whole set of messages (see fold).
var declared = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted, lifecycle.Rejected, Cleared, lifecycle.Cancelled},
	Created: "created",
	Ended:   states(Cleared, lifecycle.Rejected, lifecycle.Cancelled),
	Edges: []lifecycle.Edge{
		{From: states(lifecycle.Draft, lifecycle.Rejected), By: lifecycle.Amend, Guard: lifecycle.Anyone, Event: "amended", Then: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: states(lifecycle.Draft), By: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Anyone, Event: "cancelled"},
		{From: states(lifecycle.Draft, lifecycle.Rejected, lifecycle.Cancelled), By: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Anyone, Event: "submitted", Then: []lifecycle.Effect{lifecycle.StampSubmitted}},
		{From: states(lifecycle.Submitted, lifecycle.Accepted), By: askCancel, Guard: lifecycle.Anyone, Event: "cancellation_requested"},

		{From: states(lifecycle.Submitted, lifecycle.Rejected), By: accept, To: lifecycle.Accepted, Guard: lifecycle.System, Event: "accepted"},
		{From: states(lifecycle.Submitted, lifecycle.Accepted, lifecycle.Rejected), By: clear, To: Cleared, Guard: lifecycle.System, Event: "cleared"},
		{From: states(lifecycle.Submitted, lifecycle.Accepted), By: reject, To: lifecycle.Rejected, Guard: lifecycle.System, Event: "rejected"},
		{From: states(lifecycle.Submitted, lifecycle.Accepted, lifecycle.Rejected, Cleared), By: invalidate, To: lifecycle.Cancelled, Guard: lifecycle.System, Event: "cancelled"},

		{From: told, By: receive, Guard: lifecycle.System, Event: "received"},
		{From: told, By: assess, Guard: lifecycle.System, Event: "tax_assessed"},
		{From: told, By: acceptLate, Guard: lifecycle.System, Event: "accepted"},
		{From: told, By: clearLate, Guard: lifecycle.System, Event: "cleared"},
		{From: told, By: rejectLate, Guard: lifecycle.System, Event: "rejected"},
		{From: told, By: note, Guard: lifecycle.System, Event: "noted"},
	},
}

// told are the states in which customs may still have something to say.
var told = states(lifecycle.Submitted, lifecycle.Accepted, lifecycle.Rejected, Cleared, lifecycle.Cancelled, lifecycle.Draft)

func states(s ...lifecycle.State) []lifecycle.State { return s }

// steps lead to the state that the messages prove.
var steps = map[lifecycle.State]lifecycle.Action{
	lifecycle.Accepted: accept, Cleared: clear, lifecycle.Rejected: reject, lifecycle.Cancelled: invalidate,
}

// asides tell of a message that changes no state, by function code.
var asides = map[string]lifecycle.Action{
	"01": acceptLate, "02": receive, "03": rejectLate, "09": clearLate, "13": assess,
}
