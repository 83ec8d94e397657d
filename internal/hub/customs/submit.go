package customs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Submission is the answer to a caller who submits.
type Submission struct {
	Note           string          `json:"note,omitempty" doc:"Says that the outcome is simulated, if the caller selected it" example:"Simulated: the caller chose the outcome with X-Simulate: BCDS12056. Customs decided nothing."`
	Simulated      bool            `json:"simulated,omitempty" doc:"Whether the caller selected the outcome of the simulator"`
	ConversationID string          `json:"conversationId" doc:"Identifies the submission in every message from customs. Empty while it waits for a consent" example:"a5f3c1de-6d1c-4f0e-9a52-2f1d8f0c6b7e"`
	Status         lifecycle.State `json:"status" enum:"SUBMITTED" doc:"The declaration has been submitted to customs"`
	Stage          Stage           `json:"stage,omitempty" enum:"WAITING_CONSENT" doc:"What it waits for. WAITING_CONSENT: it is sent once an OWNER has connected the organisation to HMRC again"`
}

// Submit sends a declaration to customs. Concurrent and repeated calls send it once and get the same answer.
func (s *Service) Submit(ctx context.Context, r Request, id string) (Submission, error) {
	single, err := s.Consents.HasSingle(ctx)
	if err != nil {
		return Submission{}, err
	}
	var done *Submission
	var transmission string
	err = s.Store.UpdateCustoms(ctx, r.Call.Org, func(tx Tx) (err error) {
		done, transmission, err = s.prepare(tx, r, id, single)
		return err
	})
	if err != nil {
		return Submission{}, err
	}
	if done != nil {
		return *done, nil
	}
	return s.outcome(ctx, r, transmission)
}

// submission returns the answer about a conversation; steering is empty if the caller did not select the outcome.
func submission(conversation, steering string) Submission {
	done := Submission{ConversationID: conversation, Status: lifecycle.Submitted, Simulated: steering != ""}
	if done.Simulated {
		done.Note = fmt.Sprintf(simulatedNote, steering)
	}
	return done
}

// prepare returns the answer if the declaration is already submitted. Otherwise it returns the ID of the transmission
// to wait for: the pending one, or a new one. If the last outcome is unknown, the new one repeats the same bytes.
func (s *Service) prepare(tx Tx, r Request, id string, single bool) (*Submission, string, error) {
	if err := s.checkSimulate(tx, r, isOutcome, simulator.HeaderForms); err != nil {
		return nil, "", err
	}
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return nil, "", err
	}
	if err := r.If.Check(f.Version); err != nil {
		return nil, "", err
	}
	a, err := addedOf(&f)
	if err != nil {
		return nil, "", err
	}
	if _, ok := s.Type.Lifecycle.Find(f.Status, lifecycle.Submit); !ok {
		done := submission(a.ConversationID, a.SimulatedBy)
		if a.waits(&f) {
			done = waiting()
		}
		return &done, "", storeAnswer(tx, r, done)
	}
	if err := s.checkConsent(tx, single); err != nil {
		return nil, "", err
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return nil, "", err
	}
	last, found := latest(ts, toSubmit)
	if found && last.State == outbox.Pending {
		return nil, last.ID, s.outbox().SendNow(tx, last.ID)
	}
	t := Transmission{Purpose: toSubmit, Reference: last.Reference, LRN: last.LRN, Body: last.Body}
	t.FilingID, t.Request = id, r
	t.Detail.Sealed, t.Detail.DischargePeriod = last.Detail.Sealed, last.Detail.DischargePeriod
	clearance := filing.ClearedBefore(last.Request.Approved)
	if !found || last.State != outbox.Unknown {
		if err := s.refuseMocked(tx, &f); err != nil {
			return nil, "", err
		}
		if t, clearance, err = s.clear(tx, &f, ts, t, a.LRN); err != nil {
			return nil, "", err
		}
	}
	t.Request.Approved = clearance.Approved()
	if t.Request.SimulatedBy, err = s.simulatedBy(tx, &t); err != nil {
		return nil, "", err
	}
	transmission, err := s.dispatch(tx, t, clearance)
	return nil, transmission, err
}

// clear encodes the document from the current data, if it may be sent.
func (s *Service) clear(tx Tx, f *filing.Filing, ts []Transmission, t Transmission, lrn string) (Transmission, filing.Clearance, error) {
	clearance, err := s.Filings.Clear(tx, t.Request.Call, s.Type, f, func(at filing.Fixed) (out filing.Outgoing, err error) {
		if t, err = s.encodeAgain(tx, f, ts, t, lrn, at); err != nil {
			return out, err
		}
		return s.outgoing(tx.Org(), &t, at)
	})
	return t, clearance, err
}

// Outgoing returns the document that a submission of a declaration would send, or the proposed amendment. One whose outcome is
// unknown would be sent again.
func (s *Service) Outgoing(tx Tx, f *filing.Filing, at filing.Fixed) (out filing.Outgoing, err error) {
	if at.Proposal != "" {
		return s.proposed(tx, f, at)
	}
	a, err := addedOf(f)
	if err != nil {
		return out, err
	}
	ts, err := tx.Transmissions(f.ID)
	if err != nil {
		return out, err
	}
	t, found := latest(ts, toSubmit)
	if !found || !t.InDoubt() {
		t = Transmission{Purpose: toSubmit}
		t.FilingID, t.Request.Call.Org = f.ID, tx.Org()
		if t, err = s.encodeAgain(tx, f, ts, t, a.LRN, at); err != nil {
			return out, err
		}
	}
	return s.outgoing(tx.Org(), &t, at)
}

// outgoing returns the document of a transmission.
func (s *Service) outgoing(org tenant.ID, t *Transmission, at filing.Fixed) (out filing.Outgoing, err error) {
	out = filing.Outgoing{Fixed: filing.Fixed{LRN: t.LRN, At: at.At}, ContentType: "application/xml", Body: []byte(t.Body)}
	if t.Detail.Sealed != "" {
		out.Exact, err = s.sentBytes(org, t)
	}
	return out, err
}

// encodeAgain encodes the document from the current data, under a new LRN if CDS has accepted the present one. An approval may
// have fixed the LRN and the time of sending.
func (s *Service) encodeAgain(tx Tx, f *filing.Filing, ts []Transmission, t Transmission, lrn string, at filing.Fixed) (_ Transmission, err error) {
	if at.LRN != "" {
		lrn = at.LRN
	}
	for isUsed(ts, lrn) {
		lrn = ident.NextLRN(lrn, f.ID)
	}
	if at.At.IsZero() {
		at.At = tx.Now()
	}
	t.LRN, t.Reference = lrn, lrn
	d, err := gather(tx, f)
	if err != nil {
		return t, err
	}
	org := t.Request.Call.Org
	if err := s.loadAccessCodes(tx, org, f, &d); err != nil {
		return t, err
	}
	d.lrn, d.now, d.rates, t.Detail.Sealed = lrn, at.At, s.Rates, ""
	t.Detail.DischargePeriod = d.heldPeriod()
	simulated, err := s.isSimulated(tx)
	if err != nil {
		return t, err
	}
	if t.Detail.HasDataSet = d.declaration.DataSet != ""; !t.Detail.HasDataSet && d.declaration.Fill == "" && simulated {
		return t, s.setDocument(org, &t, d.document())
	}
	filled := d.filled(true)
	document := filled.document()
	if missing := filled.incomplete(&document, simulated); missing != nil {
		return t, missing
	}
	if !t.Detail.HasDataSet && d.declaration.Fill == "" {
		return t, s.setDocument(org, &t, document)
	}
	if t.Detail.Derived, err = withStored(f, filled.derived); err != nil {
		return t, err
	}
	return t, s.setDocument(org, &t, document)
}

// isUsed reports whether CDS has accepted a document with an LRN.
func isUsed(ts []Transmission, lrn string) bool {
	for _, t := range ts {
		if t.Purpose == toSubmit && t.Reference == lrn && t.State == outbox.Sent {
			return true
		}
	}
	return false
}

// dispatch stores a transmission with the job that sends it.
func (s *Service) dispatch(tx Tx, t Transmission, c filing.Clearance) (id string, err error) {
	t.ID, t.State, t.CreatedAt = s.IDs.UUID(), outbox.Pending, tx.Now()
	if err := tx.AddTransmission(t); err != nil {
		return "", err
	}
	at, err := s.turn(tx)
	if err != nil {
		return "", err
	}
	return t.ID, s.outbox().EnqueueAt(tx, t.ID, at, c)
}

// turnHorizon is the longest queue of one organisation, in time, that later documents of it are placed behind.
const turnHorizon = 30 * time.Minute

// turn returns when an organisation's next document is due. HMRC's rate limit is of the application, so organisations take
// turns: the documents of one are due one after the other, and jobs run in the order in which they are due.
func (s *Service) turn(tx Tx) (time.Time, error) {
	now := tx.Now()
	if s.Gap == 0 {
		return now, nil
	}
	simulated, err := s.isSimulated(tx)
	if err != nil || simulated {
		return now, err
	}
	last, err := tx.LastJob(SendQueue, now.Add(turnHorizon))
	if at := last.Add(s.Gap); err == nil && at.After(now) {
		return at, nil
	}
	return now, err
}

// outcome waits for the outcome of a transmission and returns the answer about it. The answer about a declaration has the
// declaration's conversation, because CDS may have answered an earlier transmission of it.
func (s *Service) outcome(ctx context.Context, r Request, id string) (done Submission, err error) {
	t, err := s.outbox().Wait(ctx, r.Call.Org, id, 0, func(tx Tx, t *Transmission) (err error) {
		if t.State == outbox.Sent {
			done, err = s.answerOf(tx, t)
		}
		return err
	})
	switch {
	case err != nil:
		return Submission{}, err
	case t.IsHeld():
		return waiting(), nil
	}
	return done, t.err()
}

func (s *Service) answerOf(tx Tx, t *Transmission) (Submission, error) {
	if t.Purpose != toSubmit {
		return submission(t.ConversationID, ""), nil
	}
	f, err := tx.Filing(s.Type.Kind, t.FilingID)
	if err != nil {
		return Submission{}, err
	}
	a, err := addedOf(&f)
	return submission(a.ConversationID, a.SimulatedBy), err
}

// err returns the error for a caller whose transmission was not accepted.
func (t *Transmission) err() error {
	switch {
	case t.State == outbox.Unknown && t.Purpose == toAmend:
		return apierr.New(apierr.CustomsUnreachable, "Customs gave no readable answer and may have received the amendment. Send it again, unchanged: its reference %s stays the same.", t.Reference)
	case t.State == outbox.Unknown && t.Purpose == toMove:
		return apierr.New(apierr.CustomsUnreachable, "HMRC gave no readable answer and may have received the movement. Its answer shows that. Otherwise send it again, unchanged: its reference %s stays the same.", t.Reference)
	case t.State == outbox.Unknown:
		return apierr.New(apierr.CustomsUnreachable, "Customs gave no readable answer and may have accepted the declaration. Submit it again, unchanged: the LRN %s stays the same, so that it cannot be declared twice.", t.Reference)
	}
	return t.Err()
}

// isRepeated reports whether the document of an LRN may have been sent more than once.
func isRepeated(ts []Transmission, lrn string) bool {
	n := 0
	for _, t := range ts {
		if t.Purpose == toSubmit && t.LRN == lrn && t.State != outbox.Refused {
			n++
		}
		if t.LRN == lrn && t.Repeated {
			return true
		}
	}
	return n > 1
}

// digest returns the SHA-256 of the bytes that were sent, for the audit event.
func digest(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

// readDocument returns the DUCR of a document that was sent, and true if it is pre-lodged. Each is nil otherwise, which
// removes the member from the record.
func readDocument(body string) (ducr, prelodged any) {
	d, err := wco.Decode([]byte(body))
	if err != nil {
		return nil, nil
	}
	if wco.IsPrelodged(d.TypeCode) {
		prelodged = true
	}
	if number := ducrOf(&d); number != "" {
		ducr = number
	}
	return ducr, prelodged
}
