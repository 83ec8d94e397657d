package customs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// SendQueue is the queue of the jobs that send transmissions.
const SendQueue = "customs.send"

// Limits of waiting for customs.
const (
	patience = 45 * time.Second       // how long a caller waits for the outcome
	glance   = 200 * time.Millisecond // how often it looks whether another process has settled it
)

// Submission is the answer to a caller who submits.
type Submission struct {
	ConversationID string          `json:"conversationId" doc:"Names the submission in every message from customs" example:"a5f3c1de-6d1c-4f0e-9a52-2f1d8f0c6b7e"`
	Status         lifecycle.State `json:"status" enum:"SUBMITTED" doc:"The declaration is with customs"`
}

// Submit sends a declaration to customs, once however many ask: the intent and
// the exact bytes are stored first, a job sends them, and its outcome is stored
// with the change of state. From then on the answer is the same.
func (s *Service) Submit(ctx context.Context, r Request, id string) (Submission, error) {
	var done *Submission
	var transmission string
	err := s.Store.UpdateCustoms(ctx, r.Call.Org, func(tx Tx) (err error) {
		done, transmission, err = s.prepare(tx, r, id)
		return err
	})
	if err != nil {
		return Submission{}, err
	}
	if done != nil {
		return *done, nil
	}
	conversation, err := s.outcome(ctx, r, transmission)
	return Submission{conversation, lifecycle.Submitted}, err
}

// prepare answers for a declaration that is submitted, joins a submission that is under
// way, reviving its job if that was given up, or stores a new one.
func (s *Service) prepare(tx Tx, r Request, id string) (*Submission, string, error) {
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return nil, "", err
	}
	a, err := addedOf(&f)
	if err != nil {
		return nil, "", err
	}
	if _, ok := s.Type.Lifecycle.Find(f.Status, lifecycle.Submit); !ok {
		done := Submission{a.ConversationID, lifecycle.Submitted}
		return &done, "", keep(tx, r, done)
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return nil, "", err
	}
	last, again := latest(ts, toSubmit)
	if again && last.State == pending {
		return nil, last.ID, tx.ReviveJob(SendQueue, last.ID)
	}
	t := Transmission{FilingID: id, Purpose: toSubmit, Reference: last.Reference, LRN: last.LRN, Body: last.Body, Request: r}
	if !again || last.State != unknown {
		if t, err = s.fresh(tx, &f, ts, t, a.LRN); err != nil {
			return nil, "", err
		}
	}
	transmission, err := s.dispatch(tx, t)
	return nil, transmission, err
}

// fresh writes the document again, under a new LRN if CDS has seen the present one.
func (s *Service) fresh(tx Tx, f *filing.Filing, ts []Transmission, t Transmission, lrn string) (_ Transmission, err error) {
	if spent(ts, lrn) {
		lrn = s.IDs.LRN()
	}
	t.LRN, t.Reference = lrn, lrn
	t.Body, err = s.encode(tx, f, lrn)
	return t, err
}

// spent reports whether CDS has seen an LRN.
func spent(ts []Transmission, lrn string) bool {
	for _, t := range ts {
		if t.Purpose == toSubmit && t.Reference == lrn && t.State == sent {
			return true
		}
	}
	return false
}

// dispatch stores a transmission with the job that sends it.
func (s *Service) dispatch(tx Tx, t Transmission) (id string, err error) {
	t.ID, t.State, t.CreatedAt = s.IDs.UUID(), pending, tx.Now()
	if err := tx.AddTransmission(t); err != nil {
		return "", err
	}
	return t.ID, tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: SendQueue, Subject: t.ID})
}

// outcome waits until a transmission is settled, by whichever process, and returns the
// conversation of the declaration.
func (s *Service) outcome(ctx context.Context, r Request, id string) (conversation string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	defer s.waiting.forget(id)
	for {
		told := s.waiting.wait(id)
		var t Transmission
		err := s.Store.ViewCustoms(ctx, r.Call.Org, func(tx Tx) (err error) {
			if t, err = tx.Transmission(id); err == nil && t.State == sent {
				conversation, err = s.conversation(tx, t)
			}
			return err
		})
		if err != nil {
			return "", stillWaiting(ctx, err)
		}
		if t.State != pending {
			return conversation, t.fault()
		}
		select {
		case <-told:
		case <-time.After(glance):
		case <-ctx.Done():
			return "", stillWaiting(ctx, ctx.Err())
		}
	}
}

// conversation is that of a transmission; for a declaration it is the declaration's, in
// which CDS may have answered an earlier transmission.
func (s *Service) conversation(tx Tx, t Transmission) (string, error) {
	if t.Purpose != toSubmit {
		return t.ConversationID, nil
	}
	f, err := tx.Filing(s.Type.Kind, t.FilingID)
	if err != nil {
		return "", err
	}
	a, err := addedOf(&f)
	return a.ConversationID, err
}

// stillWaiting is the answer to a caller whose time has run out: that CDS has not answered,
// unless it is the store that does not.
func stillWaiting(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	return apierr.New(apierr.CustomsUnreachable, "Customs has not answered yet; the service goes on trying. Read the declaration to see what became of it.").Because(err)
}

// fault is the answer to a caller whose transmission did not get through.
func (t *Transmission) fault() error {
	switch t.State {
	case refused:
		var p problem
		_ = json.Unmarshal([]byte(t.Problem), &p)
		return apierr.New(p.Code, "%s", p.Message)
	case unknown:
		return apierr.New(apierr.CustomsUnreachable, "Customs gave no readable answer and may have the declaration. Submit it again, unchanged: the LRN %s stays the same, so that it cannot be declared twice.", t.Reference)
	}
	return nil
}

// problem is the answer for a transmission that was not accepted.
type problem struct {
	Code    apierr.Code `json:"code"`
	Message string      `json:"message"`
}

// errClosed is why nothing is sent for an organisation that is closed.
var errClosed = errors.New("customs: the organisation is closed")

// Send is the job that sends one transmission. After a crash it sends the same bytes with
// the same LRN again: CDS rejects a duplicate LRN. For an organisation that is closed it
// sends nothing.
func (s *Service) Send(ctx context.Context, j jobs.Job) error {
	var t Transmission
	var org access.Organisation
	err := s.Store.ViewCustoms(ctx, j.Org, func(tx Tx) (err error) {
		if t, err = tx.Transmission(j.Subject); err == nil {
			org, err = tx.Organisation()
		}
		return err
	})
	if err != nil {
		return err
	}
	if t.State != pending {
		return s.Store.UpdateCustoms(ctx, j.Org, func(tx Tx) error { return tx.FinishJob(j) })
	}
	var outcome client.Outcome
	switch {
	case org.Closing.Closed():
		outcome = client.Unreachable{Cause: errClosed}
	case t.Purpose == toCancel:
		outcome = s.Sender.Cancel(ctx, j.Org, []byte(t.Body))
	default:
		outcome = s.Sender.Submit(ctx, j.Org, []byte(t.Body))
	}
	if never, ok := outcome.(client.Unreachable); ok && apierr.Unstored(never.Cause) {
		return never.Cause // the store keeps the rate limit; its failure proves nothing about CDS
	}
	defer s.waiting.settled(t.ID)
	return s.Store.UpdateCustoms(context.WithoutCancel(ctx), j.Org, func(tx Tx) error {
		if err := s.settle(ctx, tx, t.ID, outcome, j.Attempt > 1); err != nil {
			return err
		}
		if err := tx.FinishJob(j); !errors.Is(err, jobs.ErrLeaseLost) {
			return err
		}
		return nil
	})
}

// settle stores the outcome of a transmission. One that was tried before may have been
// accepted then, whatever the answer to the second try.
func (s *Service) settle(ctx context.Context, tx Tx, id string, o client.Outcome, triedBefore bool) error {
	t, err := tx.Transmission(id)
	if err != nil || t.State == sent {
		return err
	}
	t.SettledAt = tx.Now()
	switch o := o.(type) {
	case cds.Accepted:
		if triedBefore {
			t.Problem = repeatedMark
		}
		return s.taken(tx, t, o.ConversationID)
	case client.Refused:
		t.State = refused
		t.setProblem(apierr.CustomsRejected, "Customs refused the submission: "+o.Message)
		if triedBefore && o.Status != 400 {
			t.State = unknown
		}
		s.Log.WarnContext(ctx, "customs refused", "transmission", t.ID, "error", o)
	case client.Unreachable:
		t.State = refused
		t.setProblem(apierr.CustomsUnreachable, "Customs cannot be reached; nothing was sent. Try again later.")
		if errors.Is(o.Cause, errClosed) {
			t.setProblem(apierr.InvalidState, "The organisation is closed; nothing was sent.")
		}
		if triedBefore {
			t.State = unknown
		}
		s.Log.WarnContext(ctx, "customs cannot be reached", "transmission", t.ID, "error", o)
	case client.Unknown:
		t.State = unknown
		s.Log.WarnContext(ctx, "customs gave no readable answer", "transmission", t.ID, "error", o)
	}
	if t.State == unknown && triedBefore {
		t.Problem = repeatedMark
	}
	return tx.SettleTransmission(t)
}

func (t *Transmission) setProblem(code apierr.Code, message string) {
	text, _ := json.Marshal(problem{code, message})
	t.Problem = string(text)
}

// repeatedMark says of a transmission that its bytes may have gone out twice.
const repeatedMark = "repeated"

// repeated reports whether the document of an LRN may have been sent more than once.
func repeated(ts []Transmission, lrn string) bool {
	n := 0
	for _, t := range ts {
		if t.Purpose == toSubmit && t.LRN == lrn && t.State != refused {
			n++
		}
		if t.LRN == lrn && t.Problem == repeatedMark {
			return true
		}
	}
	return n > 1
}

// taken stores that CDS accepted a transmission, and moves the declaration on.
func (s *Service) taken(tx Tx, t Transmission, conversationID string) error {
	t.State, t.ConversationID, t.SettledAt = sent, conversationID, tx.Now()
	if err := tx.SettleTransmission(t); err != nil {
		return err
	}
	if t.Purpose == toCancel {
		asked := Cancellation{RequestedAt: audit.Instant(tx.Now()), ConversationID: conversationID, Status: "REQUESTED"}
		_, err := s.Filings.Act(tx, t.Request.Call, s.Type, t.FilingID, askCancel, filing.Step{
			Added: filing.Added{"cancellation": asked}, Data: filing.Added{"conversationId": conversationID, "sentSha256": digest(t.Body)},
		})
		return ifPossible(err)
	}
	f, err := tx.Filing(s.Type.Kind, t.FilingID)
	if err != nil {
		return err
	}
	if _, ok := s.Type.Lifecycle.Find(f.Status, lifecycle.Submit); !ok {
		return s.overtaken(tx, &f, t)
	}
	ducr, prelodged := readBack(t.Body)
	step := filing.Step{
		Added: filing.Added{
			"conversationId": conversationID, "lrn": t.LRN, "mrn": none, "ducr": ducr, "prelodged": prelodged,
			"acceptedAt": nil, "clearedAt": nil, "cancellation": nil,
		},
		Data: filing.Added{"conversationId": conversationID, "lrn": t.LRN, "sentSha256": digest(t.Body)},
	}
	if _, err := tx.FilingByKey(LRNKey, t.Reference); apierr.Is(err, apierr.NotFound) {
		step.Keys = []filing.Key{{Name: LRNKey, Value: t.Reference}}
	} else if err != nil {
		return err
	}
	if _, err := s.Filings.Act(tx, t.Request.Call, s.Type, t.FilingID, lifecycle.Submit, step); err != nil {
		return err
	}
	return keep(tx, t.Request, Submission{conversationID, lifecycle.Submitted})
}

// overtaken settles a transmission that repeated another which CDS has already answered:
// the declaration is submitted, under the conversation of that answer.
func (s *Service) overtaken(tx Tx, f *filing.Filing, t Transmission) error {
	a, err := addedOf(f)
	if err != nil {
		return err
	}
	return keep(tx, t.Request, Submission{a.ConversationID, lifecycle.Submitted})
}

// digest is the SHA-256 of the bytes that were sent, for the audit event.
func digest(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

// readBack finds in a document that was sent its DUCR, and whether it was lodged
// before the goods were there; each is nil where it is not so.
func readBack(body string) (ducr, prelodged any) {
	d, err := wco.Decode([]byte(body))
	if err != nil {
		return nil, nil
	}
	if d.TypeCode == wco.TypeImportPrelodged || d.TypeCode == wco.TypeExportPrelodged {
		prelodged = true
	}
	for _, p := range d.GoodsShipment.PreviousDocument {
		if p.TypeCode == ducrType {
			return p.ID, prelodged
		}
	}
	return nil, prelodged
}

// ifPossible ignores a transition that a message of CDS has overtaken.
func ifPossible(err error) error {
	if apierr.Is(err, apierr.InvalidState) {
		return nil
	}
	return err
}

// keep stores the answer for repeats of the call.
func keep(tx Tx, r Request, answer Submission) error {
	if r.Key == "" {
		return nil
	}
	if _, found, err := tx.Answer(r.Call.Caller(), r.Key); err != nil || found {
		return err
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return tx.KeepAnswer(r.Call.Caller(), r.Key, idempotency.Answer{Digest: r.Digest, Status: 200, Body: string(body)}, idempotency.Kept)
}
