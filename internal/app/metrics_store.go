package app

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/tidewaiter/tidewaiter/internal/store"
)

// storeFigures are how the database does.
type storeFigures struct {
	transactions *prometheus.CounterVec
	waited       *prometheus.HistogramVec
	took         *prometheus.HistogramVec
	commit       prometheus.Histogram
	changes      prometheus.Histogram
}

// databaseTimes are from a tenth of a millisecond to over six seconds.
var databaseTimes = prometheus.ExponentialBuckets(0.0001, 3, 11)

func newStoreFigures(make promauto.Factory) storeFigures {
	return storeFigures{
		transactions: make.NewCounterVec(prometheus.CounterOpts{
			Name: "tidewaiter_store_transactions_total", Help: "Transactions that have ended, by kind and outcome: done, refused by the service's own rules, or unavailable.",
		}, []string{"kind", "outcome"}),
		waited: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tidewaiter_store_wait_seconds", Help: "Time that transactions waited for their turn, by kind.", Buckets: databaseTimes,
		}, []string{"kind"}),
		took: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tidewaiter_store_transaction_seconds", Help: "Time of transactions from asking to the end, by kind.", Buckets: databaseTimes,
		}, []string{"kind"}),
		commit: make.NewHistogram(prometheus.HistogramOpts{
			Name: "tidewaiter_store_commit_seconds", Help: "Time from a change's last statement until it is durable.", Buckets: databaseTimes,
		}),
		changes: make.NewHistogram(prometheus.HistogramOpts{
			Name: "tidewaiter_store_group_changes", Help: "Changes that shared one commit; SQLite only.", Buckets: prometheus.ExponentialBuckets(1, 2, 9),
		}),
	}
}

// transaction hears of every transaction that has ended.
func (f *storeFigures) transaction(t *store.Transaction) {
	kind := string(t.Kind)
	f.transactions.WithLabelValues(kind, t.Outcome()).Inc()
	f.waited.WithLabelValues(kind).Observe(t.Entered.Sub(t.Began).Seconds())
	f.took.WithLabelValues(kind).Observe(t.Ended.Sub(t.Began).Seconds())
	if t.Kind == store.Updating && t.Err == nil {
		f.commit.Observe(t.Ended.Sub(t.Worked).Seconds())
	}
}

// group hears how many changes each commit made durable.
func (f *storeFigures) group(changes int) { f.changes.Observe(float64(changes)) }
