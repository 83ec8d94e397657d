package tax

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "tax"

// Kind is the kind of a return, and the prefix of its event types.
const Kind = "tax.return"

// Lifecycle is that of a return: drawn up, drawn up again as long as it is a DRAFT,
// submitted, accepted. Only a DRAFT is ever removed.
var Lifecycle = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Refresh, Guard: lifecycle.Member, Event: "refreshed", Then: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Remove, Guard: lifecycle.Member, Event: "deleted", Then: []lifecycle.Effect{lifecycle.Delete}},
		{
			From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted",
			Then: []lifecycle.Effect{lifecycle.AssignReference, lifecycle.StampSubmitted},
		},
		{From: []lifecycle.State{lifecycle.Submitted}, By: lifecycle.MarkAccepted, To: lifecycle.Accepted, Guard: lifecycle.Owner, Event: "accepted"},
	},
}

// Note says what the reference of a submitted return is, and what to do next.
const Note = "The HMRC reference is a mock, since the organisation is not connected to HMRC (POST /api/tax/connection): the return went nowhere. Mark the return accepted once HMRC has it, and pay what box 5 owes by the due date."

const (
	referenceDigits = "0123456789"
	referenceLength = 12
)

// Reference is a number of the form that HMRC gives a return, its form bundle number.
func Reference(ids *ident.Source, _ time.Time, _ *Return) filing.Reference {
	return filing.Reference{Field: "hmrcReference", Value: ids.Text(referenceDigits, referenceLength)}
}
