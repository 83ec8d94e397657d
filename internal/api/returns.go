package api

import (
	"context"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

// mountReturn adds the submission of a VAT return: to HMRC if the organisation is connected, and
// otherwise an ordinary transition.
func (s *Server) mountReturn(k kind) {
	op := s.actionOperation(k, stepOperation(k, lifecycle.Submit), lifecycle.Submit)
	op.description += ". If the organisation is connected to HMRC, the return is sent to HMRC first. By submitting it you declare that the information is true and complete; a false declaration can result in prosecution"
	op.errors = append(op.errors, http.StatusBadGateway)
	handle(s, op, func(ctx context.Context, in *ByID) (response, error) { return s.submitReturn(ctx, k, in) })
}

func (s *Server) submitReturn(ctx context.Context, k kind, in *ByID) (out response, err error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	idem, err := idempotencyKeyOf(&in.caller, nil)
	if err != nil {
		return response{}, err
	}
	end, err := s.beginCall(&in.caller, idem)
	if err != nil {
		return response{}, err
	}
	out, found, err := s.answered(ctx, &in.caller, idem)
	if err == nil && !found {
		var sent submission.Answer
		r := outbox.Request{Call: in.call, Key: idem.key, Digest: idem.digest, If: in.ifMatch}
		sent, err = s.VAT.Submit(ctx, submission.Request{Request: r, Origin: s.origin(&in.caller)}, id)
		out = recordResponse(response{Status: http.StatusOK, Body: sent.Body}, sent.Version)
		if err != nil {
			out, err = s.orAnswered(ctx, &in.caller, idem, s.submitted(ctx, &in.caller, k.Type, id, err))
		}
	}
	end()
	if err != nil || out.Body != nil {
		return out, err
	}
	return s.transition(ctx, k, in, nil, lifecycle.Submit, filing.TransitionData{})
}

// origin returns the fraud prevention data about the caller's device.
func (s *Server) origin(c *caller) mtd.Origin {
	seen := mtd.Seen{Peer: clientaddr.Endpoint(c.request), At: s.Now(), User: mtd.Pair{Name: "tidewaiter", Value: c.call.UserID}}
	o, flaws := mtd.ReadOrigin(c.request.Header, seen)
	for _, f := range flaws {
		s.Log.Warn("fraud prevention header omitted", "requestId", c.call.RequestID, "header", f.Header, "reason", f.Why)
	}
	return o
}

// checkUnsubmitted returns an error if the record has been or may have been submitted to HMRC in its current form. A
// version that does not match comes first.
func (s *Server) checkUnsubmitted(tx Tx, k kind, id string, by lifecycle.Action, required filing.IfVersion) error {
	if k.Kind != submission.Kind {
		return nil
	}
	f, err := tx.Filing(k.Kind, id)
	if err != nil {
		return err
	}
	if err := required.Check(f.Version); err != nil {
		return err
	}
	return s.VAT.CheckTransition(tx, id, by)
}

func (s *Server) checkPeriodUnsubmitted(tx Tx, k kind, period string) error {
	f, found, err := s.Filings.FindByPeriod(tx, k.Type, period)
	if err != nil || !found {
		return err
	}
	return s.checkUnsubmitted(tx, k, f.ID, lifecycle.Refresh, nil)
}
