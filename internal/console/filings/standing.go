package filings

import (
	"fmt"
	"slices"

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
	if !slices.ContainsFunc(r.Steps, func(s step) bool { return s.For == tenant.Owner }) {
		return nil
	}
	where := "Submit it to the authority."
	if r.Checklist != nil {
		where = fmt.Sprintf("Type it into %s: “Checklist” has the values in the right order.", r.Checklist.Site)
	}
	return &standing{"wait", sentences("This service did not send it.", where, "After the authority has decided, an owner enters the decision.")}
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
