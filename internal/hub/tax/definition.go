package tax

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the ID of this Hub.
const HubID = "tax"

// Kind is the kind of returns, and the prefix of their event types.
const Kind = "tax.return"

// Lifecycle is the lifecycle of a return. A DRAFT can be computed again or deleted.
var Lifecycle = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Refresh, Guard: lifecycle.Member, Event: "refreshed", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Remove, Guard: lifecycle.Member, Event: "deleted", Effects: []lifecycle.Effect{lifecycle.Delete}},
		{
			From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted",
			Effects: []lifecycle.Effect{lifecycle.AssignReference, lifecycle.StampSubmitted},
		},
		{From: []lifecycle.State{lifecycle.Submitted}, Action: lifecycle.MarkAccepted, To: lifecycle.Accepted, Guard: lifecycle.Owner, Event: "accepted"},
	},
}

// Note explains the reference of a submitted return and what to do next.
const Note = "The HMRC reference is a mock, since the organisation is not connected to HMRC (POST /api/tax/connection): the return went nowhere. Mark the return accepted once HMRC has it, and pay what box 5 owes by the due date."

const (
	referenceDigits = "0123456789"
	referenceLength = 12
)

// Reference generates a reference in the format of HMRC's form bundle number.
func Reference(ids *ident.Source, _ time.Time, _ *Return) filing.Reference {
	return filing.Reference{Field: "hmrcReference", Value: ids.Text(referenceDigits, referenceLength)}
}
