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

// findingView is a finding with the field that it is about.
type findingView struct {
	rules.Finding
	Anchor string // id of the field's control; empty if the form has none
	Label  string
}

// reviewOf assigns the findings of a review to the fields of a form.
func (k *kind) reviewOf(s *form.FilledForm, r rules.Review) *reviewView {
	j := &reviewView{Summary: page.ReviewSummary(r, k.submits()), HasBlockers: r.HasBlockers, Findings: make([]findingView, len(r.Findings))}
	for i, finding := range r.Findings {
		finding.Message, finding.Suggestion = s.ReplaceNames(finding.Message), s.ReplaceNames(finding.Suggestion)
		j.Findings[i] = findingView{Finding: finding, Label: s.LabelAt(finding.Field)}
		if at := s.FieldAt(finding.Field); at != nil {
			j.Findings[i].Anchor = at.Name
		}
	}
	return j
}
