package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/tidewaiter/tidewaiter/internal/store"
)

// transactions are the metrics of the store.
type transactions struct {
	kinds   map[store.Kind]kindMetrics
	commit  prometheus.Histogram
	changes prometheus.Histogram
}

// kindMetrics are those of one kind of transaction, looked up once because every request has several transactions.
type kindMetrics struct {
	ended  map[string]prometheus.Counter // by outcome
	waited prometheus.Observer
	took   prometheus.Observer
}

// databaseTimes are from a tenth of a millisecond to over six seconds.
var databaseTimes = prometheus.ExponentialBuckets(0.0001, 3, 11)

func newTransactions(make promauto.Factory) transactions {
	ended := make.NewCounterVec(prometheus.CounterOpts{
		Name: "tidewaiter_store_transactions_total", Help: "Transactions that have ended, by kind and outcome: done, refused by the service's own rules, or unavailable.",
	}, []string{"kind", "outcome"})
	waited := make.NewHistogramVec(prometheus.HistogramOpts{
		Name: "tidewaiter_store_wait_seconds", Help: "Time that transactions waited before they began, by kind.", Buckets: databaseTimes,
	}, []string{"kind"})
	took := make.NewHistogramVec(prometheus.HistogramOpts{
		Name: "tidewaiter_store_transaction_seconds", Help: "Time of transactions with their wait, by kind.", Buckets: databaseTimes,
	}, []string{"kind"})
	kinds := map[store.Kind]kindMetrics{}
	for _, k := range []store.Kind{store.KindView, store.KindScan, store.KindViewSingle, store.KindUpdate} {
		of := kindMetrics{ended: map[string]prometheus.Counter{}, waited: waited.WithLabelValues(string(k)), took: took.WithLabelValues(string(k))}
		for _, outcome := range []string{store.Done, store.Refused, store.Unavailable} {
			of.ended[outcome] = ended.WithLabelValues(string(k), outcome)
		}
		kinds[k] = of
	}
	return transactions{
		kinds: kinds,
		commit: make.NewHistogram(prometheus.HistogramOpts{
			Name: "tidewaiter_store_commit_seconds", Help: "Time from the last statement of a transaction until it is durable.", Buckets: databaseTimes,
		}),
		changes: make.NewHistogram(prometheus.HistogramOpts{
			Name: "tidewaiter_store_group_changes", Help: "Changes that shared one commit; SQLite only.", Buckets: prometheus.ExponentialBuckets(1, 2, 9),
		}),
	}
}

// Transaction measures a transaction that has ended.
func (m *Metrics) Transaction(t *store.Transaction) {
	of := m.transactions.kinds[t.Kind]
	of.ended[t.Outcome()].Inc()
	of.waited.Observe(t.Entered.Sub(t.Began).Seconds())
	of.took.Observe(t.Ended.Sub(t.Began).Seconds())
	if t.Kind == store.KindUpdate && t.Err == nil {
		m.transactions.commit.Observe(t.Ended.Sub(t.Worked).Seconds())
	}
}

// Group counts the changes that one commit made durable.
func (m *Metrics) Group(changes int) { m.transactions.changes.Observe(float64(changes)) }
