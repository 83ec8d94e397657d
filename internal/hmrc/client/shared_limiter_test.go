package client_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// A caller waits until its turn, and reserves again after the wait, because another instance may have taken the turn.
func TestWaitForTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waits := []time.Duration{time.Second, 2 * time.Second, 0}
		l := client.NewSharedLimiter(func(context.Context) (time.Duration, error) {
			wait := waits[0]
			waits = waits[1:]
			return wait, nil
		})
		began := time.Now()
		if err := l.Wait(t.Context()); err != nil || time.Since(began) != 3*time.Second || len(waits) != 0 {
			t.Errorf("%v after %s, %d reservations left", err, time.Since(began), len(waits))
		}
	})
}
