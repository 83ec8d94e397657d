package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Calculate computes duties and taxes for an organisation at an instant. What makes the request meaningless is returned as
// faults.
type Calculate func(ctx context.Context, org tenant.ID, r *duty.Request, now time.Time) (duty.Response, []duty.Fault, error)

// maxCalculation is the limit of a calculation's body in bytes.
const maxCalculation = 2 << 20

func (s *Server) mountCalculate() {
	handle(s, operation{
		id: "calculate-duties", summary: "Calculate duties and taxes", tag: "Declarations", scope: foundational, method: http.MethodPost, path: "/api/tariff/calculate",
		status: http.StatusOK, description: "Every lawful way to bring goods in, cheapest first, with each charge, the law behind it, what to declare, and which facts are missing. " +
			"Nothing is stored. The same request with the same edition and rateTable gives the same answer",
		response: s.schemaOf(reflect.TypeFor[duty.Response]()), body: reflect.TypeFor[duty.Request](), maxBody: maxCalculation,
	}, s.calculate)
}

func (s *Server) calculate(ctx context.Context, in *bodyInput) (response, error) {
	r, err := decode[duty.Request](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, suggestWhatIf(err, in.RawBody)
	}
	answer, faults, err := s.Calculate(ctx, in.call.Org, &r, s.nowOf(in.holder))
	if err != nil {
		return response{}, err
	}
	if faults != nil {
		details := make([]apierr.Detail, len(faults))
		for i, f := range faults {
			details[i] = apierr.Detail{Field: f.Field, Message: f.Message}
		}
		return response{}, apierr.Invalid(details...)
	}
	return jsonResponse(http.StatusOK, answer)
}

// mostLines is the largest number of lines of a calculation, as its schema states it.
const mostLines = 1000

// suggestWhatIf adds to the faults of a body with too many lines that a what-if takes them.
func suggestWhatIf(err error, body []byte) error {
	var refused *apierr.Error
	var sent struct{ Lines []json.RawMessage }
	if !errors.As(err, &refused) || json.Unmarshal(body, &sent) != nil || len(sent.Lines) <= mostLines {
		return err
	}
	refused.Message += " For more than 1,000 lines make a what-if: POST " + whatIfPath + "."
	return refused
}
