package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Analyse reviews a declaration of the caller's organisation.
type Analyse func(ctx context.Context, call tenant.Call, declaration string) (rules.Review, error)

type analyseBody struct {
	DeclarationID string `json:"declarationId" format:"uuid" doc:"The declaration to review" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// mountAnalyse makes the review of a declaration, in any state and for whoever may read it.
func (s *Server) mountAnalyse() {
	handle(s, operation{
		id: "analyse-declaration", summary: "Review a declaration", tag: "AI", scope: foundational, method: http.MethodPost, path: "/api/ai/analyse-declaration",
		status: http.StatusOK, about: "What the rules find in the declaration, its shipment and its client, gravest first; it changes nothing and stops nothing",
		answer: s.schemaOf(reflect.TypeFor[rules.Review]()), body: reflect.TypeFor[analyseBody](), errors: []int{404}, gate: route{budget: ai},
		headers: map[string]*huma.Param{sourceHeader: sourceParam},
	}, func(ctx context.Context, in *bodyInput) (reply, error) {
		body, err := decode[analyseBody](s, &in.caller, in.RawBody)
		if err != nil {
			return reply{}, err
		}
		id, _ := canonical(body.DeclarationID)
		found, err := s.Analyse(ctx, in.call, id)
		if err != nil {
			return reply{}, err
		}
		r, err := answer(http.StatusOK, found)
		r.Source = "offline"
		return r, err
	})
}
