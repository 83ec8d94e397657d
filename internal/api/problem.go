package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

// problem is the body of every response that is not 2xx or 304.
type problem struct {
	Code      apierr.Code     `json:"error" doc:"Stable, machine-readable code; docs/errors.md lists them all" example:"invalid_request"`
	Message   string          `json:"message" doc:"What is wrong, in plain English" example:"The request is not valid: netMassKg."`
	Details   []apierr.Detail `json:"details,omitempty" doc:"Every field that is wrong"`
	RequestID string          `json:"requestId" doc:"Id of the request; quote it when you ask for support" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`

	status int
}

func (p *problem) Error() string                     { return string(p.Code) + ": " + p.Message }
func (p *problem) GetStatus() int                    { return p.status }
func (p *problem) ContentType(_ string) string       { return jsonType }
func (p *problem) GetHeaders() http.Header           { return retryAfter(p.status) }
func (p *problem) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Ref: errorSchema} }

// retryAfter returns the Retry-After header of a 503.
func retryAfter(status int) http.Header {
	if status != http.StatusServiceUnavailable {
		return nil
	}
	return http.Header{"Retry-After": {apierr.RetryAfter}}
}

const (
	jsonType    = "application/json"
	errorSchema = "#/components/schemas/Error"
)

// problemOf converts an error to a response. The text of an unexpected error is logged and not shown
// to the caller.
func (s *Server) problemOf(ctx context.Context, requestID string, err error) *problem {
	f, ok := apierr.As(err)
	level := slog.LevelError
	switch gone, left := apierr.Canceled(ctx, err); {
	case left:
		f, level = gone, slog.LevelInfo
	case !ok:
		f = internalError().WithCause(err)
	}
	p := &problem{Code: f.Code, Message: f.Message, Details: f.Details, RequestID: requestID, status: statuses[f.Code]}
	if p.status >= http.StatusInternalServerError && f.Code != apierr.Overloaded { // logRequest logs refusals
		s.Log.Log(ctx, level, "request failed", "requestId", requestID, "code", f.Code, "error", err)
	}
	return p
}

func internalError() *apierr.Error {
	return apierr.New(apierr.Internal, "An internal error occurred. Quote the request ID when you report it.")
}

func (s *Server) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problemOf(r.Context(), w.Header().Get(requestIDHeader), err)
	body, _ := json.Marshal(p)
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(p.status)
	_, _ = w.Write(body)
}

// fromHuma converts errors that huma reports.
func (s *Server) fromHuma(requestID string, claim *membudget.Claim, status int, message string, errs []error) huma.StatusError {
	var details []apierr.Detail
	for _, err := range errs {
		var d *huma.ErrorDetail
		if errors.As(err, &d) {
			details = append(details, apierr.Detail{Field: fieldName(d.Location), Message: plainMessage(d.Message)})
		}
	}
	var f *apierr.Error
	switch {
	case status == http.StatusRequestEntityTooLarge:
		f = apierr.New(apierr.PayloadTooLarge, "The body is too large.")
	case status == http.StatusUnsupportedMediaType:
		f = apierr.New(apierr.UnsupportedMediaType, "This operation does not support the Content-Type of the request.")
	case claim.Refused():
		f = overloaded()
	case status >= http.StatusInternalServerError:
		f = internalError()
	case details != nil:
		f = apierr.Invalid(details...)
	default:
		f = apierr.Invalid(apierr.Detail{Field: "body", Message: plainMessage(message)})
	}
	return s.problemOf(context.Background(), requestID, f)
}

// plainMessage replaces huma's messages about parameters by the messages of this API.
func plainMessage(text string) string {
	if values, ok := strings.CutPrefix(text, `expected value to be one of "`); ok {
		return "must be one of " + strings.TrimSuffix(values, `"`)
	}
	return plainWords(text)
}

var plainWords = strings.NewReplacer(
	"expected number >= ", "must be a number of at least ", "expected number <= ", "must be a number of at most ",
	"invalid integer", "must be a whole number", "request body is required", "is required", "expected length <= ", "must not be longer than ",
	"invalid date/time for format 2006-01-02T15:04:05.999999999Z07:00", "must be a date and time such as 2026-11-21T09:00:00Z",
).Replace

// fieldName returns the caller's name for a location of huma: query.limit is limit.
func fieldName(location string) string {
	_, name, found := strings.Cut(location, ".")
	if !found {
		return location
	}
	return name
}
