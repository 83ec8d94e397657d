package gvms

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/declared"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/ownreference"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "gvms"

// States of a record that HMRC has. Open is also the state of a record of this service's own.
const (
	NotFinalisable lifecycle.State = "NOT_FINALISABLE" // something is missing or wrong
	Open           lifecycle.State = "OPEN"            // a driver can check in with the record
	CheckedIn      lifecycle.State = "CHECKED_IN"
	Embarked       lifecycle.State = "EMBARKED"
	Completed      lifecycle.State = "COMPLETED"
)

// Note is the action that records what HMRC says about a record without another state.
const Note lifecycle.Action = "note"

// Marks by which a user enters what HMRC shows for a record that this service does not send to HMRC, with its own id.
const (
	MarkOpen           lifecycle.Action = "mark-open"
	MarkNotFinalisable lifecycle.Action = "mark-not-finalisable"
	MarkCheckedIn      lifecycle.Action = "mark-checked-in"
	MarkEmbarked       lifecycle.Action = "mark-embarked"
	MarkCompleted      lifecycle.Action = "mark-completed"
)

// Marks are all of them.
var Marks = []lifecycle.Action{MarkOpen, MarkNotFinalisable, MarkCheckedIn, MarkEmbarked, MarkCompleted}

// given are the states of a record with an id in which it can be corrected.
var given = []lifecycle.State{NotFinalisable, Open}

// before lists the states in which a record can be corrected, and those that can precede each later one: a notification may be
// lost.
var before = []lifecycle.State{lifecycle.Draft, NotFinalisable, Open}

// states is the lifecycle of a record. It can be corrected and cancelled until the vehicle checks in. A record that is not sent to
// HMRC is OPEN until it is cancelled, or until a user marks it as what HMRC says, because this service does not learn of the check-in.
var states = lifecycle.Table{
	Initial: Open,
	Sent:    lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, NotFinalisable, Open, CheckedIn, Embarked, Completed, lifecycle.Cancelled},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: before, Action: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: before, Action: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Member, Event: "cancelled"},
		{From: []lifecycle.State{lifecycle.Draft, NotFinalisable}, Action: "open", To: Open, Guard: lifecycle.System, Event: "opened"},
		{From: []lifecycle.State{lifecycle.Draft, Open}, Action: "hold-back", To: NotFinalisable, Guard: lifecycle.System, Event: "not-finalisable"},
		{From: before, Action: "check-in", To: CheckedIn, Guard: lifecycle.System, Event: "checked-in"},
		{From: append(slices.Clone(before), CheckedIn), Action: "embark", To: Embarked, Guard: lifecycle.System, Event: "embarked"},
		{From: append(slices.Clone(before), CheckedIn, Embarked), Action: "complete", To: Completed, Guard: lifecycle.System, Event: "completed"},
		{From: append(slices.Clone(before), CheckedIn, Embarked), Action: Note, Guard: lifecycle.System, Event: "updated"},

		{From: given, Action: MarkOpen, To: Open, Guard: lifecycle.Owner, Event: "opened"},
		{From: given, Action: MarkNotFinalisable, To: NotFinalisable, Guard: lifecycle.Owner, Event: "not-finalisable"},
		{From: given, Action: MarkCheckedIn, To: CheckedIn, Guard: lifecycle.Owner, Event: "checked-in"},
		{From: append(slices.Clone(given), CheckedIn), Action: MarkEmbarked, To: Embarked, Guard: lifecycle.Owner, Event: "embarked"},
		{From: append(slices.Clone(given), CheckedIn, Embarked), Action: MarkCompleted, To: Completed, Guard: lifecycle.Owner, Event: "completed"},
	},
}

// Adds lists the fields that the service adds to a movement.
type Adds struct {
	GMR *string `json:"gmrId" nullable:"true" pattern:"^GMR[A-Z][0-9A-Z]{8}$" doc:"Id of the goods movement record; null until HMRC has given it" example:"GMRA2AMKTC1B"`
	filing.Sourced

	RuleFailures []gvms.RuleFailure `json:"ruleFailures,omitempty" nullable:"false" doc:"Why HMRC finds the record NOT_FINALISABLE"`
	Inspect      *bool              `json:"inspectionRequired,omitempty" doc:"Whether the vehicle must report for an inspection; absent until it is decided"`
	ReportTo     []gvms.ReportTo    `json:"reportToLocations,omitempty" nullable:"false" doc:"Where it must report, in this order"`
	Refusal      *RecordRefusal     `json:"refusal,omitempty" doc:"Why HMRC did not take the record; correct it to send it again"`
	Reason       string             `json:"reason,omitempty" doc:"Reason"`
	filing.Decided
	filing.Assignment
}

// RecordRefusal is the refusal of a record in the answer to its request.
type RecordRefusal struct {
	Message string          `json:"message" doc:"HMRC’s reason"`
	Details []apierr.Detail `json:"details,omitempty" nullable:"false" doc:"Fields"`
}

// Movements is the kind of filing of this Hub.
var Movements = filing.Definition[Movement]{
	Kind: "gvms.movement", Hub: HubID, Path: "/api/gvms/movements", Singular: "movement", Plural: "movements", Tag: "GVMS",
	Description: "The goods movement record (GMR) of one crossing of one vehicle. The driver shows it at check-in.",
	MainFields:  []string{"vehicleReg", "routeFrom", "routeTo", "crossingDate", "gmrId"},
	Plain:       true, Layout: form, Lifecycle: states, Rules: Rules, Adds: Adds{}, ReferenceMember: "gmrId", NamesRecords: declared.Field, ReadReference: ownreference.For[Movement](ownreference.GMR), Driver: driver, Deadlines: deadlines, Check: (*Movement).check,
	Complete: func(tx filing.View, m *Movement, c filing.Completion) (filing.Completion, error) {
		return declared.Complete(tx, m.Declarations, m.numbers(), c)
	},
	Assign: func(ids *ident.Source, _ time.Time) (filing.Added, []filing.Key) {
		id := string(ids.GMR())
		return filing.Added{"gmrId": id, filing.SourceMember: filing.Simulated}, []filing.Key{{Name: "gvms.movement.gmrId", Value: id}}
	},
}
