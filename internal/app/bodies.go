package app

import (
	"cmp"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/lograte"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

// Parts of the memory for request bodies.
const (
	bodyMemory    = 256 << 20 // if the setting is empty
	publicPart    = 32        // callers that are not authenticated yet have a 32nd
	customsMemory = 64 << 20  // a reserve for messages from customs, three of the largest
)

func newBodies(c config.Config) *membudget.Budget {
	all := cmp.Or(int64(c.BodyMemory), bodyMemory)
	return membudget.New(membudget.Limits{All: all, Public: all / publicPart, Customs: customsMemory})
}

// newRefusals lets one line pass a second and address.
func newRefusals(d Deps) *lograte.Limiter {
	return &lograte.Limiter{Now: d.machine, Every: time.Second}
}
