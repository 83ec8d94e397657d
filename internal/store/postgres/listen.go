package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel carries the names of queues that have new jobs from one instance to the others.
const channel = "tidewaiter_jobs"

// Times of the connection that listens.
const (
	listenSilence = 10 * time.Second // without a notification; then the connection is tested
	listenTimeout = 5 * time.Second  // for an answer
	reconnectWait = time.Second
)

// notify announces queues with new jobs to the other instances, with the commit.
func (e *Engine) notify(s session, queues []string) error {
	if len(queues) == 0 {
		return nil
	}
	slices.Sort(queues)
	words := append([]string{e.instance}, slices.Compact(queues)...)
	return s.ExecDeferred("SELECT pg_notify($1, $2)", []any{channel, strings.Join(words, " ")})
}

// Listen listens on one connection after the other. Workers poll as well, so a lost
// notification delays a job by half a second at most.
func (e *Engine) Listen(ctx context.Context, notified func(queues []string), missed func()) {
	warned := false
	for {
		err := e.listenOnce(ctx, notified, func() { warned = false; missed() })
		if ctx.Err() != nil {
			return
		}
		if !warned && e.log != nil {
			e.log.Warn("cannot listen for jobs of other instances; polling for them instead", "error", err)
			warned = true
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(reconnectWait):
		}
	}
}

func (e *Engine) listenOnce(ctx context.Context, notified func([]string), began func()) error {
	config := e.config.Copy()
	config.RuntimeParams["application_name"] = strings.TrimSpace(config.RuntimeParams["application_name"] + " tidewaiter listening")
	conn, err := withTimeout(ctx, listenTimeout, func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, config) })
	if err != nil {
		return fmt.Errorf("store: listen: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return fmt.Errorf("store: listen: %w", err)
	}
	began()
	for {
		payload, err := withTimeout(ctx, listenSilence, func(ctx context.Context) (string, error) {
			n, err := conn.WaitForNotification(ctx)
			if err != nil {
				return "", err
			}
			return n.Payload, nil
		})
		switch words := strings.Fields(payload); {
		case err == nil && len(words) > 0 && words[0] != e.instance:
			notified(words[1:])
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			_, err = withTimeout(ctx, listenTimeout, func(ctx context.Context) (struct{}, error) { return struct{}{}, conn.Ping(ctx) })
		}
		if err != nil {
			return fmt.Errorf("store: listen: %w", err)
		}
	}
}

func withTimeout[T any](ctx context.Context, timeout time.Duration, do func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return do(ctx)
}
