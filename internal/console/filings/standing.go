package filings

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// standing says what has become of a record that was submitted, and what to do next.
type standing struct{ Colour, Text string }

// standing returns what the page says above a record; nil if its review and its buttons say it. decides is whether a connected
// authority sets the status.
func (r *recordView) standing(f *filing.Filing, decides bool) *standing {
	switch {
	case r.Replaceable:
		return &standing{"bad", sentences("It was rejected.", page.ReasonOf(f), "Correct a copy and send it in its place.")}
	case r.BeginsAgain:
		return &standing{"bad", sentences("It was rejected and cannot be changed.", page.ReasonOf(f), "Create a new one with the same details.")}
	case f.Status != lifecycle.Submitted:
		return nil
	case decides:
		return &standing{"wait", "The authority has not decided yet. Its answer sets the status."}
	}
	marks := ""
	for _, s := range r.Steps {
		if s.For == tenant.Owner && marks == "" {
			marks = "“" + s.Label + "”"
		} else if s.For == tenant.Owner {
			marks += " or “" + s.Label + "”"
		}
	}
	if marks == "" {
		return nil
	}
	where := "Submit it to the authority."
	if r.Checklist != nil {
		where = fmt.Sprintf("Type it into %s: “Checklist” has the values in the right order.", r.Checklist.Site)
	}
	return &standing{"wait", sentences("This service did not send it.", where, "After the authority has decided, an owner chooses "+marks+".")}
}

// sentences joins the sentences that are not empty.
func sentences(all ...string) (text string) {
	for _, s := range all {
		if s != "" && text != "" {
			text += " "
		}
		text += s
	}
	return text
}
