package api

import (
	"context"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

// mountReturn makes the submission of a VAT return: to HMRC where the organisation is
// connected to it, and else a step like every other.
func (s *Server) mountReturn(k kind) {
	op := s.guarded(k, stepOperation(k, lifecycle.Submit), lifecycle.Submit)
	op.about += ". Where the organisation is connected to HMRC, the return goes there first, and whoever submits it declares that it is true and complete: a false declaration can lead to prosecution"
	op.errors = append(op.errors, http.StatusBadGateway)
	handle(s, op, func(ctx context.Context, in *ByID) (reply, error) { return s.submitReturn(ctx, k, in) })
}

func (s *Server) submitReturn(ctx context.Context, k kind, in *ByID) (out reply, err error) {
	id, err := checkID(in.ID)
	if err != nil {
		return reply{}, err
	}
	mine, err := claimOf(&in.caller, nil)
	if err != nil {
		return reply{}, err
	}
	end, err := s.begin(&in.caller, mine)
	if err != nil {
		return reply{}, err
	}
	found := false
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { out, found, err = recall(tx, mine); return err })
	if err == nil && !found {
		out.Status = http.StatusOK
		out.Body, err = s.VAT.Submit(ctx, submission.Request{Call: in.call, Origin: s.origin(&in.caller), Key: mine.key, Digest: mine.digest}, id)
	}
	end()
	if err != nil || out.Body != nil {
		return out, err
	}
	return s.step(ctx, k, in, nil, lifecycle.Submit, filing.Step{})
}

// origin is what the request tells of the device that the caller sits at.
func (s *Server) origin(c *caller) mtd.Origin {
	seen := mtd.Seen{Peer: clientaddr.Endpoint(c.request), At: s.Now(), User: mtd.Pair{Name: "tidewaiter", Value: c.call.UserID}}
	o, flaws := mtd.ReadOrigin(c.request.Header, seen)
	for _, f := range flaws {
		s.Log.Warn("a fraud prevention header is left out", "requestId", c.call.RequestID, "header", f.Header, "reason", f.Why)
	}
	return o
}

// free refuses a step here with what its authority may have as it stands, or should get.
func (s *Server) free(tx Tx, k kind, id string, by lifecycle.Action) error {
	if k.Kind != submission.Kind {
		return nil
	}
	return s.VAT.Free(tx, id, by)
}

func (s *Server) freePeriod(tx Tx, k kind, period string) error {
	f, found, err := s.Filings.OfPeriod(tx, k.Type, period)
	if err != nil || !found {
		return err
	}
	return s.free(tx, k, f.ID, lifecycle.Refresh)
}
