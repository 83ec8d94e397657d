package filings

import (
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// reviewView is a review as a page shows it.
type reviewView struct {
	Summary     string
	HasBlockers bool
	Findings    []findingView
}

// findingView is a finding with the field that it is about, and the other entries that have it.
type findingView struct {
	rules.Merged
	Anchor string // id of the field's control; empty if the form has none
	Label  string
}

// reviewOf assigns the findings of a review to the fields of a form.
func (k *kind) reviewOf(s *form.FilledForm, r rules.Review) *reviewView {
	merged := rules.Merge(r.Findings)
	j := &reviewView{Summary: page.ReviewSummary(r, k.submits()), HasBlockers: r.HasBlockers, Findings: make([]findingView, len(merged))}
	for i, finding := range merged {
		finding.Message, finding.Suggestion = s.ReplaceNames(finding.Message), s.ReplaceNames(finding.Suggestion)
		j.Findings[i] = findingView{Merged: finding, Label: s.LabelAt(finding.Field)}
		if at := s.FieldAt(finding.Field); at != nil {
			j.Findings[i].Anchor = at.Name
		}
	}
	return j
}
