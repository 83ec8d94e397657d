package customs

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
)

// Cleared means that customs has released the goods.
const Cleared lifecycle.State = "CLEARED"

// Actions that follow from messages of CDS.
const (
	accept     lifecycle.Action = "accept"     // DMSACC
	clear      lifecycle.Action = "clear"      // DMSCLE
	reject     lifecycle.Action = "reject"     // DMSREJ
	invalidate lifecycle.Action = "invalidate" // DMSINV, or a DMSREJ for which isInvalidation holds
	assess     lifecycle.Action = "assess"     // DMSTAX
	receive    lifecycle.Action = "receive"    // DMSRCV
	note       lifecycle.Action = "note"       // any message that changes no state

	requestCancellation lifecycle.Action = "request-cancellation"

	send     lifecycle.Action = "send"      // CDS has accepted a declaration that waited for a consent
	takeBack lifecycle.Action = "take-back" // CDS has not accepted one that waited

	requestPresentation lifecycle.Action = "request-presentation"

	requestAmendment lifecycle.Action = "request-amendment"
	grantAmendment   lifecycle.Action = "grant-amendment" // DMSREQ
	denyAmendment    lifecycle.Action = "deny-amendment"  // DMSREQ or DMSREJ

	addFiles      lifecycle.Action = "add-files"      // documents that are to be sent to customs
	requestUpload lifecycle.Action = "request-upload" // customs gave upload forms for documents
	sendFile      lifecycle.Action = "send-file"      // customs' upload form took one
	receiveFile   lifecycle.Action = "receive-file"   // customs has received one
	rejectFile    lifecycle.Action = "reject-file"    // the virus scan or customs refused one

	addSource lifecycle.Action = "add-source" // a file that the declaration was made from

	requestMovement lifecycle.Action = "request-movement" // of an export, by inventory linking
	acceptMovement  lifecycle.Action = "accept-movement"
	refuseMovement  lifecycle.Action = "refuse-movement"
	updateMovement  lifecycle.Action = "update-movement" // a message without a decision about it

	raiseControl     lifecycle.Action = "raise-control"     // DMSCTL
	requireDocuments lifecycle.Action = "require-documents" // DMSDOC
	correct          lifecycle.Action = "correct"           // DMSRES
	release          lifecycle.Action = "release"           // DMSROG
	runShort         lifecycle.Action = "run-short"         // DMSCPI
	exit             lifecycle.Action = "exit"              // DMSEOG
	query            lifecycle.Action = "query"             // DMSQRY
	endDemand        lifecycle.Action = "end-demand"        // a demand that a message closed
	closeDemand      lifecycle.Action = "close-demand"      // a demand that a user closed
)

// Actions of messages that do not change the state, because they came late or twice in two conversations.
const (
	acceptLate lifecycle.Action = "accept-late"
	clearLate  lifecycle.Action = "clear-late"
	rejectLate lifecycle.Action = "reject-late"
)

// declared is the lifecycle of a declaration. The messages of CDS may arrive in any order, so every state that CDS
// decides can follow any other; reduceMessages computes the state from all messages.
var declarationLifecycle = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted, lifecycle.Rejected, Cleared, lifecycle.Cancelled},
	Created: "created",
	Ended:   states(Cleared, lifecycle.Rejected, lifecycle.Cancelled),
	Edges: []lifecycle.Edge{
		{From: states(lifecycle.Draft, lifecycle.Rejected), Action: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: states(lifecycle.Draft), Action: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Member, Event: "cancelled"},
		{From: states(lifecycle.Draft, lifecycle.Rejected, lifecycle.Cancelled), Action: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted", Effects: []lifecycle.Effect{lifecycle.StampSubmitted}},
		{From: states(lifecycle.Submitted, lifecycle.Accepted, Cleared), Action: requestCancellation, Guard: lifecycle.Member, Event: "cancellation_requested"},

		{From: states(lifecycle.Submitted), Action: requestPresentation, Guard: lifecycle.Member, Event: "presentation_requested"},

		{From: states(lifecycle.Submitted, lifecycle.Accepted, Cleared), Action: requestAmendment, Guard: lifecycle.Member, Event: "amendment_requested", Effects: []lifecycle.Effect{lifecycle.NeedsApproval}},
		{From: messageStates, Action: grantAmendment, Guard: lifecycle.System, Event: "amendment_granted", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: messageStates, Action: denyAmendment, Guard: lifecycle.System, Event: "amendment_denied"},

		{From: states(lifecycle.Submitted, lifecycle.Accepted, Cleared), Action: requestMovement, Guard: lifecycle.Member, Event: "movement_requested"},
		{From: messageStates, Action: acceptMovement, Guard: lifecycle.System, Event: "movement_accepted"},
		{From: messageStates, Action: refuseMovement, Guard: lifecycle.System, Event: "movement_refused"},
		{From: messageStates, Action: updateMovement, Guard: lifecycle.System, Event: "movement_updated"},

		{From: states(lifecycle.Submitted, lifecycle.Accepted, Cleared), Action: addFiles, Guard: lifecycle.Member, Event: "file_added"},
		{From: messageStates, Action: requestUpload, Guard: lifecycle.System, Event: "upload_requested"},
		{From: messageStates, Action: sendFile, Guard: lifecycle.System, Event: "file_sent"},
		{From: messageStates, Action: receiveFile, Guard: lifecycle.System, Event: "file_received"},
		{From: messageStates, Action: rejectFile, Guard: lifecycle.System, Event: "file_rejected"},

		{From: messageStates, Action: addSource, Guard: lifecycle.Member, Event: "source_added", About: "a file that the declaration was made from was added"},

		{From: states(lifecycle.Submitted), Action: send, Guard: lifecycle.System, Event: "sent", Effects: []lifecycle.Effect{lifecycle.StampSubmitted}},
		{From: states(lifecycle.Submitted), Action: takeBack, To: lifecycle.Draft, Guard: lifecycle.System, Event: "returned"},

		{From: states(lifecycle.Submitted, lifecycle.Rejected), Action: accept, To: lifecycle.Accepted, Guard: lifecycle.System, Event: "accepted"},
		{From: states(lifecycle.Submitted, lifecycle.Accepted, lifecycle.Rejected), Action: clear, To: Cleared, Guard: lifecycle.System, Event: "cleared"},
		{From: states(lifecycle.Submitted, lifecycle.Accepted), Action: reject, To: lifecycle.Rejected, Guard: lifecycle.System, Event: "rejected"},
		{From: states(lifecycle.Submitted, lifecycle.Accepted, lifecycle.Rejected, Cleared), Action: invalidate, To: lifecycle.Cancelled, Guard: lifecycle.System, Event: "cancelled"},

		{From: messageStates, Action: receive, Guard: lifecycle.System, Event: "received"},
		{From: messageStates, Action: assess, Guard: lifecycle.System, Event: "tax_assessed"},
		{From: messageStates, Action: acceptLate, Guard: lifecycle.System, Event: "accepted"},
		{From: messageStates, Action: clearLate, Guard: lifecycle.System, Event: "cleared"},
		{From: messageStates, Action: rejectLate, Guard: lifecycle.System, Event: "rejected"},
		{From: messageStates, Action: raiseControl, Guard: lifecycle.System, Event: "control_raised"},
		{From: messageStates, Action: requireDocuments, Guard: lifecycle.System, Event: "documents_required"},
		{From: messageStates, Action: query, Guard: lifecycle.System, Event: "query_raised"},
		{From: messageStates, Action: runShort, Guard: lifecycle.System, Event: "payment_short"},
		{From: messageStates, Action: correct, Guard: lifecycle.System, Event: "corrected"},
		{From: messageStates, Action: release, Guard: lifecycle.System, Event: "released"},
		{From: messageStates, Action: exit, Guard: lifecycle.System, Event: "exited"},
		{From: messageStates, Action: endDemand, Guard: lifecycle.System, Event: "demand_closed"},
		{From: states(lifecycle.Submitted, lifecycle.Accepted, Cleared), Action: closeDemand, Guard: lifecycle.Member, Event: "demand_closed"},
		{From: messageStates, Action: note, Guard: lifecycle.System, Event: "noted"},
	},
}

// messageStates are the states in which messages of CDS may arrive. Draft is one of them, because a message may overtake the
// record of its own submission.
var messageStates = states(lifecycle.Submitted, lifecycle.Accepted, lifecycle.Rejected, Cleared, lifecycle.Cancelled, lifecycle.Draft)

func states(s ...lifecycle.State) []lifecycle.State { return s }

// transitions are the actions that lead to the state that CDS has decided.
var transitions = map[lifecycle.State]lifecycle.Action{
	lifecycle.Accepted: accept, Cleared: clear, lifecycle.Rejected: reject, lifecycle.Cancelled: invalidate,
}

// recorded are the actions of messages that change no state, by function code.
var recorded = map[string]lifecycle.Action{
	notification.DMSACC: acceptLate, notification.DMSRCV: receive, notification.DMSREJ: rejectLate, notification.DMSCLE: clearLate, notification.DMSTAX: assess,
	notification.DMSCTL: raiseControl, notification.DMSDOC: requireDocuments, notification.DMSQRY: query, notification.DMSCPI: runShort,
	notification.DMSRES: correct, notification.DMSROG: release, notification.DMSEOG: exit,
}
