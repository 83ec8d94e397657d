package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Classify suggests the commodity codes of goods to an organisation.
type Classify func(context.Context, tenant.ID, assist.Question) (assist.Suggestions, error)

// commodityQuestion asks for the code of goods.
type commodityQuestion struct {
	Description     string `json:"description" minLength:"1" maxLength:"4000" doc:"What the goods are, what they are made of and what they are used for, in English; or a code to look up" example:"Men's cotton T-shirts"`
	CountryOfOrigin string `json:"countryOfOrigin,omitempty" format:"country" maxLength:"2" doc:"Country of origin" example:"BD"`
}

func (s *Server) mountCommodity() {
	handle(s, operation{
		id: "classify-commodity", summary: "Suggest commodity codes", tag: "AI", scope: foundational, method: http.MethodPost, path: "/api/ai/commodity-classify",
		status: http.StatusOK, about: "Codes that the goods may have, the likeliest first; it changes nothing",
		answer: s.schemaOf(reflect.TypeFor[assist.Suggestions]()), body: reflect.TypeFor[commodityQuestion](),
		headers: map[string]*huma.Param{sourceHeader: sourceParam}, gate: route{budget: ai},
	}, func(ctx context.Context, in *bodyInput) (reply, error) {
		body, err := decode[commodityQuestion](s, &in.caller, in.RawBody)
		if err != nil {
			return reply{}, err
		}
		found, err := s.Classify(ctx, in.call.Org, assist.Question{Description: body.Description, CountryOfOrigin: body.CountryOfOrigin})
		if err != nil {
			return reply{}, err
		}
		out, err := answer(http.StatusOK, found)
		out.Source = found.Source
		return out, err
	})
}
