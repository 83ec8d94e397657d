package app

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// hmrcLimiter spaces requests of one HMRC application evenly. It uses the database, so that all instances share HMRC's
// limit also without Redis.
func (a *App) hmrcLimiter(name string, rate float64) client.Limiter {
	if rate <= 0 {
		return client.NewLimiter(simulatorRate)
	}
	gap := time.Duration(float64(time.Second) / rate)
	return client.NewSharedLimiter(func(ctx context.Context) (time.Duration, error) { return a.Store.ReserveSlot(ctx, name, gap) })
}

// simulatorRate, in requests per second, is effectively no limit.
const simulatorRate = 1e6
