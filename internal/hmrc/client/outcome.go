package client

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Outcome is what became of a request: a type that embeds [Accepted], or a [Failure].
type Outcome interface{ outcome() }

// Failure is [Refused], [Unreachable] or [Unknown].
type Failure interface {
	error
	Outcome
}

// Accepted is embedded in what an API's package returns for an accepted request.
type Accepted struct{}

// Refused means that HMRC certainly did not accept the request.
type Refused struct {
	Status        int
	Code          string // such as BAD_REQUEST; empty if the body could not be read
	Message       string
	Details       []Detail      // at most MaxDetails
	RetryAfter    time.Duration // of a 429; zero if HMRC named no time
	CorrelationID string        // for HMRC's support desk
}

// Detail is one of the reasons in a refusal.
type Detail struct {
	Code    string `json:"code" xml:"code"`
	Message string `json:"message" xml:"message"`
	Path    string `json:"path" xml:"path"` // of the field that it is about, such as /vatDueSales; often empty
}

// Unreachable means that HMRC certainly did not receive the request.
type Unreachable struct{ Cause error }

// Unknown means that HMRC may have accepted the request.
type Unknown struct {
	Status        int // zero if no answer came
	CorrelationID string
	Cause         error
}

func (Accepted) outcome()    {}
func (Refused) outcome()     {}
func (Unreachable) outcome() {}
func (Unknown) outcome()     {}

// IsUnauthorised reports whether HMRC refused the token.
func (r Refused) IsUnauthorised() bool { return r.Status == http.StatusUnauthorized }

// IsForbidden reports whether the rights of the caller do not allow the request.
func (r Refused) IsForbidden() bool { return r.Status == http.StatusForbidden }

// IsMissing reports whether HMRC has nothing at the address of the request.
func (r Refused) IsMissing() bool { return r.Status == http.StatusNotFound }

// IsTooMany reports whether HMRC's rate limit refused the request.
func (r Refused) IsTooMany() bool { return r.Status == http.StatusTooManyRequests }

func (r Refused) Error() string {
	return strings.TrimRight(fmt.Sprintf("hmrc: refused: %d %s: %s", r.Status, r.Code, r.Message), ": ")
}

func (u Unreachable) Error() string { return fmt.Sprintf("hmrc: unreachable: %v", u.Cause) }

// Unwrap returns the cause.
func (u Unreachable) Unwrap() error { return u.Cause }

func (u Unknown) Error() string { return fmt.Sprintf("hmrc: outcome unknown: %v", u.Cause) }

// Unwrap returns the cause.
func (u Unknown) Unwrap() error { return u.Cause }
