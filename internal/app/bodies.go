package app

import (
	"cmp"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/lograte"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

// Limits of the memory for request bodies, in bytes unless noted.
const (
	bodyMemory    = 256 << 20 // if the setting is empty
	publicPart    = 32        // unauthenticated callers get this fraction of it
	customsMemory = 64 << 20  // reserved for messages of CDS: three of the largest
)

func newBodies(c config.Config) *membudget.Budget {
	all := cmp.Or(int64(c.BodyMemory), bodyMemory)
	return membudget.New(membudget.Limits{All: all, Public: all / publicPart, Customs: customsMemory})
}

// newRefusals allows one log line per second and address.
func newRefusals(d Deps) *lograte.Limiter {
	return &lograte.Limiter{Now: d.monotonic, Every: time.Second}
}
