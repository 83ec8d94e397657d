package cds

import (
	"context"

	"golang.org/x/time/rate"
)

// RequestsPerSecond is what customs allows an application by default. The
// budget belongs to the application, so all organisations share it.
const RequestsPerSecond = 3

// Limiter makes a sender wait for its turn. Instances that share customs'
// budget share a Limiter whose state lies outside of the process.
type Limiter interface {
	// Wait returns when a request may go, or with an error when that will not
	// be before ctx ends.
	Wait(ctx context.Context) error
}

// NewLimiter is a Limiter for one instance. Turns are spaced evenly: no second,
// wherever it is cut, sees more than perSecond requests begin.
func NewLimiter(perSecond float64) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(perSecond), 1)
}
