package submission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of waiting for HMRC.
const (
	patience = 45 * time.Second       // how long a caller waits for the outcome
	glance   = 100 * time.Millisecond // how often he looks for it
)

// State is how far a submission has come.
type State string

// The states of a submission. Only the last two are an end.
const (
	Pending State = "pending" // not tried yet, or being tried for the first time
	Unknown State = "unknown" // tried, and HMRC may have it
	Sent    State = "sent"    // HMRC has it
	Refused State = "refused" // HMRC certainly has not got it
)

// Submission is a return on its way to HMRC: the figures as they were when somebody
// declared them, and what became of them.
type Submission struct {
	ID, FilingID string
	VRN          ident.VRN
	State        State
	Tries        int64 // attempts whose end is known
	Body         mtd.Submission
	Receipt      mtd.Receipt
	Problem      Problem
	Request      Request
	CreatedAt    time.Time
	SettledAt    time.Time
}

// Request is who asked for a submission, from where, and under which idempotency key.
type Request struct {
	Call   tenant.Call `json:"call"`
	Origin mtd.Origin  `json:"origin"`
	Key    string      `json:"key,omitempty"`
	Digest string      `json:"digest,omitempty"`
}

// Note says what the reference of a return is that HMRC has, and what to do next.
const Note = "HMRC has the return; its reference is HMRC's form bundle number. Mark the return accepted once HMRC shows the period as fulfilled, and pay what box 5 owes by the due date."

// noteFound is the note of a return whose receipt was lost on the way.
const noteFound = "HMRC has the return. Its answer was lost on the way, so the return was looked for and found there; the form bundle number stands in HMRC's own account of the trader. Mark the return accepted once HMRC shows the period as fulfilled, and pay what box 5 owes by the due date."

// Submit sends a return to HMRC, once however many ask, and gives the answer to the
// call. It is nil where the organisation has no connection: then nothing was done.
func (s *Service) Submit(ctx context.Context, r Request, id string) (body []byte, err error) {
	var sub Submission
	mine := false
	err = s.Store.UpdateVAT(ctx, r.Call.Org, func(tx Tx) (err error) {
		sub, mine, err = s.prepare(tx, r, id)
		return err
	})
	if err != nil || !mine {
		return nil, err
	}
	if err := s.outcome(ctx, r.Call.Org, sub.ID, sub.Tries); err != nil {
		return nil, err
	}
	err = s.Store.UpdateVAT(ctx, r.Call.Org, func(tx Tx) error {
		f, err := tx.Filing(s.Returns.Kind, id)
		if err != nil {
			return err
		}
		if sub, err = tx.Submission(sub.ID); err != nil {
			return err
		}
		body = s.answer(&f, sub)
		return keep(tx, r, body)
	})
	return body, err
}

// prepare joins a submission that is under way, hastening the attempt that will
// settle it, or stores a new one with the job that sends it. It is nobody's business
// here when there is no connection and never was one for the return, or when the
// return is no longer a draft.
func (s *Service) prepare(tx Tx, r Request, id string) (sub Submission, mine bool, err error) {
	f, err := tx.Filing(s.Returns.Kind, id)
	if err != nil {
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
	if found && (last.State == Pending || last.State == Unknown) {
		if !connected || !s.On() {
			return sub, false, inDoubt()
		}
		return last, true, s.hasten(tx, last)
	}
	if !connected || !s.On() {
		return sub, false, nil
	}
	if sub, err = s.draft(tx, c, r, &f); err != nil {
		return sub, false, err
	}
	if err := tx.AddSubmission(sub); err != nil {
		return sub, false, err
	}
	return sub, true, s.send(tx, sub, tx.Now())
}

func (s *Service) hasten(tx Tx, sub Submission) error {
	there, err := tx.HastenJob(SendQueue, sub.ID)
	if err != nil || there {
		return err
	}
	return s.send(tx, sub, tx.Now())
}

func (s *Service) send(tx Tx, sub Submission, at time.Time) error {
	return tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: SendQueue, Subject: sub.ID, RunAt: at})
}

// draft is the submission of a return that HMRC can expect of this connection.
func (s *Service) draft(tx Tx, c Connection, r Request, f *filing.Filing) (sub Submission, err error) {
	var ret tax.Return
	if err := json.Unmarshal(f.Body, &ret); err != nil {
		return sub, fmt.Errorf("vat: return %s: %w", f.ID, err)
	}
	if c.Status != Connected {
		return sub, noConsent()
	}
	if vrn, err := ident.ParseVRN(ret.VATNumber); err != nil || vrn != c.VRN {
		return sub, apierr.New(apierr.InvalidState, "The return was drawn up for the VAT number %q, and the connection to HMRC is for %s. Draw the return up again, or connect anew.", ret.VATNumber, c.VRN)
	}
	o, known := c.obligation(ret.PeriodKey)
	switch {
	case !known && c.AskedAt.IsZero():
		return sub, apierr.New(apierr.InvalidState, "HMRC has not told its periods yet; the connection (GET /api/tax/connection) says how that stands.")
	case !known:
		return sub, apierr.New(apierr.InvalidState, "HMRC expects no return for %s.", ret.PeriodKey)
	case o.State == mtd.Fulfilled:
		return sub, apierr.New(apierr.InvalidState, "HMRC has a return for %s already.", ret.PeriodKey)
	}
	return Submission{
		ID: s.IDs.UUID(), FilingID: f.ID, VRN: c.VRN, State: Pending, Body: figures(o.PeriodKey, ret), Request: r, CreatedAt: tx.Now(),
	}, nil
}

// figures are a return as HMRC takes it. Whoever submits it declares it final.
func figures(periodKey string, r tax.Return) mtd.Submission {
	return mtd.Submission{Finalised: true, Return: mtd.Return{
		PeriodKey: periodKey, VATDueSales: r.Box1VATDueSales, VATDueAcquisitions: r.Box2VATDueAcquisitions, TotalVATDue: r.Box3TotalVATDue,
		VATReclaimed: r.Box4VATReclaimed, NetVATDue: r.Box5NetVAT, TotalSales: r.Box6TotalSales, TotalPurchases: r.Box7TotalPurchases,
		TotalSupplies: r.Box8TotalSuppliesEU, TotalAcquisitions: r.Box9TotalAcquisitionsEU,
	}}
}

// Free refuses a step here with a return that HMRC may have as it stands, and a
// submission past HMRC where there is a connection by now.
func (s *Service) Free(tx Tx, id string, by lifecycle.Action) error {
	last, found, err := tx.LatestSubmission(id)
	if err != nil {
		return err
	}
	if found && (last.State == Pending || last.State == Unknown) {
		return inDoubt()
	}
	if by != lifecycle.Submit || !s.On() {
		return nil
	}
	f, err := tx.Filing(s.Returns.Kind, id)
	if err != nil || f.Status != lifecycle.Draft {
		return err
	}
	if _, connected, err := tx.Connection(); err != nil || !connected {
		return err
	}
	return apierr.New(apierr.InvalidState, "The organisation has just been connected to HMRC; submit the return again.")
}

func inDoubt() error {
	return apierr.New(apierr.InvalidState, "HMRC may already have this return. Submit it again, unchanged, to learn what became of it; that needs the connection to HMRC.")
}

func noConsent() *apierr.Error {
	return apierr.New(apierr.InvalidState, "HMRC no longer accepts the consent of this organisation; an OWNER gives it anew (POST /api/tax/connection), or ends the connection.")
}

// outcome waits for the end of an attempt after those that were known, by whichever
// process.
func (s *Service) outcome(ctx context.Context, org tenant.ID, id string, known int64) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		var sub Submission
		if err := s.Store.ViewVAT(ctx, org, func(tx Tx) (err error) { sub, err = tx.Submission(id); return err }); err != nil {
			return stillWaiting(ctx, err)
		}
		if sub.Tries > known {
			return sub.fault()
		}
		select {
		case <-time.After(glance):
		case <-ctx.Done():
			return stillWaiting(ctx, ctx.Err())
		}
	}
}

// stillWaiting is the answer to a caller who has waited in vain: for HMRC, unless it is
// the store that does not answer.
func stillWaiting(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	return apierr.New(apierr.HMRCUnreachable, "HMRC has not answered yet; the service goes on trying. Read the return to see what became of it.").Because(err)
}

// answer is what the call is answered when HMRC has the return.
func (s *Service) answer(f *filing.Filing, sub Submission) []byte {
	note := Note
	if sub.Receipt.FormBundleNumber == "" {
		note = noteFound
	}
	told, _ := json.Marshal(note)
	body := append(f.AppendJSON([]byte(`{"`+s.Returns.One+`":`)), `,"note":`...)
	return append(append(body, told...), '}')
}

// keep stores the answer for repeats of the call.
func keep(tx Tx, r Request, body []byte) error {
	if r.Key == "" {
		return nil
	}
	if _, found, err := tx.Answer(r.Call.Caller(), r.Key); err != nil || found {
		return err
	}
	return tx.KeepAnswer(r.Call.Caller(), r.Key, idempotency.Answer{Digest: r.Digest, Status: 200, Body: string(body)}, idempotency.Kept)
}
