package customs

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Stage is what a declaration waits for, besides its status.
type Stage string

// WaitingConsent means that the document waits for the organisation's consent at HMRC.
const WaitingConsent Stage = "WAITING_CONSENT"

// waits reports whether the declaration is submitted and customs does not have it yet.
func (a *added) waits(f *filing.Filing) bool {
	return a.Stage == WaitingConsent && f.Status == lifecycle.Submitted && a.ConversationID == ""
}

// hold stores that a transmission waits for a consent. A declaration is SUBMITTED meanwhile.
func (s *Service) hold(tx Tx, t Transmission) error {
	if err := tx.CompleteTransmission(t); err != nil {
		return err
	}
	f, err := tx.Filing(s.Type.Kind, t.FilingID)
	if err != nil {
		return err
	}
	a, err := addedOf(&f)
	if err != nil || a.Stage == WaitingConsent {
		return err
	}
	if t.Purpose != toSubmit {
		return s.setStage(tx, t, WaitingConsent)
	}
	if _, ok := s.Type.Lifecycle.Find(f.Status, lifecycle.Submit); !ok { // CDS has answered an earlier transmission
		return nil
	}
	step, err := submitted(tx, t)
	if err != nil {
		return err
	}
	if err := s.estimateAgain(tx, &step, &f, t); err != nil {
		return err
	}
	step.Added["conversationId"], step.Added["stage"] = nil, WaitingConsent
	step.Data["stage"] = WaitingConsent
	if _, err := s.Filings.Transition(tx, t.Request.Call, s.Type, t.FilingID, lifecycle.Submit, step); err != nil {
		return err
	}
	return storeAnswer(tx, t.Request, waiting())
}

// setStage sets or, if it is empty, removes the stage of a declaration whose status stays.
func (s *Service) setStage(tx Tx, t Transmission, stage Stage) error {
	step := filing.TransitionData{Added: filing.Added{"stage": nil}, Data: filing.Added{"stage": stage}}
	if stage != "" {
		step.Added["stage"] = stage
	}
	_, err := s.Filings.Transition(tx, systemCall(tx), s.Type, t.FilingID, note, step)
	return ignoreInvalidState(err)
}

// sendWaiting stores that CDS has accepted a declaration that waited.
func (s *Service) sendWaiting(tx Tx, t Transmission) error {
	step, err := submitted(tx, t)
	if err != nil {
		return err
	}
	step.Added["stage"] = nil
	if _, err := s.Filings.Transition(tx, systemCall(tx), s.Type, t.FilingID, send, step); err != nil {
		return err
	}
	return storeAnswer(tx, t.Request, submission(t.ConversationID, t.Request.SimulatedBy))
}

// takeBack makes a declaration that waited a draft again, because CDS did not accept it or the outcome is unknown.
func (s *Service) takeBack(tx Tx, t Transmission) error {
	f, err := tx.Filing(s.Type.Kind, t.FilingID)
	if err != nil {
		return err
	}
	a, err := addedOf(&f)
	switch {
	case err != nil || a.Stage != WaitingConsent:
		return err
	case t.Purpose != toSubmit:
		return s.setStage(tx, t, "")
	case !a.waits(&f):
		return nil
	}
	data := filing.Added{"outcome": t.State, "lrn": t.LRN}
	if reason := t.err(); reason != nil && t.State == outbox.Refused {
		data["reason"] = t.Problem.Message
	}
	_, err = s.Filings.Transition(tx, systemCall(tx), s.Type, t.FilingID, takeBack, filing.TransitionData{Added: filing.Added{"stage": nil}, Data: data})
	return err
}

func systemCall(tx Tx) tenant.Call { return tenant.Call{Principal: tenant.System(tx.Org())} }

// waiting returns the answer about a declaration that waits for a consent.
func waiting() Submission {
	return Submission{Status: lifecycle.Submitted, Stage: WaitingConsent}
}
