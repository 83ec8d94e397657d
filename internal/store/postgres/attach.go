package postgres

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Attach opens a database as it is. It migrates nothing.
func Attach(ctx context.Context, o engine.Options) (*Engine, error) {
	e, err := connect(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	if err := e.Ping(ctx); err != nil {
		_ = e.Close()
		return nil, err
	}
	return e, nil
}
