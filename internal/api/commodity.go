package api

import (
	"context"
	"fmt"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Classify suggests commodity codes for goods of an organisation.
type Classify func(context.Context, tenant.ID, assist.Question) (assist.Suggestions, error)

// commodityQuestion describes goods.
type commodityQuestion struct {
	Description     string `json:"description" minLength:"1" maxLength:"4000" doc:"What the goods are, their material and use, in English; or a code to look up" example:"Men's cotton T-shirts"`
	CountryOfOrigin string `json:"countryOfOrigin,omitempty" format:"country" maxLength:"2" doc:"Country of origin" example:"BD"`

	Answers []string `json:"answers,omitempty" maxItems:"3" nullable:"false" doc:"Answers of the choices of the questions so far, in their order" example:"[\"6109100010-6109100090\"]"`
}

func (s *Server) mountCommodity() {
	handle(s, operation{
		id: "classify-commodity", summary: "Suggest commodity codes", tag: "AI", scope: foundational, method: http.MethodPost, path: "/api/ai/commodity-classify",
		status: http.StatusOK, description: "Candidate codes for the goods, most likely first. If several are likely, question asks what tells them apart; repeat the call with the answer of a choice added to answers. Nothing is stored",
		response: s.schemaOf(reflect.TypeFor[assist.Suggestions]()), body: reflect.TypeFor[commodityQuestion](),
		headers: map[string]*huma.Param{sourceHeader: sourceParam}, route: route{budget: ai},
	}, func(ctx context.Context, in *bodyInput) (response, error) {
		body, err := decode[commodityQuestion](s, &in.caller, in.RawBody)
		if err != nil {
			return response{}, err
		}
		if err := checkAnswers(body.Answers); err != nil {
			return response{}, err
		}
		found, err := s.Classify(ctx, in.call.Org, assist.Question{Description: body.Description, CountryOfOrigin: body.CountryOfOrigin, Answers: body.Answers, At: s.nowOf(in.holder)})
		if err != nil {
			return response{}, err
		}
		out, err := jsonResponse(http.StatusOK, found)
		out.Source = found.Source
		return out, err
	})
}

// checkAnswers checks that answers are those of choices.
func checkAnswers(answers []string) error {
	var details []apierr.Detail
	for i, a := range answers {
		if !classify.ValidAnswer(a) {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("answers[%d]", i), Message: "must be the answer of a choice of a question"})
		}
	}
	if details != nil {
		return apierr.Invalid(details...)
	}
	return nil
}
