// Package apptest runs the whole service in tests.
package apptest

import (
	"context"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// Simulated returns settings with a new data folder and the built-in simulator.
func Simulated(t testing.TB) config.Config {
	return config.Config{
		Addr: "127.0.0.1:0", Data: t.TempDir(), SimulatorDelay: time.Millisecond,
		Customs: config.Customs{Mode: "simulator", Inbound: "signed", Issuer: "i", Audience: "a", Version: "1.0"},
	}
}

// Serve runs the service, calls fn with its address, and stops the service.
func Serve(t *testing.T, c config.Config, now func() time.Time, fn func(ctx context.Context, a *app.App, address string)) {
	t.Helper()
	a, err := app.Open(t.Context(), c, app.Deps{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx, stop := context.WithCancel(t.Context())
	err = a.Serve(ctx, func(address string) {
		defer stop()
		fn(ctx, a, address)
	})
	if err != nil {
		t.Fatal(err)
	}
}
