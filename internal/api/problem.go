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

	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

// problem is the one form of every answer that is not 2xx.
type problem struct {
	Code      fault.Code     `json:"error" doc:"Stable, machine-readable code; docs/errors.md lists them all" example:"invalid_request"`
	Message   string         `json:"message" doc:"What went wrong, for a person" example:"The request is not valid: netMassKg."`
	Details   []fault.Detail `json:"details,omitempty" doc:"Every offending field"`
	RequestID string         `json:"requestId" doc:"Name this when you ask for help" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`

	status int
}

func (p *problem) Error() string                     { return string(p.Code) + ": " + p.Message }
func (p *problem) GetStatus() int                    { return p.status }
func (p *problem) ContentType(_ string) string       { return jsonType }
func (p *problem) GetHeaders() http.Header           { return retry(p.status) }
func (p *problem) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Ref: errorSchema} }

// retry asks callers of a service that is not there just now to come back in a while.
func retry(status int) http.Header {
	if status != http.StatusServiceUnavailable {
		return nil
	}
	return http.Header{"Retry-After": {fault.RetryAfter}}
}

const (
	jsonType    = "application/json"
	errorSchema = "#/components/schemas/Error"
)

// statuses give each code its HTTP status.
var statuses = map[fault.Code]int{
	fault.InvalidRequest:        http.StatusBadRequest,
	fault.InvalidState:          http.StatusBadRequest,
	fault.EndpointPaused:        http.StatusBadRequest,
	fault.Unauthorized:          http.StatusUnauthorized,
	fault.HubNotEnabled:         http.StatusPaymentRequired,
	fault.OwnerRoleRequired:     http.StatusForbidden,
	fault.ReadOnlyKey:           http.StatusForbidden,
	fault.ScopeRequired:         http.StatusForbidden,
	fault.AddressNotAllowed:     http.StatusForbidden,
	fault.SignInAgain:           http.StatusForbidden,
	fault.NotFound:              http.StatusNotFound,
	fault.MethodNotAllowed:      http.StatusMethodNotAllowed,
	fault.HubAlreadyEnabled:     http.StatusConflict,
	fault.HubNotBookable:        http.StatusConflict,
	fault.HubFoundational:       http.StatusConflict,
	fault.IdempotencyInProgress: http.StatusConflict,
	fault.PayloadTooLarge:       http.StatusRequestEntityTooLarge,
	fault.UnsupportedMediaType:  http.StatusUnsupportedMediaType,
	fault.IdempotencyMismatch:   http.StatusUnprocessableEntity,
	fault.RateLimited:           http.StatusTooManyRequests,
	fault.Internal:              http.StatusInternalServerError,
	fault.CustomsUnreachable:    http.StatusBadGateway,
	fault.CustomsRejected:       http.StatusBadGateway,
	fault.HMRCUnreachable:       http.StatusBadGateway,
	fault.HMRCRejected:          http.StatusBadGateway,
	fault.ShuttingDown:          http.StatusServiceUnavailable,
	fault.StoreUnavailable:      http.StatusServiceUnavailable,
	fault.Overloaded:            http.StatusServiceUnavailable,
	fault.DiskFull:              http.StatusServiceUnavailable,
}

// problemOf turns any error into an answer. What is not a fault of the caller is
// an internal error whose text stays with us.
func (s *Server) problemOf(ctx context.Context, requestID string, err error) *problem {
	f, ok := fault.As(err)
	level := slog.LevelError
	switch gone, left := fault.GivenUp(ctx, err); {
	case left:
		f, level = gone, slog.LevelInfo
	case !ok:
		f = fault.New(fault.Internal, "Something went wrong on our side. The request id helps us to find out what.").Because(err)
	}
	p := &problem{Code: f.Code, Message: f.Message, Details: f.Details, RequestID: requestID, status: statuses[f.Code]}
	if p.status >= http.StatusInternalServerError && f.Code != fault.Overloaded { // the gate logs refusals
		s.Log.Log(ctx, level, "request failed", "requestId", requestID, "code", f.Code, "error", err)
	}
	return p
}

func (s *Server) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problemOf(r.Context(), w.Header().Get(requestIDHeader), err)
	body, _ := json.Marshal(p)
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(p.status)
	_, _ = w.Write(body)
}

// fromHuma gives the faults that huma finds the same form.
func (s *Server) fromHuma(requestID string, claim *membudget.Claim, status int, message string, errs []error) huma.StatusError {
	var details []fault.Detail
	for _, err := range errs {
		var d *huma.ErrorDetail
		if errors.As(err, &d) {
			details = append(details, fault.Detail{Field: field(d.Location), Message: inWords(d.Message)})
		}
	}
	var f *fault.Error
	switch {
	case status == http.StatusRequestEntityTooLarge:
		f = fault.New(fault.PayloadTooLarge, "The body is too large.")
	case status == http.StatusUnsupportedMediaType:
		f = fault.New(fault.UnsupportedMediaType, "The Content-Type is not one that this operation reads.")
	case claim.Refused():
		f = overloaded()
	case status >= http.StatusInternalServerError:
		f = fault.New(fault.Internal, "Something went wrong on our side. The request id helps us to find out what.")
	case details != nil:
		f = fault.Invalid(details...)
	default:
		f = fault.Invalid(fault.Detail{Field: "body", Message: message})
	}
	return s.problemOf(context.Background(), requestID, f)
}

// inWords turns what huma says of a parameter into the words used elsewhere.
var inWords = strings.NewReplacer(
	"expected number >= ", "must be a number of at least ", "expected number <= ", "must be a number of at most ",
	"invalid integer", "must be a whole number", "expected length <= ", "must not be longer than ",
	"invalid date/time for format 2006-01-02T15:04:05.999999999Z07:00", "must be an instant such as 2026-11-21T09:00:00Z",
).Replace

// field is the caller's name for a place that huma names: query.limit is limit.
func field(location string) string {
	_, name, found := strings.Cut(location, ".")
	if !found {
		return location
	}
	return name
}
