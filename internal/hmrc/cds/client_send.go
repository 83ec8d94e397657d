package cds

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
)

// The limits of sending.
const (
	Deadline    = 20 * time.Second // of one exchange, and of the wait for its turn
	Failures    = 10               // in a row open the circuit breaker: most exchanges fail, not some
	Cooldown    = 10 * time.Second // until an open breaker lets one request try
	MaxDocument = 20 << 20         // bytes; customs calls a larger one not well-formed
)

const contentType = "application/xml; charset=utf-8"

// ErrOpen is the cause of an [Unreachable] when the last requests have all
// failed and customs is being left alone for a while.
var ErrOpen = errors.New("cds: circuit breaker is open")

// send asks before it queues: while the breaker is open, nobody waits for a
// token or a turn that leads nowhere.
func (c *Client) send(ctx context.Context, as Credentials, path string, document []byte) Outcome {
	if len(document) > MaxDocument {
		return Refused{Status: http.StatusRequestEntityTooLarge, Message: "The document is larger than customs takes."}
	}
	if c.breaker.RemainingDelay() > 0 {
		return Unreachable{Cause: ErrOpen}
	}
	token, err := as.Token(ctx)
	if err != nil {
		return barred(err)
	}
	outcome := c.post(ctx, path, token, document)
	if refused, ok := outcome.(Refused); !ok || refused.Status != http.StatusUnauthorized {
		return outcome
	}
	token, err = as.Renew(ctx, token)
	if err != nil {
		return barred(err)
	}
	return c.post(ctx, path, token, document)
}

// post waits for its turn and does one exchange, of which the breaker learns.
func (c *Client) post(ctx context.Context, path, token string, document []byte) Outcome {
	if err := c.wait(ctx); err != nil {
		return Unreachable{Cause: err}
	}
	if !c.breaker.TryAcquirePermit() {
		return Unreachable{Cause: ErrOpen}
	}
	outcome := c.exchange(ctx, path, token, document)
	c.record(ctx, outcome)
	return outcome
}

func (c *Client) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.settings.Deadline)
	defer cancel()
	if err := c.limiter.Wait(ctx); err != nil {
		return fmt.Errorf("cds: waiting for a turn: %w", err)
	}
	return nil
}

func (c *Client) exchange(ctx context.Context, path, token string, document []byte) Outcome {
	ctx, cancel := context.WithTimeout(ctx, c.settings.Deadline)
	defer cancel()
	var p passage
	request, err := http.NewRequestWithContext(p.watch(ctx), http.MethodPost, c.settings.BaseURL+path, bytes.NewReader(document))
	if err != nil {
		return Unreachable{Cause: err}
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Accept", c.settings.Accept)
	request.Header.Set("Content-Type", contentType)
	response, err := c.http.Do(request)
	if err != nil {
		return p.broken(err)
	}
	defer response.Body.Close()
	return c.judge(response)
}

// record tells the breaker whether customs is there. A refusal is an answer, so
// it counts for customs. A caller that gave up says nothing about customs; but
// a half-open breaker has lent its one permit and must get it back.
func (c *Client) record(ctx context.Context, outcome Outcome) {
	switch outcome.(type) {
	case Accepted, Refused:
		c.breaker.RecordSuccess()
	default:
		if ctx.Err() == nil || !c.breaker.IsClosed() {
			c.breaker.RecordFailure()
		}
	}
}

func newBreaker(cooldown time.Duration) circuitbreaker.CircuitBreaker[any] {
	return circuitbreaker.NewBuilder[any]().
		WithFailureThreshold(Failures).
		WithSuccessThreshold(1).
		WithDelay(cooldown).
		Build()
}
