package trade

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "trade"

// States that only a licence has.
const (
	Approved lifecycle.State = "APPROVED"
	Expired  lifecycle.State = "EXPIRED"
)

// Steps that only a licence takes.
const (
	MarkApproved lifecycle.Action = "mark-approved"
	Expire       lifecycle.Action = "expire"
)

// Adds is what the service adds to a licence.
type Adds struct {
	Reference   string `json:"reference,omitempty" doc:"Reference of the authority, once submitted" example:"GBSIE2026/000123"`
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	Reason      string `json:"reason,omitempty" doc:"Why it was rejected"`
}

// Licences are the Hub's kind of filing.
var Licences = filing.Definition[Licence]{
	Kind: "trade.licence", Hub: HubID, Path: "/api/trade/licences", One: "licence", Many: "licences", Tag: "Trade",
	About:      "Applications to export goods under strategic control, endangered species and animal products. The authority's answer is marked here, and an approved licence expires by itself.",
	MainFields: []string{"productDescription", "licenceType", "endUserName", "endUserCountry", "reference"},
	ChoiceTexts: map[string]string{
		string(EHC): "Export health certificate (EHC)", string(SIEL): "Dual-use, individual (SIEL)", string(OIEL): "Dual-use, open individual (OIEL)",
		string(OpenGeneral): "Open general (OGEL)", string(Strategic): "Military goods", string(CITES): "Endangered species (CITES)",
	},
	Lifecycle: steps, Rules: Rules, Adds: Adds{}, Reference: refer, Deadlines: due, Timer: expiry, Classify: classified,
	Note: "The reference is a mock until the live connections to the Export Control Joint Unit and the Animal and Plant Health Agency exist. Apply with the authority, and mark the licence approved or rejected once it has answered.",
}

// steps are those of every regulated filing, with APPROVED in the place of
// ACCEPTED, and the end of what was approved.
var steps = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, Approved, lifecycle.Rejected, Expired, lifecycle.Cancelled},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Then: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted",
			Then: []lifecycle.Effect{lifecycle.AssignReference, lifecycle.StampSubmitted}},
		{From: []lifecycle.State{lifecycle.Submitted}, By: MarkApproved, To: Approved, Guard: lifecycle.Owner, Event: "approved"},
		{From: []lifecycle.State{lifecycle.Submitted}, By: lifecycle.MarkRejected, To: lifecycle.Rejected, Guard: lifecycle.Owner, Event: "rejected", Then: []lifecycle.Effect{lifecycle.KeepReason}},
		{From: []lifecycle.State{lifecycle.Draft, lifecycle.Submitted}, By: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Member, Event: "cancelled"},
		{From: []lifecycle.State{Approved}, By: Expire, To: Expired, Guard: lifecycle.System, Event: "expired"},
	},
}

// expiry is the step that time takes with what was approved until a day.
func expiry(l *Licence, m filing.Moment) filing.Timer {
	if m.Status != Approved || l.ValidUntil == nil {
		return filing.Timer{}
	}
	return filing.Timer{By: Expire, After: *l.ValidUntil}
}

// series are the letters between GB and the year, by which a reference tells its type.
var series = map[Type]string{SIEL: "SIE", OIEL: "OIE", OpenGeneral: "OGE", Strategic: "STC", CITES: "CIT", EHC: "EHC"}

// refer makes a reference such as GBSIE2026/000123.
func refer(ids *ident.Source, now time.Time, l *Licence) filing.Reference {
	return filing.Reference{Field: "reference", Value: fmt.Sprintf("GB%s%d/%s", series[l.LicenceType], now.Year(), ids.Text("0123456789", 6))}
}
