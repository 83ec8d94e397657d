package trade

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "trade"

// States of a licence besides the common ones.
const (
	Approved lifecycle.State = "APPROVED"
	Expired  lifecycle.State = "EXPIRED"
)

// Actions of a licence besides the common ones.
const (
	MarkApproved lifecycle.Action = "mark-approved"
	Expire       lifecycle.Action = "expire"
)

// Adds lists the fields that the service adds to a licence.
type Adds struct {
	Reference string `json:"reference,omitempty" doc:"Reference of the authority, after submission" example:"GBSIE2026/000123"`
	filing.Sourced
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	Reason      string `json:"reason,omitempty" doc:"Reason"`
	filing.Decided
	filing.Assignment
}

// Licences is the kind of filing of this Hub.
var Licences = filing.Definition[Licence]{
	Kind: "trade.licence", Hub: HubID, Path: "/api/trade/licences", Singular: "licence", Plural: "licences", Tag: "Trade",
	Description: "Applications to export goods under strategic control, endangered species and animal products. You mark the authority's decision here; an approved licence expires automatically.",
	MainFields:  []string{"productDescription", "licenceType", "endUserName", "endUserCountry", "reference"},
	ChoiceTexts: map[string]string{
		string(EHC): "Export health certificate (EHC)", string(SIEL): "Dual-use, individual (SIEL)", string(OIEL): "Dual-use, open individual (OIEL)",
		string(OpenGeneral): "Open general (OGEL)", string(Strategic): "Military goods", string(CITES): "Endangered species (CITES)",
	},
	Layout: form, Lifecycle: states, Rules: Rules, Adds: Adds{}, ReferenceMember: "reference", Checklist: &checklist.List{Site: "the site of the licensing authority"}, ReadReference: readReference, Reference: newReference, Deadlines: deadlines, Timer: expiry, Classify: classifier,
	Note: "The reference is a mock because there is no connection to the Export Control Joint Unit and the Animal and Plant Health Agency yet. Apply to the authority, and mark the licence approved or rejected after its decision.",
}

// states is the lifecycle of a licence: that of regulated filings with APPROVED instead of ACCEPTED, and expiry.
var states = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, Approved, lifecycle.Rejected, Expired, lifecycle.Cancelled},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted",
			Effects: []lifecycle.Effect{lifecycle.AssignReference, lifecycle.StampSubmitted}},
		{From: []lifecycle.State{lifecycle.Submitted}, Action: MarkApproved, To: Approved, Guard: lifecycle.Owner, Event: "approved"},
		{From: []lifecycle.State{lifecycle.Submitted}, Action: lifecycle.MarkRejected, To: lifecycle.Rejected, Guard: lifecycle.Owner, Event: "rejected", Effects: []lifecycle.Effect{lifecycle.KeepReason}},
		{From: []lifecycle.State{lifecycle.Draft, lifecycle.Submitted}, Action: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Member, Event: "cancelled"},
		{From: []lifecycle.State{Approved}, Action: Expire, To: Expired, Guard: lifecycle.System, Event: "expired"},
	},
}

// expiry returns the timer that expires an approved licence after its last day.
func expiry(l *Licence, m filing.Metadata) filing.Timer {
	if m.Status != Approved || l.ValidUntil == nil {
		return filing.Timer{}
	}
	return filing.Timer{Action: Expire, After: *l.ValidUntil}
}

// series holds the letters between GB and the year of a reference, by type.
var series = map[Type]string{SIEL: "SIE", OIEL: "OIE", OpenGeneral: "OGE", Strategic: "STC", CITES: "CIT", EHC: "EHC"}

// newReference creates a reference such as GBSIE2026/000123.
func newReference(ids *ident.Source, now time.Time, l *Licence) filing.Reference {
	return filing.Reference{Field: "reference", Value: fmt.Sprintf("GB%s%d/%s", series[l.LicenceType], now.Year(), ids.Text("0123456789", 6))}
}
