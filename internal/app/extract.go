package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// extractor reads documents without asking anybody.
func extractor() api.Extract {
	engine := extract.New()
	return func(ctx context.Context, _ tenant.ID, in extract.Request) (extract.Extraction, error) {
		return engine.Extract(ctx, in)
	}
}
