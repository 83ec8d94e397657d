package customs

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Cancel cancels a draft at once. For a submitted declaration it sends CDS a cancellation request; the declaration is
// CANCELLED once CDS grants it. Without a reason the declaration is no longer required. A request with a key that is
// repeated has its effect once. answer, if not nil, stores the answer to a request that cancelled a draft, in the same
// transaction.
func (s *Service) Cancel(ctx context.Context, r Request, id string, reason *CancellationBody, answer func(Tx, *filing.Filing) error) (f filing.Filing, err error) {
	detail := withoutReason
	if reason != nil {
		if err := reason.check(); err != nil {
			return f, err
		}
		detail.ReasonCode, detail.Reason = reason.ReasonCode, reason.Reason
	}
	single, err := s.Consents.HasSingle(ctx)
	if err != nil {
		return f, err
	}
	var transmission string
	err = s.Store.UpdateCustoms(ctx, r.Call.Org, func(tx Tx) (err error) {
		f, transmission, err = s.prepareCancel(tx, r, id, detail, single)
		if err == nil && transmission == "" && answer != nil {
			err = answer(tx, &f)
		}
		return err
	})
	if err != nil || transmission == "" {
		return f, err
	}
	if _, err := s.outcome(ctx, r, transmission); err != nil {
		return f, err
	}
	err = s.Store.ViewCustoms(ctx, r.Call.Org, func(tx Tx) (err error) { f, err = tx.Filing(s.Type.Kind, id); return err })
	return f, err
}

func (s *Service) prepareCancel(tx Tx, r Request, id string, detail RequestDetail, single bool) (filing.Filing, string, error) {
	if err := s.checkSimulate(tx, r, isDecision, "grant, deny"); err != nil {
		return filing.Filing{}, "", err
	}
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return f, "", err
	}
	if sent, err := sentBy(tx, r, id); err != nil || sent {
		return f, "", err
	}
	if err := r.If.Check(f.Version); err != nil {
		return f, "", err
	}
	afterClearance := f.Status == Cleared && detail.ReasonCode == wco.CancelOther
	if f.Status != lifecycle.Submitted && f.Status != lifecycle.Accepted && !afterClearance {
		if err := s.notInDoubt(tx, id); err != nil {
			return f, "", err
		}
		switch {
		case f.Status == Cleared:
			return f, "", apierr.New(apierr.InvalidState, "Cannot cancel this declaration while it is CLEARED, except with reason code 3 and the ground on which the law allows it.")
		case f.Status != lifecycle.Draft:
			return f, "", apierr.New(apierr.InvalidState, "Cannot cancel this declaration while it is %s; it must be DRAFT, SUBMITTED or ACCEPTED.", f.Status)
		}
		f, err = s.Filings.Transition(tx, r.Call, s.Type, id, lifecycle.Cancel, filing.TransitionData{})
		return f, "", err
	}
	a, err := addedOf(&f)
	if err != nil {
		return f, "", err
	}
	if a.Cancellation != nil && a.Cancellation.Status == "REQUESTED" {
		return f, "", nil
	}
	if a.waits(&f) {
		f, err = s.cancelWaiting(tx, r, &f)
		return f, "", err
	}
	if a.MRN == nil {
		return f, "", apierr.New(apierr.InvalidState, "Customs has not given this declaration an MRN yet, which a cancellation needs. Try again in a moment.")
	}
	if err := s.checkConsent(tx, single); err != nil {
		return f, "", err
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return f, "", err
	}
	if last, ok := latest(ts, toCancel); ok && last.State == outbox.Pending {
		return f, last.ID, s.outbox().SendNow(tx, last.ID)
	}
	reference := s.IDs.LRN()
	body, err := encodeCancellation(reference, *a.MRN, detail)
	if err != nil {
		return f, "", err
	}
	t := Transmission{Purpose: toCancel, Reference: reference, LRN: a.LRN, Body: body, Detail: detail}
	t.FilingID, t.Request = id, r
	if t.Request.SimulatedBy, err = s.simulatedBy(tx, &t); err != nil {
		return f, "", err
	}
	transmission, err := s.dispatch(tx, t, filing.NoApproval())
	return f, transmission, err
}

// cancelWaiting cancels a declaration that waits for a consent: customs certainly does not have it.
func (s *Service) cancelWaiting(tx Tx, r Request, f *filing.Filing) (filing.Filing, error) {
	ts, err := tx.Transmissions(f.ID)
	if err != nil {
		return *f, err
	}
	t, _ := latest(ts, toSubmit)
	attempts, err := tx.Attempts(SendQueue, t.ID)
	if err != nil {
		return *f, err
	}
	if attempts > 0 || t.Repeated || t.State != outbox.Pending {
		return *f, apierr.New(apierr.InvalidState, "This declaration is being sent to customs. Try again in a moment.")
	}
	t.State, t.CompletedAt = outbox.Refused, tx.Now()
	t.Problem = outbox.Problem{Code: apierr.InvalidState, Message: "The declaration was cancelled before it was sent."}
	if err := tx.CompleteTransmission(t); err != nil {
		return *f, err
	}
	if err := s.takeBack(tx, t); err != nil {
		return *f, err
	}
	return s.Filings.Transition(tx, r.Call, s.Type, f.ID, lifecycle.Cancel, filing.TransitionData{})
}

// sentBy reports whether the same request, by its key, has sent a cancellation already.
func sentBy(tx Tx, r Request, id string) (bool, error) {
	ts, err := tx.Transmissions(id)
	last, found := latest(ts, toCancel)
	return found && last.State == outbox.Sent && last.IsOf(r, tx.Now()), err
}
