package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// authorityOf returns the authority of a kind; nil if it is connected with none.
func (s *Server) authorityOf(k kind) *exchange.Authority {
	if s.Authorities == nil {
		return nil
	}
	return s.Authorities.Of(k.Kind)
}

// withAuthority adds to an operation what follows if the authority may have to accept the action. The first message about a record
// can select an outcome of a simulator.
func (s *Server) withAuthority(k kind, op operation, first bool) operation {
	a := s.authorityOf(k)
	if a == nil {
		return op
	}
	op.errors = append(op.errors, http.StatusUnprocessableEntity, http.StatusBadGateway)
	if first && a.Forms != "" {
		op.steered = steeringParam("Outcome of the simulator: "+a.Forms, a.Steers[0])
	}
	return op
}

// steered sets the outcome of a simulator that the caller asks for.
func (c *caller) steered() {
	if c.op.steered != nil {
		c.call.Simulate = c.request.Header.Get(simulator.SteeringHeader)
	}
}

// act makes an action that the authority of the record has to accept first, once for each idempotency key. It does nothing, and
// handled is false, if the engine alone makes the action.
func (s *Server) act(ctx context.Context, k kind, in *ByID, body []byte, act exchange.Action) (out response, handled bool, err error) {
	if s.authorityOf(k) == nil {
		return out, false, nil
	}
	id, err := checkID(in.ID)
	if err != nil {
		return out, true, err
	}
	idem, err := idempotencyKeyOf(&in.caller, body)
	if err != nil {
		return out, true, err
	}
	end, err := s.beginCall(&in.caller, idem)
	if err != nil {
		return out, true, err
	}
	defer end()
	if out, found, err := s.answered(ctx, &in.caller, idem); err != nil || found {
		return out, true, err
	}
	in.steered()
	r := outbox.Request{Call: in.call, Key: idem.key, Digest: idem.digest, If: in.ifMatch, Simulate: in.call.Simulate}
	answer, handled, err := s.Authorities.Act(ctx, r, k.Type, id, act)
	if err != nil {
		out, err = s.orAnswered(ctx, &in.caller, idem, s.submitted(ctx, &in.caller, k.Type, id, err))
		return out, true, err
	}
	return recordResponse(response{Status: http.StatusOK, Body: answer.Body}, answer.Version), handled, nil
}

// actOnInput is act for a correction: its input is the stored body with a patch applied.
func (s *Server) actOnInput(ctx context.Context, k kind, in *patchInput, p patch) (out response, handled bool, err error) {
	if s.authorityOf(k) == nil || p.onlyAssigns() {
		return out, false, nil
	}
	id, err := checkID(in.ID)
	if err != nil {
		return out, true, err
	}
	var whole json.RawMessage
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		f, err := tx.Filing(k.Kind, id)
		if err != nil {
			return err
		}
		if err := in.ifMatch.Check(f.Version); err != nil {
			return err
		}
		if whole, err = p.apply(f.Body); err != nil {
			return err
		}
		if details := s.faultsOf(k.Type, whole); details != nil {
			return apierr.Invalid(details...)
		}
		_, err = k.Parse(whole, tx.Now())
		return err
	})
	if err != nil {
		return out, true, err
	}
	out, handled, err = s.act(ctx, k, &in.ByID, in.RawBody, exchange.Action{By: lifecycle.Amend, Input: whole})
	if err != nil || !handled || !p.assigns {
		return out, handled, err
	}
	err = s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
		f, err := s.Filings.Assign(tx, in.call, k.Type, id, nil, p.assignee)
		out = filingResponse(k.Singular, &f)
		return err
	})
	return out, true, err
}
