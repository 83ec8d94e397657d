package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Explainer puts what customs reported to an organisation into plain words.
type Explainer func(context.Context, tenant.ID, explain.Question) (explain.Explained, error)

// offline is the source of an answer that no model had a part in.
const offline = "offline"

// explainBody asks for one of two things.
type explainBody struct {
	DeclarationID string            `json:"declarationId,omitempty" format:"uuid" doc:"A declaration of the organisation, whose own errors are explained" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	Errors        []filing.FreeForm `json:"errors,omitempty" maxItems:"999" doc:"Errors as objects of any shape, each of at most 64 kB and 20 levels; instead of declarationId"`
}

func (s *Server) mountExplain() {
	handle(s, operation{
		id: "explain-rejection", summary: "Explain a rejection", tag: "AI", scope: foundational, method: http.MethodPost, path: "/api/ai/explain-rejection",
		status: http.StatusOK, about: "Why customs rejected it and what to do, in plain English; it changes nothing",
		answer: s.schemaOf(reflect.TypeFor[explain.Explained]()), body: reflect.TypeFor[explainBody](), errors: []int{404},
		headers: map[string]*huma.Param{sourceHeader: sourceParam}, gate: route{budget: ai},
	}, s.explain)
}

func (s *Server) explain(ctx context.Context, in *bodyInput) (reply, error) {
	body, err := decode[explainBody](s, &in.caller, in.RawBody)
	if err != nil {
		return reply{}, err
	}
	q, err := s.question(ctx, in.call.Org, body)
	if err != nil {
		return reply{}, err
	}
	explained, err := s.Explainer(ctx, in.call.Org, q)
	if err != nil {
		return reply{}, err
	}
	out, err := answer(http.StatusOK, explained)
	out.Source = cmp.Or(explained.Source, offline)
	return out, err
}

// question is what the body asks for: exactly one of its members.
func (s *Server) question(ctx context.Context, org tenant.ID, body explainBody) (q explain.Question, err error) {
	switch {
	case body.DeclarationID != "" && body.Errors != nil:
		return q, apierr.Invalid(apierr.Detail{Field: "errors", Message: "must be left out where declarationId is given"})
	case body.Errors != nil:
		objects := make([]map[string]json.RawMessage, len(body.Errors))
		for i, e := range body.Errors {
			objects[i] = e
		}
		q.Faults = explain.Read(objects)
		return q, nil
	case body.DeclarationID == "":
		return q, apierr.Invalid(apierr.Detail{Field: "declarationId", Message: "is required where errors are not given"})
	}
	id, _ := canonical(body.DeclarationID)
	var found customs.Rejection
	err = s.Store.View(ctx, org, func(tx Tx) (err error) { found, err = s.Customs.RejectionOf(tx, id); return err })
	if err != nil {
		return q, err
	}
	return explain.About(&found)
}
