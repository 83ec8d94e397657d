package print

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// simulatedMark is on each page of a document whose references and answers are not those of HMRC.
const simulatedMark = "SIMULATED"

// head returns the top of the document.
func (d *Document) head() pdfwriter.Head {
	f := &d.input.Filing
	h := pdfwriter.Head{
		Title: d.title(), Name: cmp.Or(d.input.Declaration.Reference, d.added.LRN), Organisation: d.organisation, Changed: f.UpdatedAt,
		Version: fmt.Sprintf("Version %d of %s", f.Version, moment(f.UpdatedAt)), Running: "LRN " + d.added.LRN,
	}
	if d.added.MRN != nil {
		h.Running += "  ·  MRN " + *d.added.MRN
	}
	if d.simulated() {
		h.Mark = simulatedMark
	}
	add := func(name, value string) {
		if value != "" {
			h.Facts = append(h.Facts, pdfwriter.Fact{Name: name, Value: value})
		}
	}
	add("Organisation", d.organisation)
	add("EORI", d.input.Trader.EORI)
	add("Client", d.input.Client.Name)
	add("EORI of the client", d.input.Client.EORI)
	add("Own reference", d.input.Declaration.Reference)
	add("LRN", d.added.LRN)
	if d.added.MRN != nil {
		add("MRN", *d.added.MRN)
	}
	add("DUCR", d.added.DUCR)
	add("Status", statusName(f.Status))
	add("Submitted", instant(d.added.SubmittedAt))
	add("Accepted", instant(d.added.AcceptedAt))
	add("Cleared", instant(d.added.ClearedAt))
	add("Last changed", moment(f.UpdatedAt))
	return h
}

// simulated reports whether references and answers come from the simulator.
func (d *Document) simulated() bool {
	return d.input.Simulated || d.added.Simulated || d.added.ReferenceSource != nil || d.test
}

func (d *Document) title() string {
	direction := "Export"
	if d.imports() {
		direction = "Import"
	}
	switch d.of {
	case OfClearance:
		return direction + " clearance"
	case OfReview:
		return "Review of the " + strings.ToLower(direction) + " declaration"
	}
	return direction + " declaration"
}

// statusNames are the statuses in words.
var statusNames = map[lifecycle.State]string{
	lifecycle.Draft: "Draft, not sent to customs", lifecycle.Submitted: "Submitted", lifecycle.Accepted: "Accepted, not released", lifecycle.Rejected: "Rejected by customs",
	customs.Cleared: "Cleared", lifecycle.Cancelled: "Cancelled",
}

func statusName(s lifecycle.State) string { return cmp.Or(statusNames[s], string(s)) }

// simulatedNote explains the mark.
func (d *Document) simulatedNote(w *pdfwriter.Writer) {
	switch {
	case d.added.SimulatedBy != "":
		w.Note("Simulated: the outcome was selected by " + d.added.SimulatedBy + ". References and answers are not those of HMRC.")
	case d.simulated():
		w.Note("Simulated: references and answers come from the simulator of this service, not from HMRC.")
	}
}
