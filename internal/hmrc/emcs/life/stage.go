package life

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// signs are what decides state and stage besides the reports of a Life.
type signs struct {
	draftID        string
	today          string
	refused        bool // the draft
	accepted       bool // by an IE801, or by another message with an ARC
	cancelled      bool
	changed        bool // by an IE813
	diverted       int  // highest sequence number of an IE803
	highest        int  // sequence number of IE801 and IE813
	exportRejected bool // the latest word of customs
}

func (s *signs) note(m dated) {
	_, n := movementOf(m.Message)
	switch m.Kind {
	case emcs.Refusal:
		s.refused = s.refused || s.refusesDraft(m.Message)
		return
	case emcs.Accepted:
		s.highest = max(s.highest, number(m.Body.Value("HeaderEadEsad", "SequenceNumber")))
	case emcs.DestinationChange:
		s.changed, s.highest = true, max(s.highest, n)
	case emcs.Diverted:
		s.diverted = max(s.diverted, n)
	case emcs.Cancellation:
		s.cancelled = true
	case emcs.ExportAccepted, emcs.CustomsRejection:
		s.exportRejected = m.Kind == emcs.CustomsRejection
	}
	s.accepted = true
}

// refusesDraft reports whether an IE704 is about the draft: it then has an LRN, which the refusal of another message must not have (condition C151), or no
// ARC (C150), or it names the draft.
func (s *signs) refusesDraft(m emcs.Message) bool {
	arc, _ := movementOf(m)
	return arc == "" || m.Body.Value("Attributes", "LocalReferenceNumber") != "" || s.draftID != "" && m.Header.Correlation == s.draftID
}

// Codes of receipts.
var (
	received = []string{"1", "2", "21", "22"}
	refusals = map[string]Stage{"3": StageRefused, "4": StagePartiallyRefused, "23": StageRejected}
)

// stage returns the stage. What ends a movement comes before what is reported about its present destination.
func (s *signs) stage(l *Life) Stage {
	switch {
	case s.cancelled:
		return StageCancelled
	case l.Closure != nil && l.Closure.Accepted:
		return StageManuallyClosed
	case slices.ContainsFunc(l.Receipts, isReceived):
		return StageDelivered
	case l.Stopped != nil:
		return StageStopped
	case s.diverted > 0 && !s.changed && s.highest <= s.diverted:
		return StageDiverted
	case s.accepted:
		return s.stageOfDestination(l)
	}
	return ""
}

func isReceived(r Receipt) bool { return slices.Contains(received, r.Conclusion) }

// stageOfDestination returns what is reported about the present destination; reports about an earlier one no longer count.
func (s *signs) stageOfDestination(l *Life) Stage {
	for _, r := range slices.Backward(l.Receipts) {
		if stage, refused := refusals[r.Conclusion]; refused && r.Sequence >= s.highest {
			return stage
		}
	}
	rejects := func(a Alert) bool { return a.Rejected && a.Sequence >= s.highest }
	switch {
	case s.exportRejected || slices.ContainsFunc(l.Alerts, rejects):
		return StageRejected
	case l.Export != nil:
		return StageExporting
	}
	return StageAccepted
}

// state returns the state of the record. Only the messages that the contract names change it; the others change the stage.
func (s *signs) state(l *Life) State {
	switch {
	case s.cancelled:
		return Cancelled
	case l.Closure != nil && l.Closure.Accepted, slices.ContainsFunc(l.Receipts, isReceived):
		return Delivered
	case s.accepted && l.DispatchOn != "" && l.DispatchOn <= s.today:
		return InTransit
	case s.accepted:
		return Accepted
	case s.refused:
		return Rejected
	}
	return ""
}
