package corporate

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/ownreference"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "corporate"

// Overdue is the state of a draft after its due date. It can still be submitted.
const Overdue lifecycle.State = "OVERDUE"

// FallOverdue is the action of the timer.
const FallOverdue lifecycle.Action = "fall-overdue"

// Adds lists the fields that the service adds to a filing.
type Adds struct {
	Reference string `json:"reference,omitempty" doc:"Reference of the authority, after submission" example:"048151-623420-161803"`
	filing.Sourced
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	Reason      string `json:"reason,omitempty" doc:"Reason"`
	filing.Decided
	filing.Assignment
}

// Filings is the kind of filing of this Hub.
var Filings = filing.Definition[Filing]{
	Kind: "corporate.filing", Hub: HubID, Path: "/api/corporate/filings", Singular: "filing", Plural: "filings", Tag: "Corporate",
	Description: "Filings of a company with Companies House, HMRC, the ICO and the Trust Registration Service. Each form has a due date.",
	MainFields:  []string{"subject", "filingType", "companyName", "dueDate", "reference"},
	ChoiceTexts: map[string]string{
		string(CT600): "Company tax return (CT600)", string(PSCNotification): "Person with significant control (PSC)",
		string(ICORenewal): "Data protection fee (ICO)", string(TRSUpdate): "Trust registration update (TRS)",
	},
	Layout: form, Lifecycle: states, Rules: Rules, Adds: Adds{}, ReferenceMember: "reference", Checklist: &checklist.List{Site: "the site of Companies House, HMRC or the ICO"}, ReadReference: ownreference.For[Filing](ownreference.Text), Reference: newReference, Deadlines: deadlines, Timer: overdue,
	Note: "The reference is a mock because there are no connections to Companies House, HMRC and the ICO yet. File the form with the authority, and mark it accepted after the authority has accepted it.",
}

// states is the lifecycle of a filing: that of regulated filings, and OVERDUE.
var states = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted, lifecycle.Rejected, Overdue, lifecycle.Cancelled},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{lifecycle.Draft, Overdue}, Action: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted",
			Effects: []lifecycle.Effect{lifecycle.AssignReference, lifecycle.StampSubmitted}},
		{From: []lifecycle.State{lifecycle.Submitted}, Action: lifecycle.MarkAccepted, To: lifecycle.Accepted, Guard: lifecycle.Owner, Event: "accepted"},
		{From: []lifecycle.State{lifecycle.Submitted}, Action: lifecycle.MarkRejected, To: lifecycle.Rejected, Guard: lifecycle.Owner, Event: "rejected", Effects: []lifecycle.Effect{lifecycle.KeepReason}},
		{From: []lifecycle.State{lifecycle.Draft, Overdue, lifecycle.Submitted}, Action: lifecycle.Cancel, To: lifecycle.Cancelled, Guard: lifecycle.Member, Event: "cancelled"},
		{From: []lifecycle.State{lifecycle.Draft}, Action: FallOverdue, To: Overdue, Guard: lifecycle.System, Event: "overdue"},
	},
}

func overdue(f *Filing, m filing.Metadata) filing.Timer {
	if m.Status != lifecycle.Draft {
		return filing.Timer{}
	}
	return filing.Timer{Action: FallOverdue, After: f.DueDate}
}

const figures = "0123456789"

// unmistakable lists letters and digits that are not confused with others.
const unmistakable = "23456789ABCDEFGHJKMNPQRSTVWXYZ"

// newReference creates a reference in the format of the authority: a transaction number of Companies House, a case number of the
// ICO or a receipt of HMRC.
func newReference(ids *ident.Source, _ time.Time, f *Filing) filing.Reference {
	grouped := func(alphabet string, n int) string {
		return ids.Text(alphabet, n) + "-" + ids.Text(alphabet, n) + "-" + ids.Text(alphabet, n)
	}
	r := filing.Reference{Field: "reference"}
	switch f.FilingType {
	case CT600:
		r.Value = "CT600-" + grouped(unmistakable, 4)
	case TRSUpdate:
		r.Value = "TRS-" + grouped(unmistakable, 4)
	case ICORenewal:
		r.Value = "IC-" + ids.Text(figures, 6) + "-" + ids.Text(unmistakable, 4)
	default:
		r.Value = grouped(figures, 6)
	}
	return r
}

// deadlines returns the due date of a filing until it is submitted.
func deadlines(f *Filing, m filing.Metadata) []filing.Deadline {
	if m.Status != lifecycle.Draft && m.Status != Overdue {
		return nil
	}
	return []filing.Deadline{{Name: "filing", Title: "File the " + f.FilingType.String(), DueAt: f.DueDate, Source: laws[f.FilingType]}}
}

// laws names the law for the due date of each form.
var laws = map[Form]string{
	ConfirmationStatement: "Companies Act 2006, section 853A: within 14 days of the end of the review period",
	AnnualAccounts:        "Companies Act 2006, sections 441 to 443: nine months after the accounting reference period, six for a public company",
	PSCNotification:       "Companies Act 2006, Part 21A, as amended by the Economic Crime and Corporate Transparency Act 2023: within 14 days",
	DirectorAppointment:   "Companies Act 2006, section 167: within 14 days",
	DirectorResignation:   "Companies Act 2006, section 167: within 14 days",
	RegisteredOffice:      "Companies Act 2006, sections 86 and 87: appropriate address; a change takes effect when it is registered",
	ICORenewal:            "Data Protection (Charges and Information) Regulations 2018: every twelve months",
	CT600:                 "Finance Act 1998, Schedule 18, paragraph 14: twelve months after the accounting period",
	TRSUpdate:             "Money Laundering, Terrorist Financing and Transfer of Funds (Information on the Payer) Regulations 2017, regulation 45: within 90 days",
}
