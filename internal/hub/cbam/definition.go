package cbam

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/ownreference"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "cbam"

// Kinds of this Hub.
const (
	ImportKind = "cbam.import"
	ReportKind = "cbam.report"
)

// Recorded is the only state of an import. Imports never change, because reports are based on them.
const Recorded lifecycle.State = "RECORDED"

// Imports returns the kind of import records. Without defaults, emissions are estimated from typical values.
func Imports(defaults Defaults) filing.Definition[Import] {
	return filing.Definition[Import]{
		Kind: ImportKind, Hub: HubID, Path: "/api/cbam/imports", Singular: "import", Plural: "imports", Tag: "CBAM", Plain: true, Quarterly: true, Adds: Adds{}, Postings: postings,
		Description: "Imports of CBAM goods with their embedded emissions, from the supplier or estimated. The quarterly report is based on them.",
		MainFields:  []string{"commodityCode", "category", "countryOfOrigin", "netMassKg", "embeddedEmissionsKgCo2", "quarter"},
		ChoiceTexts: answers(), Layout: form,
		Lifecycle: lifecycle.Table{Initial: Recorded, States: []lifecycle.State{Recorded}, Created: "recorded"},
		Assign: func(_ *ident.Source, now time.Time) (filing.Added, []filing.Key) {
			return filing.Added{"quarter": QuarterOf(now).String()}, nil
		},
		Derive: func(i *Import, _ time.Time) filing.Added { return defaults.derive(i) },
	}
}

// ReportAdds lists the fields that the service adds to a report.
type ReportAdds struct {
	Reference string `json:"reference,omitempty" doc:"Reference of the authority, after submission" example:"CBAM-GB-2026Q4-7K2M9QX"`
	filing.Sourced
	SubmittedAt *string `json:"submittedAt" format:"date-time" doc:"When it was submitted; null in DRAFT"`
	Reason      string  `json:"reason,omitempty" doc:"Reason"`
	filing.Decided
	filing.Assignment
}

// reportLifecycle is the lifecycle of a report: created, refreshed any number of times, submitted, accepted.
var reportLifecycle = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Refresh, Guard: lifecycle.Member, Event: "refreshed", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Remove, Guard: lifecycle.Member, Event: "deleted", Effects: []lifecycle.Effect{lifecycle.Delete}},
		{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted", Effects: []lifecycle.Effect{lifecycle.AssignReference, lifecycle.StampSubmitted}},
		{From: []lifecycle.State{lifecycle.Submitted}, Action: lifecycle.MarkAccepted, To: lifecycle.Accepted, Guard: lifecycle.Owner, Event: "accepted"},
	},
}

// Reports is the kind of quarterly reports. Their body is a snapshot of imports and never comes from a client.
var Reports = filing.Definition[Report]{
	Kind: ReportKind, Hub: HubID, Path: "/api/cbam/reports", Singular: "report", Plural: "reports", Tag: "CBAM", HubOptional: true, Adds: ReportAdds{}, ReferenceMember: "reference", Checklist: registry, ReadReference: ownreference.For[Report](ownreference.Text),
	LargeFields: []string{"byCountry", "observations"}, ChoiceTexts: answers(), Lifecycle: reportLifecycle, Rules: Rules, Reference: reference, Deadlines: deadlines, Period: func(r *Report) string { return r.Quarter },
	Note: "The reference is a mock because there is no connection to the registry yet. Submit the figures to the authority, then mark the report accepted.",
}

// A reference has 22 characters, the maximum in the XML of the report.
const (
	referenceAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	referenceLength   = 7
)

func reference(ids *ident.Source, _ time.Time, r *Report) filing.Reference {
	quarter := strings.ReplaceAll(r.Quarter, "-", "")
	return filing.Reference{Field: "reference", Value: "CBAM-GB-" + quarter + "-" + ids.Text(referenceAlphabet, referenceLength)}
}
