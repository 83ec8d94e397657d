package client

import (
	"context"

	"golang.org/x/time/rate"
)

// Limiter holds a sender to HMRC's rate limit, by default three requests a second. The limit
// is of an application, so all organisations share it, and so do all instances: their
// Limiter keeps its state outside of the process.
type Limiter interface {
	// Wait returns when a request may go, or with an error if that will not be before ctx ends.
	Wait(ctx context.Context) error
}

// NewLimiter makes a Limiter for one instance. It spaces requests evenly: no second,
// wherever it begins, sees more than perSecond requests begin.
func NewLimiter(perSecond float64) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(perSecond), 1)
}
