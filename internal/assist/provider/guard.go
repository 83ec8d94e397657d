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

// How a model is asked.
const (
	attempts      = 2
	pause         = 300 * time.Millisecond // before the second attempt
	failuresInRow = 4                      // after which the model is left alone
	leftAlone     = 30 * time.Second
)

// Reasons for which a model is not asked.
var (
	ErrAllowance = errors.New("provider: the organisation's allowance of the day is used up")
	ErrOff       = errors.New("provider: the organisation has switched the AI provider off")
	ErrAway      = errors.New("provider: the model has failed several times and is left alone for a while")
)

// Guard asks a model within an allowance of each organisation and a deadline, once
// more where that may help, and not at all for a while after it has failed in a row:
// nobody waits for a provider that is away.
type Guard struct {
	model     Model
	limiter   ratelimit.Limiter
	allowance ratelimit.Budget
	deadline  time.Duration
	breaker   *breaker.Breaker
	log       *slog.Logger
}

// NewGuard guards a model. The allowance is of questions an organisation and window.
func NewGuard(m Model, l ratelimit.Limiter, allowance ratelimit.Budget, deadline time.Duration, now func() time.Time, log *slog.Logger) *Guard {
	return &Guard{m, l, allowance, deadline, breaker.New(failuresInRow, leftAlone, now), log}
}

// Resting tells whether the model is being left alone for a while.
func (g *Guard) Resting() bool { return g.breaker.IsOpen() }

// Ask asks for an organisation. Every error means: do without.
func (g *Guard) Ask(ctx context.Context, organisation string, t Task) (json.RawMessage, error) {
	if !g.breaker.Allow() {
		return nil, ErrAway
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
	case ctx.Err() != nil: // the caller is gone, which says nothing of the model
		g.breaker.Succeed()
	default:
		g.breaker.Fail()
		g.log.WarnContext(ctx, "the model did not answer", "task", t.Name, "error", err)
	}
	return answer, err
}

func (g *Guard) take(ctx context.Context, organisation string) error {
	if g.allowance.Requests == 0 {
		return nil
	}
	state, err := g.limiter.Take(ctx, g.allowance, organisation)
	if err == nil && state.Exceeded {
		return ErrAllowance
	}
	return err
}

func (g *Guard) ask(ctx context.Context, t Task) (answer json.RawMessage, err error) {
	for n := range attempts {
		if answer, err = g.model.Ask(ctx, t); err == nil || !again(err) {
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
	tooMany    = 429
	ownFault   = 500
	requestOut = 408
)

// again tells whether a second attempt may help: not where the answer is that the
// question, the key or the model is wrong, and not where no time is left.
func again(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false
	}
	status := 0
	if e, ok := errors.AsType[*StatusError](err); ok {
		status = e.Status
	}
	return status == 0 || status == tooMany || status == requestOut || status >= ownFault
}
