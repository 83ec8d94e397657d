package app

import (
	"context"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/document/ocr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// newExtractor reads documents with the built-in engine, and completes what it reads with the language model if one
// is configured. The engine is made at the first document. Pictures are read if Tesseract is installed.
func (a *App) newExtractor() api.Extract {
	engine := sync.OnceValue(func() *extract.Engine {
		e := extract.New()
		if program := ocr.Find(); program != nil {
			e.Pictures = program
		}
		return e
	})
	return func(ctx context.Context, org tenant.ID, in extract.Request, end func()) (found extract.Extraction, err error) {
		if a.model != nil {
			found, err = (&assist.ModelExtractor{Offline: engine(), Model: a.permittedModel()}).Extract(ctx, org, in, end)
		} else {
			found, err = engine().Extract(ctx, in)
		}
		if err != nil {
			return found, err
		}
		day := a.deps.Now().In(calendar.London()).Format(time.DateOnly)
		found.Convert(func(currency string) (duty.Rate, bool) {
			r, ok := a.Rates.Find(rates.Monthly, currency, day)
			return duty.Rate{Units: r.Value, Source: r.Series, Period: r.From + "/" + r.To}, ok
		})
		return found, nil
	}
}
