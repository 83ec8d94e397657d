package page

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Gravity is how every page says how much a finding matters.
func SeverityTag(s rules.Severity) Tag {
	switch s {
	case rules.Blocker:
		return Tag{"Must be mended", "bad"}
	case rules.Warning:
		return Tag{"Look at it", "wait"}
	}
	return Tag{"Worth knowing", "note"}
}

// Verdict is a review in a sentence, of what is submitted or of what is only kept.
func ReviewSummary(r rules.Review, submitted bool) string {
	blockers := 0
	for _, f := range r.Findings {
		if f.Severity == rules.Blocker {
			blockers++
		}
	}
	end := "."
	if submitted {
		end = " before you submit."
	}
	switch {
	case blockers == 1:
		return "1 thing must be mended" + end
	case blockers > 1:
		return fmt.Sprintf("%d things must be mended%s", blockers, end)
	case len(r.Findings) > 0 && submitted:
		return "Ready to submit once you have read this."
	case len(r.Findings) > 0:
		return "Nothing has to be mended."
	case submitted:
		return "Nothing found: ready to submit."
	}
	return "Nothing found."
}
