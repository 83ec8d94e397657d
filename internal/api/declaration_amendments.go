package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

type amendmentBody struct {
	ReasonCode string             `json:"reasonCode,omitempty" enum:"21,22,28,29,30,32,33" doc:"Reason code of customs: 21 value, 22 type or code, 28 weight or quantity, 29 party, 30 goods item removed, 33 tax, 32 anything else. Left out, it is 32, with a finding" example:"28"`
	Reason     string             `json:"reason" minLength:"1" maxLength:"512" doc:"Reason, which customs gets with each change" example:"The net mass on the packing list was wrong."`
	Changes    declarationChanges `json:"changes" doc:"JSON merge patch (RFC 7396) of the declaration's body: objects merge, lists are replaced as a whole, and null removes a member. The type, the shipment, dataSet, fill, reference and metadata cannot be amended" example:"{\"totalPackages\":12}"`
}

// declarationChanges is a merge patch of a declaration, with the schema of one.
type declarationChanges struct{ json.RawMessage }

// declarationPatch is the name of the schema of a merge patch of a declaration.
const declarationPatch = "DeclarationMergePatch"

// Schema returns the schema of a merge patch of a declaration, which the correction of declarations registers.
func (declarationChanges) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Ref: schema.Prefix + declarationPatch}
}

func (s *Server) mountAmendments(k kind, op operation) {
	op.id, op.summary, op.path = "request-amendment", "Request an amendment of a declaration", k.Path+"/{id}/amendments"
	op.description = "The request with its changes. A declaration that customs has registered, accepted or cleared can have one open amendment. Its body changes when customs grants it"
	op.body, op.maxBody, op.route = reflect.TypeFor[amendmentBody](), maxDeclaration, route{role: tenant.Member}
	op.method, op.status = http.MethodPost, http.StatusOK
	op.steered = steeringParam("Decision of the simulator: grant or deny. 400 if the organisation is connected to HMRC", simulator.Deny)
	handle(s, op, func(ctx context.Context, in *patchInput) (response, error) {
		out, err := sendRequest(ctx, s, &in.ByID, in.RawBody, s.requestAmendment)
		return out, s.withFixedMembers(ctx, &in.ByID, in.RawBody, err)
	})
}

// withFixedMembers adds to the faults of a request the changed members that cannot be amended. Those are compared with the record,
// which is not read for a body whose schema has faults, so that a caller would hear of them only in the next answer.
func (s *Server) withFixedMembers(ctx context.Context, in *ByID, raw []byte, err error) error {
	wrong, ok := apierr.As(err)
	id, isID := canonicalUUID(in.ID)
	var body struct{ Changes json.RawMessage }
	if !ok || wrong.Code != apierr.InvalidRequest || !isID || json.Unmarshal(raw, &body) != nil {
		return err
	}
	var fixed []apierr.Detail
	missing := s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		f, err := tx.Filing(customs.DeclarationKind, id)
		if err == nil {
			fixed = customs.FixedMembers(f.Body, body.Changes)
		}
		return err
	})
	details := slices.Clone(wrong.Details)
	for _, d := range fixed {
		if !slices.ContainsFunc(details, func(known apierr.Detail) bool { return known.Field == d.Field }) {
			details = append(details, d)
		}
	}
	if missing != nil || len(details) == len(wrong.Details) {
		return err
	}
	return apierr.Invalid(details...).WithCause(err)
}

func (s *Server) requestAmendment(ctx context.Context, r customs.Request, id string, body amendmentBody) (customs.RequestShown, error) {
	return s.Customs.RequestAmendment(ctx, r, id, customs.AmendmentInput{
		ReasonCode: body.ReasonCode, Reason: body.Reason,
		Amended: func(current json.RawMessage) (json.RawMessage, []apierr.Detail, error) {
			whole, err := filing.MergePatch(current, body.Changes.RawMessage)
			if err != nil {
				return nil, nil, err
			}
			details := s.faultsOf(s.Customs.Type, whole)
			for i := range details {
				details[i].Field = "changes." + details[i].Field
			}
			return whole, details, nil
		},
	})
}
