//go:build jumpingclock

package app

import (
	"os"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
)

// jumpVariable names a file with the error of this machine's clock, such as "1h". Only programs built with this tag use
// it: those of test/faults.
const jumpVariable = "TIDEWAITER_JUMPING_CLOCK"

// machineClock reads the clocks of this machine. A test sets the wall clock.
func machineClock() func() clock.Reading {
	began, file := time.Now(), os.Getenv(jumpVariable)
	return func() clock.Reading {
		now := time.Now()
		return clock.Reading{Wall: now.Round(0).Add(jump(file)), Steady: now.Sub(began)}
	}
}

func jump(file string) time.Duration {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	by, _ := time.ParseDuration(strings.TrimSpace(string(text)))
	return by
}
