package print

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// severityNames are the severities of findings in words.
var severityNames = map[rules.Severity]string{rules.Blocker: "Must fix", rules.Warning: "Check", rules.Info: "For information"}

// writeReview writes the findings of the review. Those that several items have are one row.
func (d *Document) writeReview(w *pdfwriter.Writer) {
	review := d.service.Review(d.input)
	merged := rules.Merge(review.Findings)
	d.simulatedNote(w)
	if status := d.input.Filing.Status; status == lifecycle.Draft || status == lifecycle.Rejected {
		w.Paragraph("The review is of the declaration as it stands. It was not sent to customs in this form.")
	} else {
		w.Paragraph("The review is of the declaration as it was submitted.")
	}
	if len(merged) == 0 {
		w.Paragraph("No problems were found.")
		return
	}
	w.Heading(fmt.Sprintf("Findings (%d)", len(merged)))
	w.Table([]pdfwriter.Column{{Title: "Finding", Share: 1.4}, {Title: "What was found", Share: 5}, {Title: "What to do", Share: 4.5}, {Title: "Rule and source", Share: 3}}, func(yield func([]string) bool) {
		for _, m := range merged {
			message := worksheet.FormText(m.Message)
			if also := m.Also(); also != "" {
				message += " " + also + "."
			}
			if !yield([]string{severityNames[m.Severity], message, worksheet.FormText(m.Suggestion), m.Code + "\n" + m.Source}) {
				return
			}
		}
	})
}
