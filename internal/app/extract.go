package app

import (
	"context"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// newExtractor reads documents with the built-in engine, and completes what it reads with the language model if one
// is configured. The engine is made at the first document.
func (a *App) newExtractor() api.Extract {
	engine := sync.OnceValue(extract.New)
	return func(ctx context.Context, org tenant.ID, in extract.Request, end func()) (extract.Extraction, error) {
		if a.model != nil {
			return (&assist.ModelExtractor{Offline: engine(), Model: a.permittedModel()}).Extract(ctx, org, in, end)
		}
		return engine().Extract(ctx, in)
	}
}
