package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"
)

// The limits of a request.
const (
	Deadline = 20 * time.Second // of one exchange, and of the wait for the rate limit
	Cooldown = 10 * time.Second // until an open breaker lets one request try
	MaxBody  = 20 << 20         // bytes of a request's body; HMRC's declarations API accepts no larger one

	// Failures in a row open the circuit breaker. If HMRC fails one request in three, 5 in a
	// row happen by chance every 363 requests (two minutes at HMRC's limit of three a
	// second), and 10 every 88,572 (eight hours): mean waiting time (p⁻ⁿ - 1)/(1 - p). Each
	// opening stops all organisations for the Cooldown, so only a HMRC of which most
	// requests fail may cause it. The price is five more requests to a HMRC that is away.
	Failures = 10
)

// ErrOpen is the cause of an [Unreachable] while the circuit breaker is open.
var ErrOpen = errors.New("hmrc: circuit breaker is open")

// Request is one call of an API.
type Request struct {
	Method string
	Path   string      // below the base address, escaped, with the query
	Header http.Header // besides Authorization, Accept and Content-Type
	Body   []byte      // at most MaxBody; nil for none
}

// Do sends a request, and once more with a new token if HMRC does not accept the first
// one's. While the breaker is open, it waits for neither a token nor the rate limit.
func (c *Client) Do(ctx context.Context, as Credentials, r Request) (Answer, Failure) {
	if len(r.Body) > MaxBody {
		return Answer{}, Refused{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf("The document is larger than %d MiB.", MaxBody>>20)}
	}
	if c.breaker.CoolingDown() {
		return Answer{}, Unreachable{Cause: ErrOpen}
	}
	token, err := as.Token(ctx)
	if err != nil {
		return Answer{}, noToken(err)
	}
	answer, failure := c.try(ctx, token, r)
	if refused, ok := failure.(Refused); !ok || refused.Status != http.StatusUnauthorized {
		return answer, failure
	}
	if token, err = as.Renew(ctx, token); err != nil {
		return Answer{}, noToken(err)
	}
	return c.try(ctx, token, r)
}

// try waits for the rate limit, does one exchange, and records it in the breaker.
func (c *Client) try(ctx context.Context, token string, r Request) (Answer, Failure) {
	if err := c.wait(ctx); err != nil {
		return Answer{}, Unreachable{Cause: err}
	}
	if !c.breaker.Allow() {
		return Answer{}, Unreachable{Cause: ErrOpen}
	}
	answer, failure := c.exchange(ctx, token, r)
	c.record(ctx, failure)
	return answer, failure
}

func (c *Client) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.settings.Deadline)
	defer cancel()
	if err := c.limiter.Wait(ctx); err != nil {
		return fmt.Errorf("hmrc: waiting for the rate limit: %w", err)
	}
	return nil
}

func (c *Client) exchange(ctx context.Context, token string, r Request) (Answer, Failure) {
	ctx, cancel := context.WithTimeout(ctx, c.settings.Deadline)
	defer cancel()
	var head requestBody
	request, err := http.NewRequestWithContext(head.watch(ctx), r.Method, c.settings.BaseURL+r.Path, bytes.NewReader(r.Body))
	if err != nil {
		return Answer{}, Unreachable{Cause: err}
	}
	maps.Copy(request.Header, r.Header)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Accept", c.settings.Accept)
	if r.Body != nil {
		request.Header.Set("Content-Type", c.api.ContentType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return Answer{}, head.failure(err)
	}
	defer response.Body.Close()
	return c.read(response)
}

// record reports an exchange to the breaker. A refusal is an answer, so it counts as a
// success. A caller that gave up proves nothing about HMRC, so it counts only as the
// failure of a trial, which must end.
func (c *Client) record(ctx context.Context, failure Failure) {
	_, refused := failure.(Refused)
	switch {
	case failure == nil || refused:
		c.breaker.Succeed()
	case ctx.Err() == nil || c.breaker.IsOpen():
		c.breaker.Fail()
	}
}
