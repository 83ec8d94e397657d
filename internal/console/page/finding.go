package page

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// SeverityTag returns the tag that shows the severity of a finding.
func SeverityTag(s rules.Severity) Tag {
	switch s {
	case rules.Blocker:
		return Tag{"Must fix", "bad"}
	case rules.Warning:
		return Tag{"Check", "wait"}
	}
	return Tag{"For information", "note"}
}

// ReviewSummary returns a review in one sentence. submitted is whether records of the kind are submitted.
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
		return "1 problem must be fixed" + end
	case blockers > 1:
		return fmt.Sprintf("%d problems must be fixed%s", blockers, end)
	case submitted && r.NotYet():
		return "Do not submit it yet. Read these findings."
	case len(r.Findings) > 0 && submitted:
		return "Ready to submit. Read these findings first."
	case len(r.Findings) > 0:
		return "Nothing must be fixed."
	case submitted:
		return "No problems found. Ready to submit."
	}
	return "No problems found."
}

// ReasonOf returns why an authority rejected a record, as a sentence; empty if that is not known.
func ReasonOf(f *filing.Filing) string {
	var added struct {
		Reason   string
		Refusals []struct{ Message string }
	}
	if json.Unmarshal(f.Added, &added) != nil {
		return ""
	}
	if len(added.Refusals) > 0 {
		added.Reason = added.Refusals[0].Message
	}
	if added.Reason != "" && !strings.HasSuffix(added.Reason, ".") {
		added.Reason += "."
	}
	return added.Reason
}
