package submission

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Submission is a return that is sent to HMRC: the figures as the user declared them, and the outcome.
type Submission struct {
	outbox.Item
	VRN     ident.VRN
	Body    mtd.Submission
	Receipt mtd.Receipt
	Origin  mtd.Origin // of the user
}

// Request says who submits a return, from where, and under which idempotency key.
type Request struct {
	outbox.Request
	Origin mtd.Origin `json:"origin"`
}

// Note explains the reference of a return that HMRC has accepted, and what to do next.
const Note = "HMRC has the return; its reference is HMRC's form bundle number. Mark the return accepted once HMRC shows the period as fulfilled, and pay what box 5 owes by the due date."

// noteFound is the note of a return whose receipt was lost.
const noteFound = "HMRC has the return. Its answer was lost on the way, so the return was looked for and found there; the form bundle number stands in HMRC's own account of the trader. Mark the return accepted once HMRC shows the period as fulfilled, and pay what box 5 owes by the due date."

// Answer is the answer to a caller who submits a return.
type Answer struct {
	Body    []byte // JSON; nil if the organisation is not connected
	Version int64  // of the return in the body
}

// Submit sends a return to HMRC and returns the answer to the caller. Concurrent and repeated calls send it once. If the
// organisation is not connected, Submit does nothing and the answer is empty.
func (s *Service) Submit(ctx context.Context, r Request, id string) (a Answer, err error) {
	var sub Submission
	connected := false
	err = s.Store.UpdateVAT(ctx, r.Call.Org, func(tx Tx) (err error) {
		sub, connected, err = s.prepare(tx, r, id)
		return err
	})
	if err != nil || !connected {
		return a, err
	}
	last, err := s.outbox().Wait(ctx, r.Call.Org, sub.ID, sub.Attempts, nil)
	if err == nil {
		err = last.Err()
	}
	if err != nil {
		return a, err
	}
	err = s.Store.UpdateVAT(ctx, r.Call.Org, func(tx Tx) error {
		f, err := tx.Filing(s.Returns.Kind, id)
		if err != nil {
			return err
		}
		if sub, err = tx.Submission(sub.ID); err != nil {
			return err
		}
		a = Answer{Body: s.answer(&f, sub), Version: f.Version}
		return r.StoreAnswer(tx, a.Body, a.Version)
	})
	return a, err
}

// prepare returns the submission to wait for: one in doubt, whose next attempt it makes due at once, or a new one with its
// job. It returns connected=false if the return is not a draft, or if the organisation is not connected and HMRC cannot
// have the return.
func (s *Service) prepare(tx Tx, r Request, id string) (sub Submission, connected bool, err error) {
	f, err := tx.Filing(s.Returns.Kind, id)
	if err != nil {
		return sub, false, err
	}
	if err := r.If.Check(f.Version); err != nil {
		return sub, false, err
	}
	if _, ok := s.Returns.Lifecycle.Find(f.Status, lifecycle.Submit); !ok {
		return sub, false, nil
	}
	last, found, err := tx.LatestSubmission(id)
	if err != nil {
		return sub, false, err
	}
	c, connected, err := tx.Connection()
	if err != nil {
		return sub, false, err
	}
	if found && last.InDoubt() {
		if !connected || !s.IsEnabled() {
			return sub, false, inDoubt()
		}
		return last, true, s.outbox().SendNow(tx, last.ID)
	}
	if !connected || !s.IsEnabled() {
		return sub, false, nil
	}
	clearance, err := s.Filings.Clear(tx, r.Call, s.Returns, &f, func(at filing.Fixed) (out filing.Outgoing, err error) {
		if sub, err = s.newSubmission(tx, c, r, &f); err != nil {
			return out, err
		}
		return sub.outgoing(at)
	})
	if err != nil {
		return sub, false, err
	}
	sub.Request.Approved = clearance.Approved()
	if err := tx.AddSubmission(sub); err != nil {
		return sub, false, err
	}
	return sub, true, s.outbox().Enqueue(tx, sub.ID, clearance)
}

// Outgoing returns what a submission of a return sends: HMRC's form of it, or the return if the organisation is not connected.
func (s *Service) Outgoing(tx Tx, f *filing.Filing, at filing.Fixed) (out filing.Outgoing, err error) {
	c, connected, err := tx.Connection()
	if err != nil {
		return out, err
	}
	if !connected || !s.IsEnabled() {
		return filing.BodyOf(f, at), nil
	}
	sub, err := s.newSubmission(tx, c, Request{}, f)
	if err != nil {
		return out, err
	}
	return sub.outgoing(at)
}

// outgoing returns the bytes that are sent.
func (sub *Submission) outgoing(at filing.Fixed) (out filing.Outgoing, err error) {
	out.At, out.ContentType = at.At, "application/json"
	out.Body, err = json.Marshal(sub.Body)
	return out, err
}

// newSubmission returns the submission of a return, or an error if HMRC does not expect the return of this connection.
func (s *Service) newSubmission(tx Tx, c Connection, r Request, f *filing.Filing) (sub Submission, err error) {
	var ret tax.Return
	if err := json.Unmarshal(f.Body, &ret); err != nil {
		return sub, fmt.Errorf("vat: return %s: %w", f.ID, err)
	}
	if c.Status != Connected {
		return sub, noConsent()
	}
	if vrn, err := ident.ParseVRN(ret.VATNumber); err != nil || vrn != c.VRN {
		return sub, apierr.New(apierr.InvalidState, "The return is for the VAT number %q, but the connection to HMRC is for %s. Compute the return again, or connect again.", ret.VATNumber, c.VRN)
	}
	o, known := c.obligation(ret.PeriodKey)
	switch {
	case !known && c.FetchedAt.IsZero():
		return sub, apierr.New(apierr.InvalidState, "The periods have not been fetched from HMRC yet. GET /api/tax/connection shows the status.")
	case !known:
		return sub, apierr.New(apierr.InvalidState, "HMRC expects no return for %s.", ret.PeriodKey)
	case o.State == mtd.Fulfilled:
		return sub, apierr.New(apierr.InvalidState, "HMRC already has a return for %s.", ret.PeriodKey)
	}
	return Submission{
		Item: outbox.Item{ID: s.IDs.UUID(), FilingID: f.ID, State: outbox.Pending, Request: r.Request, CreatedAt: tx.Now()},
		VRN:  c.VRN, Body: returnFor(o.PeriodKey, ret), Origin: r.Origin,
	}, nil
}

// returnFor returns a return in the format of HMRC's API. Submitting it declares that it is final.
func returnFor(periodKey string, r tax.Return) mtd.Submission {
	return mtd.Submission{Finalised: true, Return: mtd.Return{
		PeriodKey: periodKey, VATDueSales: r.Box1VATDueSales, VATDueAcquisitions: r.Box2VATDueAcquisitions, TotalVATDue: r.Box3TotalVATDue,
		VATReclaimed: r.Box4VATReclaimed, NetVATDue: r.Box5NetVAT, TotalSales: r.Box6TotalSales, TotalPurchases: r.Box7TotalPurchases,
		TotalSupplies: r.Box8TotalSuppliesEU, TotalAcquisitions: r.Box9TotalAcquisitionsEU,
	}}
}

// CheckTransition returns an error for a transition of a return that HMRC may have, and for a submission without HMRC if the
// organisation is connected now.
func (s *Service) CheckTransition(tx Tx, id string, by lifecycle.Action) error {
	last, found, err := tx.LatestSubmission(id)
	if err != nil {
		return err
	}
	if found && last.InDoubt() {
		return inDoubt()
	}
	if by != lifecycle.Submit || !s.IsEnabled() {
		return nil
	}
	f, err := tx.Filing(s.Returns.Kind, id)
	if err != nil || f.Status != lifecycle.Draft {
		return err
	}
	if _, connected, err := tx.Connection(); err != nil || !connected {
		return err
	}
	return apierr.New(apierr.InvalidState, "The organisation has just been connected to HMRC. Submit the return again.")
}

func inDoubt() error {
	return apierr.New(apierr.InvalidState, "HMRC may already have this return. Submit it again, unchanged, to find out; this requires the connection to HMRC.")
}

func noConsent() *apierr.Error {
	return apierr.New(apierr.InvalidState, "HMRC no longer accepts the consent of this organisation. An OWNER must give it again (POST /api/tax/connection) or end the connection.")
}

// answer returns the answer to the caller after HMRC has accepted the return.
func (s *Service) answer(f *filing.Filing, sub Submission) []byte {
	note := Note
	if sub.Receipt.FormBundleNumber == "" {
		note = noteFound
	}
	text, _ := json.Marshal(note)
	body := append(f.AppendJSON([]byte(`{"`+s.Returns.Singular+`":`)), `,"note":`...)
	return append(append(body, text...), '}')
}
