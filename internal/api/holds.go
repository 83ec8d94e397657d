package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// HoldInput says what is to be held, or no longer, and why.
type HoldInput struct {
	RecordID *string `json:"recordId,omitempty" format:"uuid" doc:"The record, of any kind; without one the whole organisation with everything of it"`
	Reason   string  `json:"reason" minLength:"1" maxLength:"1000" doc:"Why; the audit trail keeps it" example:"HMRC inquiry 4711"`
}

// holdBody is a legal hold as it is shown.
type holdBody struct {
	RecordID *string `json:"recordId" format:"uuid" doc:"The record that is held; null where the whole organisation is"`
	Kind     *string `json:"kind" doc:"Kind of the record" example:"declaration"`
	Reason   string  `json:"reason" doc:"Why" example:"HMRC inquiry 4711"`
	SetAt    string  `json:"setAt" format:"date-time" doc:"Since when; it ends when it is lifted"`
	SetBy    *string `json:"setBy" doc:"User who has set it"`
	Operator bool    `json:"operator" doc:"Whether the operator of the service has set it; then nobody else lifts or changes it"`
}

func holdOf(s retention.Standing) holdBody {
	return holdBody{
		RecordID: orNull(s.RecordID), Kind: orNull(s.Kind), Reason: s.Reason, SetAt: audit.Instant(s.SetAt), SetBy: orNull(s.UserID), Operator: s.Operator,
	}
}

func (s *Server) mountHolds() {
	owner := func(action string) route {
		return route{role: tenant.Owner, step: step{hub: foundational, resource: "retention", action: action}}
	}
	handle(s, operation{
		id: "list-holds", summary: "List legal holds", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/holds",
		status: http.StatusOK, about: "A page of what must not be removed although it has been kept long enough, the newest hold first",
		answer: listSchema("holds", s.schemaOf(reflect.TypeFor[holdBody]())),
	}, s.listHolds)
	handle(s, operation{
		id: "set-hold", summary: "Set a legal hold", tag: "Audit", scope: wholeOrganisation, method: http.MethodPost, path: "/api/holds",
		status: http.StatusOK, about: "The hold; one that stood has the new reason", answer: under("hold", s.schemaOf(reflect.TypeFor[holdBody]())),
		body: reflect.TypeFor[HoldInput](), errors: []int{404}, once: true, gate: owner("hold"),
	}, s.setHold)
	handle(s, operation{
		id: "lift-hold", summary: "Lift a legal hold", tag: "Audit", scope: wholeOrganisation, method: http.MethodPost, path: "/api/holds/lift",
		status: http.StatusOK, about: "The hold is lifted", answer: s.schemaOf(reflect.TypeFor[successBody]()),
		body: reflect.TypeFor[HoldInput](), errors: []int{404}, once: true, gate: owner("lift"),
	}, s.liftHold)
}

type holdsInput struct {
	caller
	Page
}

func (in *holdsInput) list() list { return list{in.call.Org, "holds"} }

// Resolve judges what the schemas of the parameters cannot.
func (in *holdsInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), in.list().judge(in.Cursor)...)
}

func (s *Server) listHolds(ctx context.Context, in *holdsInput) (reply, error) {
	here := in.list()
	behind, err := here.position(in.Cursor)
	if err != nil {
		return reply{}, err
	}
	var page []retention.Standing
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { page, err = tx.StandingHolds(behind, in.size()+1); return err })
	if err != nil {
		return reply{}, err
	}
	page, next := turn(page, in.size(), func(last retention.Standing) string { return here.behind(last.Position(in.call.Org)) })
	out := struct {
		Holds      []holdBody `json:"holds"`
		HasMore    bool       `json:"hasMore"`
		NextCursor *string    `json:"nextCursor"`
	}{[]holdBody{}, next != nil, next}
	for _, one := range page {
		out.Holds = append(out.Holds, holdOf(one))
	}
	return answer(http.StatusOK, out)
}

func (s *Server) setHold(ctx context.Context, in *bodyInput) (reply, error) {
	record, wanted, err := s.holdWanted(in)
	if err != nil {
		return reply{}, err
	}
	return s.change(ctx, &in.caller, in.RawBody, func(tx Tx) (reply, error) {
		if err := retention.SetHold(tx, in.call, s.IDs.UUID, record, wanted.Reason); err != nil {
			return reply{}, err
		}
		all, err := tx.StandingOn(record)
		for _, one := range all {
			if one.RecordID == record {
				return wrapped("hold", holdOf(one))
			}
		}
		return reply{}, err
	})
}

func (s *Server) liftHold(ctx context.Context, in *bodyInput) (reply, error) {
	record, wanted, err := s.holdWanted(in)
	if err != nil {
		return reply{}, err
	}
	return s.change(ctx, &in.caller, in.RawBody, func(tx Tx) (reply, error) {
		if err := retention.LiftHold(tx, in.call, s.IDs.UUID, record, wanted.Reason); err != nil {
			return reply{}, err
		}
		return answer(http.StatusOK, successBody{true})
	})
}

func (s *Server) holdWanted(in *bodyInput) (record string, wanted HoldInput, err error) {
	if wanted, err = decode[HoldInput](s, &in.caller, in.RawBody); err != nil || wanted.RecordID == nil {
		return "", wanted, err
	}
	record, ok := canonical(*wanted.RecordID)
	if !ok {
		return "", wanted, apierr.Missing()
	}
	return record, wanted, nil
}
