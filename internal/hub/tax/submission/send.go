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
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// delays are the times until an unknown outcome is looked into again; the last of
// them goes on for as long as nothing is known.
var delays = []time.Duration{2 * time.Second, 10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour}

// Send is the job that sends one return. Whenever HMRC may have got it before, because
// an attempt had no clear end or a process died in it, HMRC is asked for it first.
func (s *Service) Send(ctx context.Context, j jobs.Job) error {
	var sub Submission
	var c Connection
	err := s.Store.ViewVAT(ctx, j.Org, func(tx Tx) (err error) {
		if sub, err = tx.Submission(j.Subject); err != nil {
			return err
		}
		c, _, err = tx.Connection()
		return err
	})
	if err != nil {
		return err
	}
	if sub.State == Sent || sub.State == Refused {
		return s.Store.UpdateVAT(ctx, j.Org, func(tx Tx) error { return tx.FinishJob(j) })
	}
	tried := sub.Tries > 0 || j.Attempt > 1
	outcome := s.attempt(ctx, j, c, sub, tried)
	if never, ok := outcome.(client.Unreachable); ok && apierr.Unstored(never.Cause) {
		return never.Cause // the store keeps the rate limit; its failure proves nothing about HMRC
	}
	return s.Store.UpdateVAT(context.WithoutCancel(ctx), j.Org, func(tx Tx) error { return s.settle(ctx, tx, j, outcome) })
}

// attempt does one, outside of any transaction.
func (s *Service) attempt(ctx context.Context, j jobs.Job, c Connection, sub Submission, tried bool) client.Outcome {
	as := s.caller(j.Org, c, sub.Request.Origin)
	switch {
	case tried && c.VRN != sub.VRN:
		return client.Unknown{Cause: errors.New("vat: there is no connection to ask HMRC by")}
	case tried:
		return s.Client.Resume(ctx, as, sub.Body)
	case c.VRN != sub.VRN:
		return client.Refused{Status: 401, Code: client.CodeNoConsent}
	}
	return s.Client.Submit(ctx, as, sub.Body)
}

// settle stores the outcome of an attempt, with all that follows from it. A process that has
// lost its lease stores an acceptance only; any other outcome is left to the one that holds
// the lease now.
func (s *Service) settle(ctx context.Context, tx Tx, j jobs.Job, o client.Outcome) error {
	sub, err := tx.Submission(j.Subject)
	if err != nil {
		return err
	}
	accepted, taken := o.(mtd.Accepted)
	if err := tx.FinishJob(j); err != nil && !(taken && errors.Is(err, jobs.ErrLeaseLost)) {
		return err
	}
	if sub.State == Sent || sub.State == Refused && !taken {
		return nil
	}
	sub.Tries++
	sub.SettledAt = tx.Now()
	switch o := o.(type) {
	case mtd.Accepted:
		return s.taken(tx, sub, accepted)
	case client.Refused:
		sub.State, sub.Problem = Refused, refusal(o)
		s.Log.WarnContext(ctx, "HMRC refused a return", "submission", sub.ID, "error", o)
		if err := s.tellRefusal(tx, sub, o); err != nil {
			return err
		}
	case client.Unreachable:
		sub.State, sub.Problem = Refused, unreachable
		s.Log.WarnContext(ctx, "HMRC cannot be reached", "submission", sub.ID, "error", o)
	case client.Unknown:
		sub.State, sub.Problem = Unknown, unclear
		s.Log.WarnContext(ctx, "HMRC gave no readable answer", "submission", sub.ID, "error", o)
		if err := s.send(tx, sub, tx.Now().Add(delays[min(int(sub.Tries), len(delays))-1])); err != nil {
			return err
		}
	}
	return tx.SettleSubmission(sub)
}

// taken stores that HMRC accepted a return, and moves it on.
func (s *Service) taken(tx Tx, sub Submission, o mtd.Accepted) error {
	sub.State, sub.Receipt, sub.Problem = Sent, o.Receipt, Problem{}
	if err := tx.SettleSubmission(sub); err != nil {
		return err
	}
	body, err := json.Marshal(sub.Body)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	data := filing.Added{"source": "mtd", "vatNumber": sub.VRN, "sentSha256": hex.EncodeToString(sum[:])}
	for name, value := range map[string]string{
		"formBundleNumber": o.Receipt.FormBundleNumber, "chargeReference": o.Receipt.ChargeReference, "receiptId": o.Receipt.ReceiptID,
	} {
		if value != "" {
			data[name] = value
		}
	}
	f, err := s.Filings.Act(tx, sub.Request.Call, s.Returns, sub.FilingID, lifecycle.Submit, filing.Step{
		Reference: &filing.Reference{Field: "hmrcReference", Value: o.Receipt.FormBundleNumber}, Data: data,
	})
	if err != nil {
		return err
	}
	return keep(tx, sub.Request, s.answer(&f, sub))
}

// tellRefusal records an audit event: a declaration was made and not accepted.
func (s *Service) tellRefusal(tx Tx, sub Submission, o client.Refused) error {
	data, _ := json.Marshal(map[string]any{"vatNumber": sub.VRN, "status": o.Status, "code": o.Code, "message": o.Message, "correlationId": o.CorrelationID})
	return tx.Record(audit.By(sub.Request.Call, audit.Event{
		ID: s.IDs.UUID(), Hub: HubID, Type: Kind + "." + notTaken, ResourceType: Kind, ResourceID: sub.FilingID,
		FromStatus: string(lifecycle.Draft), ToStatus: string(lifecycle.Draft), Data: data,
	}))
}
