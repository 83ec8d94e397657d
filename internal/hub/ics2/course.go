package ics2

import (
	"encoding/json"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Actions that HMRC's messages cause. Learn records one that changes neither the state nor the body.
const (
	Learn             lifecycle.Action = "learn-message"
	LearnAmendment    lifecycle.Action = "learn-amendment"
	LearnIntervention lifecycle.Action = "learn-intervention"

	learnAcceptance lifecycle.Action = "learn-acceptance"
	learnRejection  lifecycle.Action = "learn-rejection"
)

// course is the lifecycle of a filing. An accepted filing is amended by a message that HMRC has to accept.
var course = withoutEnd(lifecycle.Regulated.With(
	lifecycle.Edge{From: []lifecycle.State{lifecycle.Accepted}, Action: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Effects: []lifecycle.Effect{lifecycle.ReplaceBody, lifecycle.ByAuthority}},
	lifecycle.Edge{From: []lifecycle.State{lifecycle.Submitted, lifecycle.Rejected}, Action: learnAcceptance, To: lifecycle.Accepted, Guard: lifecycle.System, Event: "accepted"},
	lifecycle.Edge{From: []lifecycle.State{lifecycle.Submitted}, Action: learnRejection, To: lifecycle.Rejected, Guard: lifecycle.System, Event: "rejected", Effects: []lifecycle.Effect{lifecycle.KeepReason}},
	lifecycle.Edge{From: []lifecycle.State{lifecycle.Accepted}, Action: LearnAmendment, Guard: lifecycle.System, Event: "amended", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
	lifecycle.Edge{From: taken, Action: LearnIntervention, Guard: lifecycle.System, Event: "intervened"},
	lifecycle.Edge{From: append(slices.Clone(taken), lifecycle.Rejected, lifecycle.Cancelled), Action: Learn, Guard: lifecycle.System, Event: "updated"},
))

// taken are the states of a filing that HMRC may have accepted.
var taken = []lifecycle.State{lifecycle.Submitted, lifecycle.Accepted}

// withoutEnd keeps the final states of a table final, although messages may still come.
func withoutEnd(t lifecycle.Table) lifecycle.Table {
	t.Ended = []lifecycle.State{lifecycle.Accepted, lifecycle.Rejected, lifecycle.Cancelled}
	return t
}

// Course is what HMRC's messages say about a filing, besides its state and its MRN.
type Course struct {
	LRN           string            `json:"localReferenceNumber,omitempty" doc:"Local reference number (LRN) of the CC315A" example:"TWZQ5K2M7N4P3R6S5T2UVW"`
	Refusals      []RefusedDetail   `json:"refusals,omitempty" nullable:"false" doc:"Errors of HMRC’s rejection (IE316)"`
	Amendment     *AmendmentOutcome `json:"amendment,omitempty" doc:"The latest amendment (IE313)"`
	Interventions []Intervention    `json:"interventions,omitempty" nullable:"false" doc:"Instructions not to load (IE351)"`
	Problems      []string          `json:"messageProblems,omitempty" nullable:"false" doc:"Messages that cannot be read" example:"[\"An outcome of 1 December 2026 is not XML.\"]"`
}

// RefusedDetail is an error of a rejection.
type RefusedDetail struct {
	Number   string `json:"number" doc:"HMRC’s number" example:"12"`
	Location string `json:"location,omitempty" doc:"Location as HMRC writes it" example:"/ie:CC315A[1]/HEAHEA[1]/TraModAtBorHEA76[1]"`
	Field    string `json:"field,omitempty" doc:"Field of the record" example:"modeOfTransport"`
	Message  string `json:"message" doc:"HMRC’s reason" example:"A value is not allowed."`
}

// AmendmentOutcome is what became of an amendment. The filing has its members once it is accepted.
type AmendmentOutcome struct {
	Status   string          `json:"status" enum:"SENT,ACCEPTED,REJECTED" doc:"HMRC’s decision" example:"ACCEPTED"`
	SentAt   string          `json:"sentAt" format:"date-time" doc:"When it was sent" example:"2026-11-27T09:00:00.000Z"`
	Refusals []RefusedDetail `json:"refusals,omitempty" nullable:"false" doc:"Errors of HMRC’s rejection (IE305)"`
}

// Intervention is an instruction not to load.
type Intervention struct {
	ID   string `json:"id" doc:"HMRC’s id of the notification" example:"5f6d7e1a-0000-4000-8000-000000000001"`
	Item string `json:"item,omitempty" doc:"Number of the goods item; absent for all" example:"1"`
	Code string `json:"code,omitempty" doc:"HMRC’s code" example:"A01"`
	Text string `json:"text,omitempty" doc:"HMRC’s text" example:"DO NOT LOAD"`
}

// Intervened is the trait of filings with an instruction not to load.
const Intervened = "INTERVENED"

// interventionTrait selects the filings that customs has intervened in.
var interventionTrait = filing.Trait{Of: func(m filing.Metadata) []string {
	var all []Intervention
	if m.Read("interventions", &all); len(all) == 0 {
		return nil
	}
	return []string{Intervened}
}}

// Read reads the body of a stored filing.
func Read(body json.RawMessage) (*Filing, error) {
	f := new(Filing)
	return f, json.Unmarshal(body, f)
}
