package emcs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "emcs"

// States and steps of a movement besides those that all filings share.
const (
	InTransit lifecycle.State = "IN_TRANSIT"
	Delivered lifecycle.State = "DELIVERED"

	MarkDispatched lifecycle.Action = "mark-dispatched"
	MarkDelivered  lifecycle.Action = "mark-delivered"
)

// course is the life of a movement: accepted, it may still be cancelled until the
// goods set out; delivered, it is over.
var course = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted, InTransit, Delivered, lifecycle.Rejected, lifecycle.Cancelled},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Then: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted", Then: []lifecycle.Effect{lifecycle.AssignReference, lifecycle.StampSubmitted}},
		{From: []lifecycle.State{lifecycle.Submitted}, By: lifecycle.MarkAccepted, To: lifecycle.Accepted, Guard: lifecycle.Owner, Event: "accepted"},
		{From: []lifecycle.State{lifecycle.Submitted}, By: lifecycle.MarkRejected, To: lifecycle.Rejected, Guard: lifecycle.Owner, Event: "rejected", Then: []lifecycle.Effect{lifecycle.KeepReason}},
		{From: []lifecycle.State{lifecycle.Accepted}, By: MarkDispatched, To: InTransit, Guard: lifecycle.Owner, Event: "dispatched"},
		{From: []lifecycle.State{InTransit}, By: MarkDelivered, To: Delivered, Guard: lifecycle.Owner, Event: "delivered"},
		{From: []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted}, By: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Member, Event: "cancelled"},
	},
}

// Adds is what the service adds to a movement.
type Adds struct {
	ARC         string `json:"arc,omitempty" doc:"Administrative reference code, once submitted" example:"26GB00000000003789214"`
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	Reason      string `json:"reason,omitempty" doc:"Why it was rejected"`
}

// Movements are the Hub's kind of filing.
var Movements = filing.Definition[Movement]{
	Kind: "emcs.movement", Hub: HubID, Path: "/api/emcs/movements", One: "movement", Many: "movements", Tag: "EMCS",
	About:      "Excise goods that travel with their duty unpaid, between warehouses or out of the country. Each needs its electronic document (e-AD) before it sets out.",
	MainFields: []string{"productDescription", "category", "consigneeName", "scheduledDispatchAt", "arc"},
	Lifecycle:  course, Rules: Rules, Adds: Adds{}, Deadlines: due,
	Reference: func(ids *ident.Source, now time.Time, _ *Movement) filing.Reference {
		return filing.Reference{Field: "arc", Value: ids.ARC(now.Year(), "GB")}
	},
	Note: "The ARC is a mock until the live connection to EMCS exists. Mark the movement accepted once EMCS has validated it, dispatched when the goods set out, and delivered when the report of receipt has come.",
}
