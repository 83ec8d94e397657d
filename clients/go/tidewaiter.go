// Package tidewaiter is a client of the Tidewaiter API. The types and methods in client.gen.go are generated from the
// service's OpenAPI document.
package tidewaiter

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// How often and how long calls wait before they are repeated.
const (
	retries     = 4
	firstWait   = 500 * time.Millisecond // doubled each time, unless the service says how long to wait
	longestWait = time.Minute
)

// New returns a client of the service at an address, with a key. Calls are repeated after 429 and 503, when the service
// has done nothing, as soon as its answer permits; after a lost connection only GET and calls with an Idempotency-Key.
func New(address, key string, options ...ClientOption) (*ClientWithResponses, error) {
	return NewClientWithResponses(address, append([]ClientOption{
		WithHTTPClient(&http.Client{Transport: Retrying{http.DefaultTransport}}),
		WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+key)
			return nil
		}),
	}, options...)...)
}

// Ptr returns a pointer to a value, for optional members.
func Ptr[T any](value T) *T { return &value }

// AsError is a refusal as an error. The answers of all operations have the refusal as JSONDefault.
func (p *ProblemDetails) AsError() error {
	if p == nil {
		return nil
	}
	return fmt.Errorf("%s: %s (request %s)", p.Error, p.Message, p.RequestID)
}

// Retrying is a transport that repeats calls, as New says.
type Retrying struct{ Next http.RoundTripper }

// RoundTrip sends a request, and again if it has to.
func (t Retrying) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := content(r)
	if err != nil {
		return nil, err
	}
	repeatable := r.Method == http.MethodGet || r.Header.Get("Idempotency-Key") != ""
	for attempt := 0; ; attempt++ {
		again := r.Clone(r.Context())
		if body != nil {
			again.Body = io.NopCloser(bytes.NewReader(body))
		}
		response, err := t.Next.RoundTrip(again)
		wait := min(firstWait<<attempt, longestWait)
		switch {
		case attempt == retries, err != nil && !repeatable:
			return response, err
		case err == nil && response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable:
			return response, nil
		case err == nil:
			if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
				wait = min(time.Duration(seconds)*time.Second, longestWait)
			}
			_ = response.Body.Close()
		}
		select {
		case <-r.Context().Done():
			return nil, r.Context().Err()
		case <-time.After(wait):
		}
	}
}

// content is the whole body of a request; nil if it has none.
func content(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer r.Body.Close()
	return io.ReadAll(r.Body)
}
