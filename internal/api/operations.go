package api

import (
	"context"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// mountOperation adds POST …/{id}/{action} of an operation, which sends a message with a body of its own.
func (s *Server) mountOperation(k kind, o filing.Operation) {
	op := s.actionOperation(k, operation{
		id: k.id(string(o.Action), false), summary: o.Title, method: http.MethodPost, path: k.Path + "/{id}/" + string(o.Action),
		description: o.About, idempotent: true,
	}, o.Action)
	op = s.withAuthority(k, op, false)
	op.body = o.Body
	handle(s, op, func(ctx context.Context, in *patchInput) (response, error) {
		stated, err := s.read(&in.caller, in.RawBody, o.Body)
		if err != nil {
			return response{}, err
		}
		out, handled, err := s.act(ctx, k, &in.ByID, in.RawBody, exchange.Action{By: o.Action, Input: stated})
		if err != nil || handled {
			return out, err
		}
		return response{}, s.notOperated(ctx, k, &in.ByID, o)
	})
}

// notOperated is the error of an operation on a record that its authority does not have.
func (s *Server) notOperated(ctx context.Context, k kind, in *ByID, o filing.Operation) error {
	id, err := checkID(in.ID)
	if err != nil {
		return err
	}
	return s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		f, err := tx.Filing(k.Kind, id)
		if err != nil {
			return err
		}
		if err := in.ifMatch.Check(f.Version); err != nil {
			return err
		}
		if !o.IsPossible(f.Status) {
			return o.NotPossible(k.Singular, f.Status)
		}
		return apierr.New(apierr.InvalidState, "This %s was not sent to an authority, so that nothing can be sent about it.", k.Singular)
	})
}
