package emcs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/ownreference"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "emcs"

// States and actions of a movement besides the common ones.
const (
	InTransit lifecycle.State = "IN_TRANSIT"
	Delivered lifecycle.State = "DELIVERED"

	MarkDispatched lifecycle.Action = "mark-dispatched"
	MarkDelivered  lifecycle.Action = "mark-delivered"

	// LearnMessage records a message of HMRC that does not change the state.
	LearnMessage lifecycle.Action = "learn-message"

	learnAcceptance   lifecycle.Action = "learn-acceptance"
	learnDispatch     lifecycle.Action = "learn-dispatch"
	learnDelivery     lifecycle.Action = "learn-delivery"
	learnCancellation lifecycle.Action = "learn-cancellation"
	learnRefusal      lifecycle.Action = "learn-refusal"
)

// states is the lifecycle of a movement. An accepted movement can be cancelled until dispatch.
var course = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted, InTransit, Delivered, lifecycle.Rejected, lifecycle.Cancelled},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted", Effects: []lifecycle.Effect{lifecycle.AssignReference, lifecycle.StampSubmitted}},
		{From: []lifecycle.State{lifecycle.Submitted}, Action: lifecycle.MarkAccepted, To: lifecycle.Accepted, Guard: lifecycle.Owner, Event: "accepted"},
		{From: []lifecycle.State{lifecycle.Submitted}, Action: lifecycle.MarkRejected, To: lifecycle.Rejected, Guard: lifecycle.Owner, Event: "rejected", Effects: []lifecycle.Effect{lifecycle.KeepReason}},
		{From: []lifecycle.State{lifecycle.Accepted}, Action: MarkDispatched, To: InTransit, Guard: lifecycle.Owner, Event: "dispatched"},
		{From: []lifecycle.State{InTransit}, Action: MarkDelivered, To: Delivered, Guard: lifecycle.Owner, Event: "delivered"},
		{From: []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted}, Action: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Member, Event: "cancelled"},

		// What HMRC's messages say; a draft is that of a consignee who takes up a movement of another system.
		{From: []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Rejected}, Action: learnAcceptance, To: lifecycle.Accepted, Guard: lifecycle.System, Event: "accepted"},
		{From: []lifecycle.State{lifecycle.Accepted}, Action: learnDispatch, To: InTransit, Guard: lifecycle.System, Event: "dispatched"},
		{From: []lifecycle.State{lifecycle.Accepted, InTransit}, Action: learnDelivery, To: Delivered, Guard: lifecycle.System, Event: "delivered"},
		{From: []lifecycle.State{lifecycle.Accepted, InTransit, Delivered}, Action: learnCancellation, To: lifecycle.Cancelled, Guard: lifecycle.System, Event: "cancelled"},
		{From: []lifecycle.State{lifecycle.Submitted}, Action: learnRefusal, To: lifecycle.Rejected, Guard: lifecycle.System, Event: "rejected", Effects: []lifecycle.Effect{lifecycle.KeepReason}},
		{From: []lifecycle.State{lifecycle.Submitted, lifecycle.Accepted, InTransit, Delivered, lifecycle.Rejected, lifecycle.Cancelled}, Action: LearnMessage, Guard: lifecycle.System, Event: "updated"},
	},
	Ended: []lifecycle.State{Delivered, lifecycle.Rejected, lifecycle.Cancelled},
}

// Adds lists the fields that the service adds to a movement.
type Adds struct {
	ARC *string `json:"arc" nullable:"true" doc:"Administrative reference code (ARC), after submission; null until HMRC has given it" example:"26GB00000000003789214"`
	filing.Sourced
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	Reason      string `json:"reason,omitempty" doc:"Reason"`
	Course
	filing.Replacement
	filing.Decided
	filing.Assignment
}

// Movements is the kind of filing of this Hub.
var Movements = filing.Definition[Movement]{
	Kind: "emcs.movement", Hub: HubID, Path: "/api/emcs/movements", Singular: "movement", Plural: "movements", Tag: "EMCS",
	Description: "Movements of excise goods in duty suspension, between warehouses or out of the country. Each needs an electronic administrative document (e-AD) before dispatch.",
	MainFields:  []string{"productDescription", "category", "consigneeName", "scheduledDispatchAt", "arc"},
	Operations:  operations, Check: check, Message: messageForm,
	Layout: form, Lifecycle: course, Rules: Rules, Adds: Adds{}, ReferenceMember: "arc", ReadReference: ownreference.For[Movement](ownreference.ARC), Deadlines: deadlines, Timer: timer,
	Reference: func(ids *ident.Source, now time.Time, _ *Movement) filing.Reference {
		return filing.Reference{Field: "arc", Value: ids.ARC(now.Year(), "GB")}
	},
	Note: "The ARC is a mock because there is no connection to EMCS yet. Mark the movement accepted after EMCS has validated it, dispatched when the goods leave, and delivered after the report of receipt.",
}
