// Package apierr holds the errors that a caller can act on: a stable code, a sentence, and the fields that are wrong.
// Every other error is an internal error.
package apierr

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code is the stable, machine-readable name of an error.
type Code string

// The codes of the service; docs/errors.md explains cause and remedy of each.
const (
	InvalidRequest        Code = "invalid_request"
	InvalidState          Code = "invalid_state"
	EndpointPaused        Code = "endpoint_paused"
	Unauthorized          Code = "unauthorized"
	HubNotEnabled         Code = "hub_not_enabled"
	OwnerRoleRequired     Code = "owner_role_required"
	ReadOnlyKey           Code = "read_only_key"
	ScopeRequired         Code = "scope_required"
	AddressNotAllowed     Code = "address_not_allowed"
	SignInAgain           Code = "sign_in_again"
	NotFound              Code = "not_found"
	MethodNotAllowed      Code = "method_not_allowed"
	HubAlreadyEnabled     Code = "hub_already_enabled"
	HubNotBookable        Code = "hub_not_bookable"
	HubFoundational       Code = "hub_foundational"
	IdempotencyInProgress Code = "idempotency_in_progress"
	PayloadTooLarge       Code = "payload_too_large"
	UnsupportedMediaType  Code = "unsupported_media_type"
	IdempotencyMismatch   Code = "idempotency_mismatch"
	RateLimited           Code = "rate_limited"
	Internal              Code = "internal_error"
	CustomsUnreachable    Code = "customs_unreachable"
	CustomsRejected       Code = "customs_rejected"
	ShuttingDown          Code = "shutting_down"
	StoreUnavailable      Code = "store_unavailable"
	Overloaded            Code = "overloaded"
	DiskFull              Code = "disk_full"
	HMRCUnreachable       Code = "hmrc_unreachable"
	HMRCRejected          Code = "hmrc_rejected"

	// The API document lists these codes already, so that clients know them. Their operations follow.
	SandboxOnly            Code = "sandbox_only"
	ReferenceTaken         Code = "reference_taken"
	RequestInProgress      Code = "request_in_progress"
	CustomsConsentRequired Code = "customs_consent_required"
	ApprovalRequired       Code = "approval_required"
	PreconditionFailed     Code = "precondition_failed"
	DeclarationIncomplete  Code = "declaration_incomplete"
	AuthorityRefused       Code = "authority_refused"
	TariffLoading          Code = "tariff_loading"
)

// Detail names one field of the input and what is wrong with it.
type Detail struct {
	Field   string `json:"field" doc:"Path of the field, such as items[0].netMassKg" example:"items[0].netMassKg"`
	Message string `json:"message" doc:"What is wrong with it" example:"must not be negative"`
	Element string `json:"de,omitempty" doc:"Data element of customs' completion guide" example:"6/1"`
	Code    string `json:"code,omitempty" doc:"Error code with which customs would reject it" example:"CDS10001"`
	Remedy  string `json:"remedy,omitempty" doc:"What to do"`

	Number   int    `json:"number,omitempty" doc:"HMRC’s number of the error" example:"8084"`
	Location string `json:"location,omitempty" doc:"Location in HMRC’s message"`
}

// Error is an answer to the caller.
type Error struct {
	Code    Code
	Message string
	Details []Detail
	Wait    time.Duration // until a retry makes sense; 0 if unknown
	cause   error
}

// RetryAfter is the Retry-After header, in seconds, while the service is unavailable: until then a standby or another
// instance has taken over.
const RetryAfter = "5"

// New returns an Error with a sentence for the user.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns an invalid_request that names all fields.
func Invalid(details ...Detail) *Error {
	fields := make([]string, 0, len(details))
	for _, d := range details {
		fields = append(fields, d.Field)
	}
	return &Error{
		Code:    InvalidRequest,
		Message: "The request is not valid: " + strings.Join(fields, ", ") + ".",
		Details: details,
	}
}

// Missing returns the same answer whether a record does not exist or belongs to another organisation.
func Missing() *Error { return New(NotFound, "There is no such record.") }

// Canceled returns the error for a request whose client has disconnected, so that it is not logged as an internal error.
func Canceled(ctx context.Context, err error) (*Error, bool) {
	if ctx.Err() == nil || !errors.Is(err, context.Canceled) {
		return nil, false
	}
	return New(ShuttingDown, "The client closed the connection."), true
}

// WithCause sets the cause, which is logged and never sent to the caller.
func (e *Error) WithCause(cause error) *Error {
	e.cause = cause
	return e
}

// WithRetryWithRetryAfter sets the time until a retry makes sense, for the Retry-After header.
func (e *Error) WithRetryAfter(wait time.Duration) *Error {
	e.Wait = wait
	return e
}

// RetrySeconds returns Wait in whole seconds, rounded up; 0 if unknown.
func (e *Error) RetrySeconds() int { return int((e.Wait + time.Second - 1) / time.Second) }

func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.cause)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// As returns the Error in a chain of errors.
func As(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// Is reports whether err has a code.
func Is(err error, code Code) bool {
	e, ok := As(err)
	return ok && e.Code == code
}

// CannotStore reports whether an error means that the database cannot store anything at the moment.
func CannotStore(err error) bool { return Is(err, StoreUnavailable) || Is(err, DiskFull) }
