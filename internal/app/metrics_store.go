package app

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/tidewaiter/tidewaiter/internal/store"
)

// storeFigures are how the database does.
type storeFigures struct {
	kinds   map[store.Kind]kindFigures
	commit  prometheus.Histogram
	changes prometheus.Histogram
}

// kindFigures are those of one kind of transaction. They are looked up beforehand,
// since every request has several transactions.
type kindFigures struct {
	ended  map[string]prometheus.Counter // by outcome
	waited prometheus.Observer
	took   prometheus.Observer
}

// databaseTimes are from a tenth of a millisecond to over six seconds.
var databaseTimes = prometheus.ExponentialBuckets(0.0001, 3, 11)

func newStoreFigures(make promauto.Factory) storeFigures {
	ended := make.NewCounterVec(prometheus.CounterOpts{
		Name: "tidewaiter_store_transactions_total", Help: "Transactions that have ended, by kind and outcome: done, refused by the service's own rules, or unavailable.",
	}, []string{"kind", "outcome"})
	waited := make.NewHistogramVec(prometheus.HistogramOpts{
		Name: "tidewaiter_store_wait_seconds", Help: "Time that transactions waited for their turn, by kind.", Buckets: databaseTimes,
	}, []string{"kind"})
	took := make.NewHistogramVec(prometheus.HistogramOpts{
		Name: "tidewaiter_store_transaction_seconds", Help: "Time of transactions from asking to the end, by kind.", Buckets: databaseTimes,
	}, []string{"kind"})
	kinds := map[store.Kind]kindFigures{}
	for _, k := range []store.Kind{store.Viewing, store.Scanning, store.Glancing, store.Updating} {
		of := kindFigures{ended: map[string]prometheus.Counter{}, waited: waited.WithLabelValues(string(k)), took: took.WithLabelValues(string(k))}
		for _, outcome := range []string{store.Done, store.Refused, store.Unavailable} {
			of.ended[outcome] = ended.WithLabelValues(string(k), outcome)
		}
		kinds[k] = of
	}
	return storeFigures{
		kinds: kinds,
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
	of := f.kinds[t.Kind]
	of.ended[t.Outcome()].Inc()
	of.waited.Observe(t.Entered.Sub(t.Began).Seconds())
	of.took.Observe(t.Ended.Sub(t.Began).Seconds())
	if t.Kind == store.Updating && t.Err == nil {
		f.commit.Observe(t.Ended.Sub(t.Worked).Seconds())
	}
}

// group hears how many changes each commit made durable.
func (f *storeFigures) group(changes int) { f.changes.Observe(float64(changes)) }
