package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Analyse runs the rules over a declaration of the caller's organisation.
type Analyse func(ctx context.Context, call tenant.Call, declaration string) (rules.Review, error)

type analyseBody struct {
	DeclarationID string `json:"declarationId" format:"uuid" doc:"The declaration to review" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// mountAnalyse adds the review of a declaration, in any state.
func (s *Server) mountAnalyse() {
	handle(s, operation{
		id: "analyse-declaration", summary: "Review a declaration", tag: "AI", scope: foundational, method: http.MethodPost, path: "/api/ai/analyse-declaration",
		status: http.StatusOK, description: "Findings, most severe first. They change nothing and block no submission",
		response: s.schemaOf(reflect.TypeFor[rules.Review]()), body: reflect.TypeFor[analyseBody](), errors: []int{404}, route: route{budget: ai},
		headers: map[string]*huma.Param{sourceHeader: sourceParam},
	}, func(ctx context.Context, in *bodyInput) (response, error) {
		body, err := decode[analyseBody](s, &in.caller, in.RawBody)
		if err != nil {
			return response{}, err
		}
		id, _ := canonicalUUID(body.DeclarationID)
		found, err := s.Analyse(ctx, in.call, id)
		if err != nil {
			return response{}, err
		}
		r, err := jsonResponse(http.StatusOK, found.Joined())
		r.Source = "offline"
		return r, err
	})
}
