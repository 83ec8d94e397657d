package filing

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// States of an approval.
const (
	ApprovalNone    = "NONE"
	ApprovalWaiting = "REQUESTED"
	ApprovalHolds   = "APPROVED"
	ApprovalEnded   = "ENDED"
)

// RecordApproval is what would be submitted of a record, and whether a second person has approved it, as the API shows it.
type RecordApproval struct {
	Required       bool    `json:"required" doc:"Whether the organisation requires approval"`
	State          string  `json:"state" enum:"NONE,REQUESTED,APPROVED,ENDED" doc:"ENDED: something has changed since"`
	SHA256         *string `json:"sha256" doc:"Digest of document; null if the record cannot be submitted"`
	ContentType    string  `json:"contentType,omitempty" doc:"Of document" example:"application/xml"`
	Document       *string `json:"document" doc:"What would be sent; access codes are masked"`
	LRN            *string `json:"lrn" doc:"LRN in it; null for kinds without one" example:"TWS0123456789ABCDEFGHJ"`
	SendingTime    *string `json:"sendingTime" format:"date-time" doc:"Time of sending for which it was made; an approval fixes it"`
	Problem        *string `json:"problem" doc:"Why the record cannot be submitted or approved; null if it can"`
	ApprovedSHA256 *string `json:"approvedSha256" doc:"Digest that was approved"`
	ApprovedBy     *string `json:"approvedBy" format:"uuid" doc:"User who approved"`
	ApprovedAt     *string `json:"approvedAt" format:"date-time" doc:"When"`
	RequestedBy    *string `json:"requestedBy" format:"uuid" doc:"User who asked for approval"`
	RequestedAt    *string `json:"requestedAt" format:"date-time" doc:"When"`

	Open bool `json:"-"` // the status allows a submission
}

// ApprovalOf returns what would be submitted of a record, and the state of its approval. The record is returned too.
func (s *Service) ApprovalOf(tx Tx, t *Type, id string) (shown RecordApproval, f Filing, err error) {
	if f, err = tx.Filing(t.Kind, id); err != nil {
		return shown, f, err
	}
	org, err := tx.Organisation()
	if err != nil {
		return shown, f, err
	}
	shown.Required, shown.State = org.Policy.ApprovalRequired, ApprovalNone
	a, found, err := tx.Approval(id)
	if err != nil {
		return shown, f, err
	}
	if _, shown.Open = t.Lifecycle.Find(f.Status, lifecycle.Submit); !shown.Open {
		if shown.Open = a.Proposal != ""; !shown.Open {
			closed := invalidTransition(t, lifecycle.Submit, f.Status)
			shown.Problem = &closed.Message
			return shown, f, nil
		}
	}
	out, err := s.present(tx, t, &f, &a, &shown)
	if err != nil || !found {
		return shown, f, err
	}
	shown.RequestedBy, shown.RequestedAt = textOf(a.AskedBy), instantOf(a.AskedBy, a.AskedAt)
	shown.ApprovedBy, shown.ApprovedAt, shown.ApprovedSHA256 = textOf(a.ApprovedBy), instantOf(a.ApprovedBy, a.ApprovedAt), textOf(a.SHA256)
	if shown.State = ApprovalWaiting; !a.Given() {
		return shown, f, nil
	}
	shown.State = ApprovalEnded
	if out == nil {
		return shown, f, nil
	}
	holds, err := s.covers(&a, tx.Org(), out)
	if holds {
		shown.State = ApprovalHolds
	}
	return shown, f, err
}

// present shows what would be submitted with the values that an approval has fixed. What is missing for that is the problem.
func (s *Service) present(tx Tx, t *Type, f *Filing, a *Approval, shown *RecordApproval) (*Outgoing, error) {
	at := a.Fixed
	if at.At.IsZero() {
		at.At = tx.Now()
	}
	out, err := s.outgoing(tx, t, f, at)
	if e, ok := apierr.As(err); ok && refuses(e) {
		text := e.Message
		for _, d := range e.Details {
			text += " " + d.Field + ": " + d.Message + "."
		}
		shown.Problem = &text
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, sum, sending := string(out.Body), out.SHA256(), audit.Instant(out.At)
	shown.ContentType, shown.Document, shown.SHA256, shown.SendingTime, shown.LRN = out.ContentType, &text, &sum, &sending, textOf(out.LRN)
	return &out, nil
}

// textOf returns a text; nil for an empty one.
func textOf(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// instantOf returns the instant at which a user did something; nil for no user.
func instantOf(user string, at time.Time) *string {
	if user == "" {
		return nil
	}
	return textOf(audit.Instant(at))
}

// refuses reports whether an error says that a record cannot be submitted as it is.
func refuses(e *apierr.Error) bool {
	switch e.Code {
	case apierr.DeclarationIncomplete, apierr.InvalidRequest, apierr.InvalidState, apierr.CustomsConsentRequired, apierr.RequestInProgress:
		return true
	}
	return false
}

// holds reports whether an approval is for what would be submitted now.
func (s *Service) holds(tx Tx, t *Type, f *Filing, a *Approval) (bool, error) {
	out, err := s.outgoing(tx, t, f, a.Fixed)
	if e, ok := apierr.As(err); ok && refuses(e) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return s.covers(a, tx.Org(), &out)
}

// MayApprove returns why a call must not approve a record; nil if it may.
func (s *Service) MayApprove(tx Tx, call tenant.Call, t *Type, f *Filing) error {
	if _, err := s.approvable(tx, call, t, f.ID, lifecycle.Approve, nil); err != nil {
		return err
	}
	a, _, err := tx.Approval(f.ID)
	if err != nil {
		return err
	}
	return s.checkSecondPerson(tx, call, t, &a)
}
