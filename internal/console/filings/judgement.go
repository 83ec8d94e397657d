package filings

import (
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// judgement is a review as a page shows it.
type judgement struct {
	Summary     string
	HasBlockers bool
	Findings    []found
}

// found is a finding, with the control that it is about.
type found struct {
	rules.Finding
	Anchor string // id of the control; empty where the form has none
	Label  string
}

// judged says where on a form the findings of a review belong.
func (k *kind) judged(s *form.Sheet, r rules.Review) *judgement {
	j := &judgement{Summary: page.ReviewSummary(r, k.submits()), HasBlockers: r.HasBlockers, Findings: make([]found, len(r.Findings))}
	for i, finding := range r.Findings {
		finding.Message, finding.Suggestion = s.InWords(finding.Message), s.InWords(finding.Suggestion)
		j.Findings[i] = found{Finding: finding, Label: s.Called(finding.Field)}
		if at := s.At(finding.Field); at != nil {
			j.Findings[i].Anchor = at.Name
		}
	}
	return j
}
