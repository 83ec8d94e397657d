package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// extractor is who reads documents: the offline engine, completed by a model where
// there is one.
func (a *App) extractor() api.Extract {
	engine := extract.New()
	if a.model != nil {
		return (&assist.AdvisedReader{Offline: engine, Model: a.permittedModel()}).Extract
	}
	return func(ctx context.Context, _ tenant.ID, in extract.Request, _ func()) (extract.Extraction, error) {
		return engine.Extract(ctx, in)
	}
}
