package app

import (
	"cmp"
	"time"

	"github.com/prometheus/client_golang/prometheus"

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

var (
	bodyMemoryMetric = prometheus.NewDesc("tidewaiter_body_memory_bytes",
		"Memory that request bodies take now: all, of it public (callers not authenticated yet), and beside it the reserve of customs.", []string{"part"}, nil)
	bodyRefusalsMetric = prometheus.NewDesc("tidewaiter_body_refusals_total",
		"Request bodies refused because there was no memory left for them, by share.", []string{"share"}, nil)
)

// bodyFigures are the metrics of the memory for request bodies.
type bodyFigures struct{ budget *membudget.Budget }

func (f bodyFigures) Describe(to chan<- *prometheus.Desc) {
	to <- bodyMemoryMetric
	to <- bodyRefusalsMetric
}

func (f bodyFigures) Collect(to chan<- prometheus.Metric) {
	u := f.budget.Usage()
	for part, n := range map[string]int64{"all": u.All, "public": u.Public, "customs_reserve": u.Reserve} {
		to <- prometheus.MustNewConstMetric(bodyMemoryMetric, prometheus.GaugeValue, float64(n), part)
	}
	for share, n := range u.Refused {
		to <- prometheus.MustNewConstMetric(bodyRefusalsMetric, prometheus.CounterValue, float64(n), share)
	}
}
