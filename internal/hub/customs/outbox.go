package customs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// SendQueue is the queue of the jobs that send transmissions.
const SendQueue = "customs.send"

// outbox returns the queue of transmissions. The answer to an accepted one is its conversation ID. An unknown outcome
// ends the job: CDS has no query for it, so the next attempt waits for the user or for a message of CDS.
func (s *Service) outbox() *outbox.Queue[*Transmission, string, Tx] {
	return &outbox.Queue[*Transmission, string, Tx]{
		Name: SendQueue, Authority: "Customs", Document: "declaration", LogKey: "transmission", TimeoutCode: apierr.CustomsUnreachable,
		View: s.Store.ViewCustoms, Update: s.Store.UpdateCustoms,
		Load: func(tx Tx, id string) (*Transmission, error) {
			t, err := tx.Transmission(id)
			return &t, err
		},
		Send: s.attempt, Store: s.storeResult, Continues: s.isConsented,
		Waiters: &s.waiters, IDs: s.IDs, Log: s.Log,
	}
}

// Send is the job that sends one transmission. After a crash it sends the same bytes with the same LRN again: CDS
// rejects a duplicate LRN.
func (s *Service) Send(ctx context.Context, j jobs.Job) error { return s.outbox().RunJob(ctx, j) }

var errInterrupted = errors.New("customs: an earlier attempt to send the movement was interrupted")

// attempt sends a transmission and classifies the outcome. If it was sent before, CDS may have accepted it then, so
// only a refusal of the document itself is certain. A movement is not sent again by itself, only if a user asks for it.
func (s *Service) attempt(ctx context.Context, j jobs.Job, t *Transmission, repeated bool) (outbox.Result[string], error) {
	send := s.Sender.Submit
	switch t.Purpose {
	case toCancel:
		send = s.Sender.Cancel
	case toPresent:
		send = s.Sender.Present
	case toAmend:
		send = s.Sender.Amend
	}
	if t.Purpose == toMove {
		send = s.Sender.Move
		if j.Attempt > 1 || t.Attempts > 0 { // HMRC does not recognise a movement that it has
			return outbox.Result[string]{State: outbox.Unknown, Cause: errInterrupted}, nil
		}
	}
	asked := simulator.Request{Simulate: t.Request.Simulate}
	if !t.Detail.HasDataSet {
		asked.DataSet = simulator.NoDataSet
	}
	document, err := s.sentBytes(j.Org, t)
	if err != nil {
		return outbox.Result[string]{}, err
	}
	switch o := send(ctx, j.Org, document, asked).(type) {
	case cds.Accepted:
		return outbox.Result[string]{State: outbox.Sent, Answer: o.ConversationID}, nil
	case client.Refused:
		if o.Code == client.CodeNoConsent {
			p := outbox.Problem{Code: apierr.CustomsConsentRequired, Message: "The " + t.noun() + " waits for the organisation's consent at HMRC."}
			return outbox.Result[string]{State: outbox.Held, Problem: p, Cause: o}, nil
		}
		if repeated && !cds.RefusesDocument(o) {
			return outbox.Result[string]{State: outbox.Unknown, Cause: o}, nil
		}
		p := outbox.Problem{Code: apierr.CustomsRejected, Message: t.refusedBy(o)}
		return outbox.Result[string]{State: outbox.Refused, Problem: p, Cause: o}, nil
	case client.Unreachable:
		switch {
		case apierr.CannotStore(o.Cause): // the rate limit is in the store, so this says nothing about CDS
			return outbox.Result[string]{}, o.Cause
		case repeated:
			return outbox.Result[string]{State: outbox.Unknown, Cause: o}, nil
		}
		p := outbox.Problem{Code: apierr.CustomsUnreachable, Message: "Customs cannot be reached; nothing was sent. Try again later."}
		return outbox.Result[string]{State: outbox.Refused, Problem: p, Cause: o}, nil
	case client.Failure:
		return outbox.Result[string]{State: outbox.Unknown, Cause: o}, nil
	}
	return outbox.Result[string]{State: outbox.Unknown}, nil
}

// noun returns what a transmission is in a sentence.
func (t *Transmission) noun() string {
	if t.Purpose == toMove {
		return "movement"
	}
	return "declaration"
}

// refusedBy returns why HMRC refused a transmission. HMRC answers 403 if the consent does not cover movements.
func (t *Transmission) refusedBy(o client.Refused) string {
	if t.Purpose != toMove {
		return "Customs refused the submission: " + o.Message
	}
	text := "Customs refused the movement: " + cmp.Or(o.Message, o.Code)
	if o.IsForbidden() {
		text += ". The consent may not cover movements: the operator has to turn on customs-movements, then an OWNER has to connect the organisation to HMRC again."
	}
	return text
}

func (s *Service) storeResult(tx Tx, t *Transmission, r outbox.Result[string]) error {
	switch r.State {
	case outbox.Sent:
		return s.accept(tx, *t, r.Answer)
	case outbox.Held:
		return s.hold(tx, *t)
	}
	if err := tx.CompleteTransmission(*t); err != nil {
		return err
	}
	if err := s.takeBack(tx, *t); err != nil || t.Purpose != toMove {
		return err
	}
	return s.endMovement(tx, *t)
}

// accept stores that CDS accepted a transmission, and changes the state of the declaration.
func (s *Service) accept(tx Tx, t Transmission, conversationID string) error {
	t.State, t.ConversationID, t.CompletedAt = outbox.Sent, conversationID, tx.Now()
	if err := tx.CompleteTransmission(t); err != nil {
		return err
	}
	switch t.Purpose {
	case toSubmit:
	case toMove:
		return s.acceptMovement(tx, t)
	default:
		return s.acceptRequest(tx, t)
	}
	f, err := tx.Filing(s.Type.Kind, t.FilingID)
	if err != nil {
		return err
	}
	a, err := addedOf(&f)
	if err != nil {
		return err
	}
	if a.waits(&f) {
		return s.sendWaiting(tx, t)
	}
	if _, ok := s.Type.Lifecycle.Find(f.Status, lifecycle.Submit); !ok { // CDS has answered an earlier transmission
		return storeAnswer(tx, t.Request, submission(a.ConversationID, a.SimulatedBy))
	}
	step, err := submitted(tx, t)
	if err != nil {
		return err
	}
	if err := s.estimateAgain(tx, &step, &f, t); err != nil {
		return err
	}
	if _, err := s.Filings.Transition(tx, t.Request.Call, s.Type, t.FilingID, lifecycle.Submit, step); err != nil {
		return err
	}
	return storeAnswer(tx, t.Request, submission(conversationID, t.Request.SimulatedBy))
}

// submitted returns what a declaration gains when CDS accepts its document. Values of an earlier submission are cleared.
func submitted(tx Tx, t Transmission) (filing.TransitionData, error) {
	ducr, prelodged := readDocument(t.Body)
	step := filing.TransitionData{
		Clearance: filing.ClearedBefore(t.Request.Approved),
		Added: filing.Added{
			"conversationId": t.ConversationID, "lrn": t.LRN, "mrn": none, filing.SourceMember: nil, "ducr": ducr, "prelodged": prelodged,
			"acceptedAt": nil, "clearedAt": nil, "cancellation": nil,
			"simulated": nil, "simulatedBy": nil,
			"stage": nil, "demands": nil, "dueAt": nil, exitedAt: nil, dischargePeriod: nil,
		},
		Data: filing.Added{"conversationId": t.ConversationID, "lrn": t.LRN, "sentSha256": digest(t.Body)},
	}
	if t.Detail.DischargePeriod != "" {
		step.Added[dischargePeriod] = t.Detail.DischargePeriod
	}
	if t.Detail.Derived != nil {
		step.Added[filing.DerivedMember] = t.Detail.Derived
	}
	if steering := t.Request.SimulatedBy; steering != "" {
		step.Added["simulated"], step.Added["simulatedBy"] = true, steering
		step.Data["simulated"] = steering
	}
	if _, err := tx.FilingByKey(LRNKey, t.Reference); apierr.Is(err, apierr.NotFound) {
		step.Keys = []filing.Key{{Name: LRNKey, Value: t.Reference}}
	} else if err != nil {
		return step, err
	}
	return step, nil
}

// ignoreInvalidState ignores a transition that is no longer possible because a message of CDS came first.
func ignoreInvalidState(err error) error {
	if apierr.Is(err, apierr.InvalidState) {
		return nil
	}
	return err
}

// storeRequestAnswer stores the answer for repeats of a request about a declaration.
func storeRequestAnswer(tx Tx, r Request, shown RequestShown) error {
	body, err := json.Marshal(map[string]RequestShown{"request": shown})
	if err != nil {
		return err
	}
	return r.StoreAnswer(tx, body, 0)
}

// storeAnswer stores the answer for repeats of the request.
func storeAnswer(tx Tx, r Request, answer Submission) error {
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return r.StoreAnswer(tx, body, 0)
}
