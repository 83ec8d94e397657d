package webhook

import (
	"context"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Unexported names that the tests use.

const (
	MaxResponse = maxResponse
	Overlap     = overlap
)

func Schedule() []time.Duration { return schedule }

func Sign(h http.Header, secrets []string, eventID string, at time.Time, body []byte) {
	sign(h, newSigners(secrets), eventID, at, body)
}

func RetryAfter(text string, now time.Time) time.Duration { return retryAfter(text, now) }

func Explain(err error) string { return explain(err) }

func (d *Delivery) Complete(r Result) { d.complete(r, nil) }

func (s *Sender) Send(ctx context.Context, url string, secrets []string, d Delivery, body string) Result {
	return s.send(ctx, &target{url: url, signers: newSigners(secrets), client: s.Client}, &delivery{Delivery: d, body: body})
}

func Seal(s Sealer, org tenant.ID, endpointID, secret string) (Sealed, error) {
	return seal(s, org, endpointID, secret)
}

func Secrets(s Sealer, org tenant.ID, e *Endpoint, now time.Time) ([]string, error) {
	return secrets(s, org, e, now)
}
