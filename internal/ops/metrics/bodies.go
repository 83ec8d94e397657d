package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

var (
	bodyMemoryMetric = prometheus.NewDesc("tidewaiter_body_memory_bytes",
		"Memory that request bodies take now: all, of it public (callers not authenticated yet), and beside it the reserve of customs.", []string{"part"}, nil)
	bodyRefusalsMetric = prometheus.NewDesc("tidewaiter_body_refusals_total",
		"Request bodies refused because there was no memory left for them, by share.", []string{"share"}, nil)
)

// bodies are the metrics of the memory for request bodies.
type bodies struct{ budget *membudget.Budget }

// Describe implements prometheus.Collector.
func (f bodies) Describe(to chan<- *prometheus.Desc) {
	to <- bodyMemoryMetric
	to <- bodyRefusalsMetric
}

// Collect implements prometheus.Collector.
func (f bodies) Collect(to chan<- prometheus.Metric) {
	u := f.budget.Usage()
	for part, n := range map[string]int64{"all": u.All, "public": u.Public, "customs_reserve": u.Reserve} {
		to <- prometheus.MustNewConstMetric(bodyMemoryMetric, prometheus.GaugeValue, float64(n), part)
	}
	for share, n := range u.Refused {
		to <- prometheus.MustNewConstMetric(bodyRefusalsMetric, prometheus.CounterValue, float64(n), share)
	}
}
