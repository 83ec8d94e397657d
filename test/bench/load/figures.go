package load

import (
	"cmp"
	"slices"
	"time"
)

// Figures are the result of one run.
type Figures struct {
	Requests      int
	PerSecond     float64
	P50, P95, P99 time.Duration
}

func figures(latencies []time.Duration, took time.Duration) Figures {
	slices.Sort(latencies)
	return Figures{
		Requests: len(latencies), PerSecond: float64(len(latencies)) / took.Seconds(),
		P50: quantile(latencies, 50), P95: quantile(latencies, 95), P99: quantile(latencies, 99),
	}
}

// quantile is the value that this percentage of sorted values does not exceed.
func quantile(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*percent+99)/100-1]
}

// Median is the middle value, the upper one of two.
func Median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
