package filings

import (
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/review"
)

// judgement is a review as a page shows it.
type judgement struct {
	Summary     string
	HasBlockers bool
	Findings    []found
}

// found is a finding, with the control that it is about.
type found struct {
	review.Finding
	Anchor string // id of the control; empty where the form has none
	Label  string
}

// judged says where on a form the findings of a review belong.
func judged(s *form.Sheet, r review.Review) *judgement {
	j := &judgement{Summary: r.Summary, HasBlockers: r.HasBlockers, Findings: make([]found, len(r.Findings))}
	for i, finding := range r.Findings {
		j.Findings[i] = found{Finding: finding, Label: form.Label(finding.Field)}
		if at := s.At(finding.Field); at != nil {
			j.Findings[i].Anchor, j.Findings[i].Label = at.Name, at.Label
		}
	}
	return j
}

// tag is how a page shows how much a finding matters.
type tag struct{ Text, Kind string }

func severity(s review.Severity) tag {
	switch s {
	case review.Blocker:
		return tag{"Blocker", "bad"}
	case review.Warning:
		return tag{"Warning", "wait"}
	}
	return tag{"Note", "note"}
}
