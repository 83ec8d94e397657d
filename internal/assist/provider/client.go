package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/breaker"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

// Attempts of one question, and the circuit breaker.
const (
	attempts        = 2
	pause           = 300 * time.Millisecond // before the second attempt
	breakerFailures = 4                      // after which the breaker opens
	breakerCooldown = 30 * time.Second
)

// Reasons why a model was not asked.
var (
	ErrAllowance   = errors.New("provider: the organisation has used up its allowance for today")
	ErrDisabled    = errors.New("provider: the organisation has switched the AI provider off")
	ErrBreakerOpen = errors.New("provider: the model failed several times and is not asked for a while")
)

// Client asks a model within a deadline and each organisation's allowance. It tries a second
// time if that may help. After several failures in a row it does not ask the model for a
// while.
type Client struct {
	model     Model
	limiter   ratelimit.Limiter
	allowance ratelimit.Budget
	deadline  time.Duration
	breaker   *breaker.Breaker
	log       *slog.Logger
}

// NewClient returns a client of a model. The allowance is the number of questions per
// organisation and window; 0 requests for no limit.
func NewClient(m Model, l ratelimit.Limiter, allowance ratelimit.Budget, deadline time.Duration, now func() time.Time, log *slog.Logger) *Client {
	return &Client{m, l, allowance, deadline, breaker.New(breakerFailures, breakerCooldown, now), log}
}

// BreakerOpen reports whether the model is not being asked after failures.
func (g *Client) BreakerOpen() bool { return g.breaker.IsOpen() }

// Ask asks a question for an organisation. After any error the caller continues without the
// model.
func (g *Client) Ask(ctx context.Context, organisation string, t Task) (json.RawMessage, error) {
	if !g.breaker.Allow() {
		return nil, ErrBreakerOpen
	}
	if err := g.take(ctx, organisation); err != nil {
		g.breaker.Succeed()
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, g.deadline)
	defer cancel()
	answer, err := g.ask(within, t)
	switch {
	case err == nil:
		g.breaker.Succeed()
	case ctx.Err() != nil: // the caller has gone: no failure of the model
		g.breaker.Succeed()
	default:
		g.breaker.Fail()
		g.log.WarnContext(ctx, "the model did not answer", "task", t.Name, "error", err)
	}
	return answer, err
}

func (g *Client) take(ctx context.Context, organisation string) error {
	if g.allowance.Requests == 0 {
		return nil
	}
	state, err := g.limiter.Take(ctx, g.allowance, organisation)
	if err == nil && state.Exceeded {
		return ErrAllowance
	}
	return err
}

func (g *Client) ask(ctx context.Context, t Task) (answer json.RawMessage, err error) {
	for n := range attempts {
		if answer, err = g.model.Ask(ctx, t); err == nil || !retryable(err) {
			break
		}
		if n == attempts-1 {
			break
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, fmt.Errorf("provider: %w", ctx.Err())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("provider: %w", err)
	}
	return answer, nil
}

// Statuses after which a second attempt may help.
const (
	statusTooManyRequests = 429
	statusServerError     = 500
	statusRequestTimeout  = 408
)

// retryable reports whether a second attempt may help: not if the question, the key or the
// model is wrong, or the time is up.
func retryable(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false
	}
	status := 0
	if e, ok := errors.AsType[*StatusError](err); ok {
		status = e.Status
	}
	return status == 0 || status == statusTooManyRequests || status == statusRequestTimeout || status >= statusServerError
}
