package cbam

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "cbam"

// The kinds of the Hub: of an import, and of a report.
const (
	ImportKind = "cbam.import"
	ReportKind = "cbam.report"
)

// Recorded is the one state of an import. It takes no steps, so that what a report
// was drawn up from stays as it was.
const Recorded lifecycle.State = "RECORDED"

// Imports are the Hub's kind of record. Without defaults, emissions are estimated
// by what is typical of the goods.
func Imports(defaults Defaults) filing.Definition[Import] {
	return filing.Definition[Import]{
		Kind: ImportKind, Hub: HubID, Path: "/api/cbam/imports", One: "import", Many: "imports", Tag: "CBAM", Plain: true, Quarterly: true, Adds: Adds{}, Postings: postings,
		About:       "Goods under the mechanism with the emissions embedded in them, as the supplier states them or as they are estimated. The quarterly report is drawn up from these.",
		MainFields:  []string{"commodityCode", "category", "countryOfOrigin", "netMassKg", "embeddedEmissionsKgCo2", "quarter"},
		ChoiceTexts: answers(),
		Lifecycle:   lifecycle.Table{Initial: Recorded, States: []lifecycle.State{Recorded}, Created: "recorded"},
		Assign: func(_ *ident.Source, now time.Time) (filing.Added, []filing.Key) {
			return filing.Added{"quarter": QuarterOf(now).String()}, nil
		},
		Derive: func(i *Import, _ time.Time) filing.Added { return defaults.derive(i) },
	}
}

// ReportAdds is what the service adds to a report.
type ReportAdds struct {
	Reference   string `json:"reference,omitempty" doc:"Reference of the report, once submitted" example:"CBAM-GB-2026Q4-7K2M9QX"`
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
}

// reportLifecycle is that of a report: drawn up, drawn up anew as often as one
// likes, locked by its submission, accepted.
var reportLifecycle = lifecycle.Table{
	Initial: lifecycle.Draft,
	States:  []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted},
	Created: "created",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Refresh, Guard: lifecycle.Member, Event: "refreshed", Then: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Remove, Guard: lifecycle.Member, Event: "deleted", Then: []lifecycle.Effect{lifecycle.Delete}},
		{From: []lifecycle.State{lifecycle.Draft}, By: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted", Then: []lifecycle.Effect{lifecycle.AssignReference, lifecycle.StampSubmitted}},
		{From: []lifecycle.State{lifecycle.Submitted}, By: lifecycle.MarkAccepted, To: lifecycle.Accepted, Guard: lifecycle.Owner, Event: "accepted"},
	},
}

// Reports are drawn up from imports, and never sent in: their body is a snapshot.
var Reports = filing.Definition[Report]{
	Kind: ReportKind, Hub: HubID, Path: "/api/cbam/reports", One: "report", Many: "reports", Tag: "CBAM", HubOptional: true, Adds: ReportAdds{},
	LargeFields: []string{"byCountry", "observations"}, ChoiceTexts: answers(), Lifecycle: reportLifecycle, Rules: Rules, Reference: reference, Deadlines: due, Period: func(r *Report) string { return r.Quarter },
	Note: "The reference is a mock until a live connection to the registry exists. Lodge the figures with the authority, then mark the report accepted.",
}

// A reference takes the 22 characters that the report's XML has for it.
const (
	referenceAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	referenceLength   = 7
)

func reference(ids *ident.Source, _ time.Time, r *Report) filing.Reference {
	quarter := strings.ReplaceAll(r.Quarter, "-", "")
	return filing.Reference{Field: "reference", Value: "CBAM-GB-" + quarter + "-" + ids.Text(referenceAlphabet, referenceLength)}
}
