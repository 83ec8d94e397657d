package life

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// State is a state of the specification; empty if the messages do not decide it, because HMRC has not answered the draft.
type State string

// States.
const (
	Accepted  State = "ACCEPTED"
	InTransit State = "IN_TRANSIT" // the date of dispatch is reached
	Delivered State = "DELIVERED"
	Rejected  State = "REJECTED" // the draft
	Cancelled State = "CANCELLED"
)

// Stage is the name of a state in HMRC's own service.
type Stage string

// Stages.
const (
	StageAccepted         Stage = "ACCEPTED"
	StageCancelled        Stage = "CANCELLED"
	StageRejected         Stage = "REJECTED" // by the consignee before arrival, or by customs at export
	StageDelivered        Stage = "DELIVERED"
	StageRefused          Stage = "REFUSED"
	StagePartiallyRefused Stage = "PARTIALLY_REFUSED"
	StageExporting        Stage = "EXPORTING"
	StageStopped          Stage = "STOPPED"
	StageDiverted         Stage = "DIVERTED" // to another consignee, for the first one
	StageManuallyClosed   Stage = "MANUALLY_CLOSED"
)

// Known is what is known of a movement.
type Known struct {
	Messages []emcs.Message // from HMRC, in any order, with repeats
	DraftID  string         // identifier of the message IE815 that this service sent; empty if another system sent it
	Now      time.Time      // decides whether the date of dispatch is reached, in London
}

// Life is what became of a movement.
type Life struct {
	State       State
	Stage       Stage
	ARC         string
	LRN         string
	ValidatedAt string // when HMRC validated the draft, as it writes it
	DispatchOn  string // date, such as 2026-11-27
	Sequence    int    // of the destination, from 1; 0 before acceptance
	Destination Destination
	Receipts    []Receipt
	Alerts      []Alert
	Delays      []Delay
	Shortages   []Shortage
	Reminders   []Reminder
	Refusals    []Refusal // of the draft and of later messages
	Export      *Export
	Stopped     *Interruption
	Events      []Event
	Closure     *Closure
	Status      string // HMRC's answer about the status, such as X07; empty if there is none
	Open        []Open // explanations that are expected
}

// Of returns the life of a movement.
func Of(k Known) Life {
	all := inOrder(k.Messages)
	l := Life{}
	for _, m := range all {
		l.identify(m.Message)
		l.read(m)
	}
	s := signs{draftID: k.DraftID, today: k.Now.In(calendar.London()).Format(time.DateOnly)}
	for _, m := range all {
		s.note(m)
	}
	l.Stage = s.stage(&l)
	l.State = s.state(&l)
	l.Open = open(&l)
	return l
}

// identify sets the references that a message has. IE801 decides; other messages help until it is there.
func (l *Life) identify(m emcs.Message) {
	arc, _ := movementOf(m)
	switch m.Kind {
	case emcs.Accepted:
		l.accept(m.Body)
	case emcs.Refusal:
		if l.LRN == "" {
			l.LRN = m.Body.Value("Attributes", "LocalReferenceNumber")
		}
	default:
		if l.ARC == "" {
			l.ARC = arc
		}
	}
}

// accept takes what an IE801 says; of several, the one with the highest sequence number counts, and later ones of the same number.
func (l *Life) accept(b *emcs.Element) {
	n := number(b.Value("HeaderEadEsad", "SequenceNumber"))
	if n < l.Sequence {
		return
	}
	l.ARC, l.Sequence = b.Value("ExciseMovement", "AdministrativeReferenceCode"), n
	l.ValidatedAt = b.Value("ExciseMovement", "DateAndTimeOfValidationOfEadEsad")
	l.LRN, l.DispatchOn = b.Value("EadEsad", "LocalReferenceNumber"), b.Value("EadEsad", "DateOfDispatch")
	l.Destination = destinationOf(b)
}
