package submission

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// retryDelays are the delays after an unknown outcome. The last one repeats until the outcome is known.
var retryDelays = []time.Duration{2 * time.Second, 10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour}

// outbox returns the queue of submissions. The answer to an accepted one is HMRC's receipt.
func (s *Service) outbox() *outbox.Queue[*Submission, mtd.Receipt, Tx] {
	return &outbox.Queue[*Submission, mtd.Receipt, Tx]{
		Name: SendQueue, Authority: "HMRC", Document: "return", LogKey: "submission", TimeoutCode: apierr.HMRCUnreachable, UnknownProblem: unclear, RetryDelays: retryDelays,
		View: s.Store.ViewVAT, Update: s.Store.UpdateVAT,
		Load: func(tx Tx, id string) (*Submission, error) {
			sub, err := tx.Submission(id)
			return &sub, err
		},
		Send: s.attempt, Store: s.storeResult,
		Waiters: &s.waiters, IDs: s.IDs, Log: s.Log,
	}
}

// Send is the job that sends one return. If HMRC may have received the return before, the job first asks HMRC for it.
func (s *Service) Send(ctx context.Context, j jobs.Job) error { return s.outbox().RunJob(ctx, j) }

// attempt sends a return and classifies the outcome.
func (s *Service) attempt(ctx context.Context, j jobs.Job, sub *Submission, repeated bool) (outbox.Result[mtd.Receipt], error) {
	var c Connection
	err := s.Store.ViewVAT(ctx, j.Org, func(tx Tx) (err error) { c, _, err = tx.Connection(); return err })
	if err != nil {
		return outbox.Result[mtd.Receipt]{}, err
	}
	switch o := s.call(ctx, j, c, sub, repeated).(type) {
	case mtd.Accepted:
		return outbox.Result[mtd.Receipt]{State: outbox.Sent, Answer: o.Receipt}, nil
	case client.Refused:
		return outbox.Result[mtd.Receipt]{State: outbox.Refused, Problem: refusal(o), Cause: o}, nil
	case client.Unreachable:
		if apierr.CannotStore(o.Cause) { // the rate limit and the token are in the store, so this says nothing about HMRC
			return outbox.Result[mtd.Receipt]{}, o.Cause
		}
		return outbox.Result[mtd.Receipt]{State: outbox.Refused, Problem: unreachable, Cause: o}, nil
	case client.Failure:
		return outbox.Result[mtd.Receipt]{State: outbox.Unknown, Cause: o}, nil
	}
	return outbox.Result[mtd.Receipt]{State: outbox.Unknown}, nil
}

// call calls HMRC, unless the connection for the return's VAT number has ended.
func (s *Service) call(ctx context.Context, j jobs.Job, c Connection, sub *Submission, repeated bool) client.Outcome {
	as := s.caller(j.Org, c, sub.Origin)
	switch {
	case repeated && c.VRN != sub.VRN:
		return client.Unknown{Cause: errors.New("vat: the connection to HMRC has ended")}
	case repeated:
		return s.Client.Resume(ctx, as, sub.Body)
	case c.VRN != sub.VRN:
		return client.NoConsent()
	}
	return s.Client.Submit(ctx, as, sub.Body)
}

func (s *Service) storeResult(tx Tx, sub *Submission, r outbox.Result[mtd.Receipt]) error {
	if r.State == outbox.Sent {
		return s.accept(tx, *sub, r.Answer)
	}
	if refused := (client.Refused{}); r.State == outbox.Refused && errors.As(r.Cause, &refused) {
		if err := s.recordRefusal(tx, *sub, refused); err != nil {
			return err
		}
	}
	return tx.CompleteSubmission(*sub)
}

// accept stores that HMRC accepted a return, and changes the state of the return.
func (s *Service) accept(tx Tx, sub Submission, receipt mtd.Receipt) error {
	sub.Receipt = receipt
	if err := tx.CompleteSubmission(sub); err != nil {
		return err
	}
	body, err := json.Marshal(sub.Body)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	data := filing.Added{"source": "mtd", "vatNumber": sub.VRN, "sentSha256": hex.EncodeToString(sum[:])}
	for name, value := range map[string]string{
		"formBundleNumber": receipt.FormBundleNumber, "chargeReference": receipt.ChargeReference, "receiptId": receipt.ReceiptID,
	} {
		if value != "" {
			data[name] = value
		}
	}
	f, err := s.Filings.Transition(tx, sub.Request.Call, s.Returns, sub.FilingID, lifecycle.Submit, filing.TransitionData{
		Reference: &filing.Reference{Field: "hmrcReference", Value: receipt.FormBundleNumber}, Data: data,
		Clearance: filing.ClearedBefore(sub.Request.Approved),
	})
	if err != nil {
		return err
	}
	return sub.Request.StoreAnswer(tx, s.answer(&f, sub), f.Version)
}

// recordRefusal records an audit event: a declaration was made and HMRC did not accept it.
func (s *Service) recordRefusal(tx Tx, sub Submission, o client.Refused) error {
	data, err := json.Marshal(map[string]any{"vatNumber": sub.VRN, "status": o.Status, "code": o.Code, "message": o.Message, "correlationId": o.CorrelationID})
	if err != nil {
		return err
	}
	return tx.Record(audit.By(sub.Request.Call, audit.Event{
		ID: s.IDs.UUID(), Hub: HubID, Type: Kind + "." + eventRefused, ResourceType: Kind, ResourceID: sub.FilingID,
		FromStatus: string(lifecycle.Draft), ToStatus: string(lifecycle.Draft), Data: data,
	}))
}
