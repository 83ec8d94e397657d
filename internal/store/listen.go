package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel carries the names of queues that have got jobs from one instance to the others.
const channel = "tidewaiter_jobs"

// Limits of the connection that listens.
const (
	listenPatience = 10 * time.Second // of silence; then the connection is tried
	listenAnswer   = 5 * time.Second  // for an answer
	listenAgain    = time.Second      // from one connection to the next
)

// notify tells the other instances, with the commit, of the queues that have got jobs.
func (e *postgresEngine) notify(in session, queued []string) error {
	if len(queued) == 0 {
		return nil
	}
	slices.Sort(queued)
	words := append([]string{e.instance}, slices.Compact(queued)...)
	return in.post("SELECT pg_notify($1, $2)", []any{channel, strings.Join(words, " ")})
}

// listen hears of the queues that other instances have put jobs into, over connection
// after connection. The pumps look by themselves as well, so silence costs them half a
// second and no job.
func (e *postgresEngine) listen(ctx context.Context, heard func(queues []string), missed func()) {
	told := false
	for {
		err := e.hear(ctx, heard, func() { told = false; missed() })
		if ctx.Err() != nil {
			return
		}
		if !told && e.log != nil {
			e.log.Warn("cannot hear of jobs of other instances; they are looked for instead", "error", err)
			told = true
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(listenAgain):
		}
	}
}

func (e *postgresEngine) hear(ctx context.Context, heard func([]string), begun func()) error {
	config := e.config.Copy()
	config.RuntimeParams["application_name"] = strings.TrimSpace(config.RuntimeParams["application_name"] + " tidewaiter listening")
	conn, err := briefly(ctx, listenAnswer, func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, config) })
	if err != nil {
		return fmt.Errorf("store: listen: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return fmt.Errorf("store: listen: %w", err)
	}
	begun()
	for {
		payload, err := briefly(ctx, listenPatience, func(ctx context.Context) (string, error) {
			n, err := conn.WaitForNotification(ctx)
			if err != nil {
				return "", err
			}
			return n.Payload, nil
		})
		switch words := strings.Fields(payload); {
		case err == nil && len(words) > 0 && words[0] != e.instance:
			heard(words[1:])
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			_, err = briefly(ctx, listenAnswer, func(ctx context.Context) (struct{}, error) { return struct{}{}, conn.Ping(ctx) })
		}
		if err != nil {
			return fmt.Errorf("store: listen: %w", err)
		}
	}
}

func briefly[T any](ctx context.Context, patience time.Duration, do func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return do(ctx)
}

// listen has nobody to hear: the processes of one file are few, and look by themselves.
func (e *sqliteEngine) listen(context.Context, func([]string), func()) {}
