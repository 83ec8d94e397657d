package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
)

// maxTariffBody is the limit of questions to the tariff, in bytes.
const maxTariffBody = 2 << 20

func (s *Server) mountOrigin() {
	handle(s, operation{
		id: "decide-origin", summary: "Decide preferential origin", tag: "Declarations", scope: foundational, method: http.MethodPost, path: "/api/tariff/origin",
		status: http.StatusOK, description: "Whether a product originates in the country that exports it, under each trade agreement: from its bill of materials, by the rules that the operator has imported. " +
			"What the rules leave open is asked or left to a person, never assumed. Nothing is stored",
		response: s.schemaOf(reflect.TypeFor[origin.AnswerBody]()), body: reflect.TypeFor[origin.QuestionBody](), maxBody: maxTariffBody, errors: []int{http.StatusServiceUnavailable},
	}, s.decideOrigin)
}

func (s *Server) decideOrigin(ctx context.Context, in *bodyInput) (response, error) {
	data, ok := s.Origin(ctx)
	if !ok {
		return response{}, apierr.New(apierr.TariffLoading, "The rules of origin are being loaded. Try again in some seconds.")
	}
	today := s.nowOf(in.holder).In(calendar.London()).Format(time.DateOnly)
	question, err := decode[origin.QuestionBody](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, withFaults(err, in.RawBody, data, today)
	}
	q, err := question.Question(data, today)
	if err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusOK, data.Answer(q, s.Rates()))
}

// withFaults adds to the faults that the schema finds those that only the data show, so that one answer names them all.
func withFaults(err error, body []byte, data *origin.Data, today string) error {
	first, ok := apierr.As(err)
	var question origin.QuestionBody
	if !ok || first.Code != apierr.InvalidRequest || json.Unmarshal(body, &question) != nil {
		return err
	}
	_, further := question.Question(data, today)
	second, ok := apierr.As(further)
	if !ok {
		return err
	}
	details := slices.Clone(first.Details)
	for _, d := range second.Details {
		if !slices.ContainsFunc(first.Details, func(known apierr.Detail) bool { return known.Field == d.Field }) {
			details = append(details, d)
		}
	}
	return apierr.Invalid(details...)
}
