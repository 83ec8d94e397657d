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

// Explainer explains in plain English what CDS reported to an organisation.
type Explainer func(context.Context, tenant.ID, explain.Question) (explain.Explained, error)

// offline is the source of a response without a model.
const offline = "offline"

// explainBody has exactly one of its two members.
type explainBody struct {
	DeclarationID string            `json:"declarationId,omitempty" format:"uuid" doc:"The declaration whose errors are explained" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	Errors        []filing.FreeForm `json:"errors,omitempty" maxItems:"999" doc:"Error objects of any shape, instead of declarationId, each of at most 64 kB and 20 levels"`
}

func (s *Server) mountExplain() {
	handle(s, operation{
		id: "explain-rejection", summary: "Explain a rejection", tag: "AI", scope: foundational, method: http.MethodPost, path: "/api/ai/explain-rejection",
		status: http.StatusOK, description: "Why CDS rejected the declaration and what to do. Nothing is changed",
		response: s.schemaOf(reflect.TypeFor[explain.Explained]()), body: reflect.TypeFor[explainBody](), errors: []int{404},
		headers: map[string]*huma.Param{sourceHeader: sourceParam}, route: route{budget: ai},
	}, s.explain)
}

func (s *Server) explain(ctx context.Context, in *bodyInput) (response, error) {
	body, err := decode[explainBody](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	q, err := s.question(ctx, in.call.Org, body)
	if err != nil {
		return response{}, err
	}
	explained, err := s.Explainer(ctx, in.call.Org, q)
	if err != nil {
		return response{}, err
	}
	out, err := jsonResponse(http.StatusOK, explained)
	out.Source = cmp.Or(explained.Source, offline)
	return out, err
}

// question converts the body: exactly one of its members must be present.
func (s *Server) question(ctx context.Context, org tenant.ID, body explainBody) (q explain.Question, err error) {
	switch {
	case body.DeclarationID != "" && body.Errors != nil:
		return q, apierr.Invalid(apierr.Detail{Field: "errors", Message: "must be left out if declarationId is given"})
	case body.Errors != nil:
		objects := make([]map[string]json.RawMessage, len(body.Errors))
		for i, e := range body.Errors {
			objects[i] = e
		}
		q.Errors = explain.Read(objects)
		return q, nil
	case body.DeclarationID == "":
		return q, apierr.Invalid(apierr.Detail{Field: "declarationId", Message: "is required if errors is not given"})
	}
	id, _ := canonicalUUID(body.DeclarationID)
	var found customs.Rejection
	err = s.Store.View(ctx, org, func(tx Tx) (err error) { found, err = s.Customs.RejectionOf(tx, id); return err })
	if err != nil {
		return q, err
	}
	return explain.About(&found)
}
