//go:build !jumpingclock

package app

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
)

// machineClock reads the clocks of this machine.
func machineClock() func() clock.Reading {
	began := time.Now()
	return func() clock.Reading {
		now := time.Now()
		return clock.Reading{Wall: now.Round(0), Steady: now.Sub(began)}
	}
}
