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

// HoldInput names the record of a legal hold that is set or lifted.
type HoldInput struct {
	RecordID *string `json:"recordId,omitempty" format:"uuid" doc:"Id of a record of any kind; if absent, the hold covers all data"`
	Reason   string  `json:"reason" minLength:"1" maxLength:"1000" doc:"Reason, for the audit trail" example:"HMRC inquiry 4711"`
}

// holdBody is a legal hold in a response.
type holdBody struct {
	RecordID *string `json:"recordId" format:"uuid" doc:"Id of the record; null for the whole organisation"`
	Kind     *string `json:"kind" doc:"Kind of record" example:"declaration"`
	Reason   string  `json:"reason" doc:"Reason" example:"HMRC inquiry 4711"`
	SetAt    string  `json:"setAt" format:"date-time" doc:"When it was set; it ends when it is lifted"`
	SetBy    *string `json:"setBy" doc:"Id of the user who set it; null for the operator"`
	Operator bool    `json:"operator" doc:"true if the operator set it, who alone can change it"`
}

func holdOf(s retention.ActiveHold) holdBody {
	return holdBody{
		RecordID: orNull(s.RecordID), Kind: orNull(s.Kind), Reason: s.Reason, SetAt: audit.Instant(s.SetAt), SetBy: orNull(s.UserID), Operator: s.Operator,
	}
}

func (s *Server) mountHolds() {
	owner := func(action string) route {
		return route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "retention", action: action}}
	}
	handle(s, operation{
		id: "list-holds", summary: "List legal holds", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/holds",
		status: http.StatusOK, description: "A page of legal holds, newest first. Data under one is not deleted when its retention period ends",
		response: listSchema("holds", s.schemaOf(reflect.TypeFor[holdBody]())),
	}, s.listHolds)
	handle(s, operation{
		id: "set-hold", summary: "Set a legal hold", tag: "Audit", scope: wholeOrganisation, method: http.MethodPost, path: "/api/holds",
		status: http.StatusOK, description: "The legal hold. If it existed, its reason is replaced", response: objectSchema("hold", s.schemaOf(reflect.TypeFor[holdBody]())),
		body: reflect.TypeFor[HoldInput](), errors: []int{404}, idempotent: true, rehearsed: true, route: owner("hold"),
	}, s.setHold)
	handle(s, operation{
		id: "lift-hold", summary: "Lift a legal hold", tag: "Audit", scope: wholeOrganisation, method: http.MethodPost, path: "/api/holds/lift",
		status: http.StatusOK, description: "The legal hold has been lifted", response: s.schemaOf(reflect.TypeFor[successBody]()),
		body: reflect.TypeFor[HoldInput](), errors: []int{404}, idempotent: true, route: owner("lift"),
	}, s.liftHold)
}

type holdsInput struct {
	caller
	WholePage
}

func (in *holdsInput) listID() listID { return listID{in.call.Org, "holds"} }

// Resolve checks what the schemas of the parameters cannot.
func (in *holdsInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
}

func (s *Server) listHolds(ctx context.Context, in *holdsInput) (response, error) {
	cursors := in.listID()
	after, err := cursors.decodePosition(in.Cursor)
	if err != nil {
		return response{}, err
	}
	var page []retention.ActiveHold
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { page, err = tx.ActiveHolds(after, in.size()+1); return err })
	if err != nil {
		return response{}, err
	}
	page, next := splitPage(page, in.size(), func(last retention.ActiveHold) string { return cursors.cursorAfter(last.Position(in.call.Org)) })
	out := struct {
		Holds      []holdBody `json:"holds"`
		HasMore    bool       `json:"hasMore"`
		NextCursor *string    `json:"nextCursor"`
	}{[]holdBody{}, next != nil, next}
	for _, one := range page {
		out.Holds = append(out.Holds, holdOf(one))
	}
	return jsonResponse(http.StatusOK, out)
}

func (s *Server) setHold(ctx context.Context, in *bodyInput) (response, error) {
	record, input, err := s.decodeHold(in)
	if err != nil {
		return response{}, err
	}
	return s.updateOnce(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		if err := retention.SetHold(tx, in.call, s.IDs.UUID, record, input.Reason); err != nil {
			return response{}, err
		}
		all, err := tx.ActiveHoldsOn(record)
		for _, one := range all {
			if one.RecordID == record {
				return objectResponse("hold", holdOf(one))
			}
		}
		return response{}, err
	})
}

func (s *Server) liftHold(ctx context.Context, in *bodyInput) (response, error) {
	record, input, err := s.decodeHold(in)
	if err != nil {
		return response{}, err
	}
	return s.updateOnce(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		if err := retention.LiftHold(tx, in.call, s.IDs.UUID, record, input.Reason); err != nil {
			return response{}, err
		}
		return jsonResponse(http.StatusOK, successBody{true})
	})
}

func (s *Server) decodeHold(in *bodyInput) (record string, input HoldInput, err error) {
	if input, err = decode[HoldInput](s, &in.caller, in.RawBody); err != nil || input.RecordID == nil {
		return "", input, err
	}
	record, ok := canonicalUUID(*input.RecordID)
	if !ok {
		return "", input, apierr.Missing()
	}
	return record, input, nil
}
