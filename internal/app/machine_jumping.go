//go:build jumpingclock

package app

import (
	"os"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
)

// jumpVariable names a file that says by how much the clock of this machine is wrong,
// such as "1h". It is for test/faults alone: no program that is built without the tag
// knows it.
const jumpVariable = "TIDEWAITER_JUMPING_CLOCK"

// machine looks at the clocks of this machine, one of which a test sets.
func machine() func() clock.Reading {
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
