package webhook

import (
	"slices"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of metrics.
const (
	MaxBuckets  = 1_440   // in an answer: a day of minutes
	MaxMeasured = 200_000 // deliveries that are counted, and kilobytes of failures that are read for it
	MaxWaiting  = 100_000 // PENDING deliveries that are counted
)

// bucketLengths are the lengths of buckets, which begin at whole ones in UTC, with the number that a query has by default.
var bucketLengths = map[string]struct {
	length time.Duration
	usual  int
}{"minute": {time.Minute, 60}, "hour": {time.Hour, 24}, "day": {24 * time.Hour, 14}}

// MetricsQuery selects the deliveries that are counted.
type MetricsQuery struct {
	EndpointID string    // empty for all
	EventType  string    // empty for all
	From, To   time.Time // of the creation of the delivery; From is included, To is not
	Bucket     string    // minute, hour or day
}

// Complete sets what a query leaves out: buckets of an hour, until now, and the usual number of buckets. It returns an error
// for a period that ends before it begins or has more than MaxBuckets buckets.
func (q *MetricsQuery) Complete(now time.Time) error {
	if q.Bucket == "" {
		q.Bucket = "hour"
	}
	kind, known := bucketLengths[q.Bucket]
	if !known {
		return apierr.Invalid(apierr.Detail{Field: "bucket", Message: "must be minute, hour or day"})
	}
	if q.To.IsZero() {
		q.To = now.Add(time.Millisecond)
	}
	if q.From.IsZero() {
		q.From = q.To.Add(-1).Truncate(kind.length).Add(-time.Duration(kind.usual-1) * kind.length)
	}
	if !q.From.Before(q.To) {
		return apierr.Invalid(apierr.Detail{Field: "from", Message: "must be before to"})
	}
	if q.buckets() > MaxBuckets {
		return apierr.Invalid(apierr.Detail{Field: "from", Message: "must be later: an answer has at most 1,440 buckets; or choose longer buckets"})
	}
	return nil
}

// length is the length of a bucket.
func (q *MetricsQuery) length() time.Duration { return bucketLengths[q.Bucket].length }

// buckets is the number of buckets that the period touches.
func (q *MetricsQuery) buckets() int64 {
	first, last := q.From.UTC().Truncate(q.length()), q.To.UTC().Add(-1).Truncate(q.length())
	return int64(last.Sub(first)/q.length()) + 1
}

// Measured is what is counted of a delivery.
type Measured struct {
	EndpointID, EventID, EventType string
	Status                         Status
	Attempts, HTTPStatus           int // the status of the last attempt; 0 for no answer
	CreatedAt, DeliveredAt         time.Time
	Failures                       string // lines of the failed attempts if there was more than one attempt
}

// Waiting is the number of PENDING deliveries, at most MaxWaiting, and the time of the oldest of them; zero for none.
type Waiting struct {
	Number int
	Oldest time.Time
}

// MetricsView reads the deliveries of one organisation to count them.
type MetricsView interface {
	Now() time.Time
	// Measure calls each for the deliveries of a period and endpoint, at most limit. It leaves the type to the caller, so
	// that the limit bounds what is read.
	Measure(q MetricsQuery, limit int, each func(*Measured) error) error
	// WaitingDeliveries counts PENDING deliveries, of an endpoint and type unless these are empty.
	WaitingDeliveries(endpointID, eventType string, limit int) (Waiting, error)
}

// Counts are the counts of some deliveries.
type Counts struct {
	Events    int // different ones
	Attempts  int
	Delivered int
	Failed    int         // attempts
	ByStatus  map[int]int // attempts by HTTP status; 0 for no answer

	events map[string]bool
	took   []time.Duration // from the event until it was delivered
}

// Quantile returns the time from an event until its delivery that a share of the deliveries do not exceed, by the nearest-rank
// method, and false if there are none.
func (c *Counts) Quantile(percent int) (time.Duration, bool) {
	n := len(c.took)
	if n == 0 {
		return 0, false
	}
	slices.Sort(c.took)
	return c.took[(n*percent+99)/100-1], true
}

// add counts a delivery.
func (c *Counts) add(m *Measured) {
	if c.events == nil {
		c.events, c.ByStatus = map[string]bool{}, map[int]int{}
	}
	if !c.events[m.EventID] {
		c.events[m.EventID] = true
		c.Events++
	}
	c.Attempts += m.Attempts
	c.Failed += m.Attempts
	if m.Status == Delivered {
		c.Delivered++
		c.Failed--
		c.took = append(c.took, max(0, m.DeliveredAt.Sub(m.CreatedAt)))
	}
	if m.Attempts == 1 {
		c.ByStatus[m.HTTPStatus]++
		return
	}
	for _, a := range AttemptsOf(&Delivery{Attempts: m.Attempts, HTTPStatus: m.HTTPStatus}, m.Failures) {
		c.ByStatus[a.HTTPStatus]++
	}
}

// Bucket is a part of the period of metrics.
type Bucket struct {
	At time.Time // when it begins
	Counts
}

// Metrics are the numbers of an organisation's deliveries.
type Metrics struct {
	MetricsQuery
	Buckets    []Bucket // all of the period, oldest first
	Total      Counts
	ByEndpoint map[string]*Counts // by ID
	ByType     map[string]*Counts
	Waiting    Waiting
}

// Measure counts deliveries by the time of their creation, each with all its attempts. It returns an error if the period has
// more than MaxMeasured.
func Measure(tx MetricsView, q MetricsQuery) (*Metrics, error) {
	if err := q.Complete(tx.Now()); err != nil {
		return nil, err
	}
	m := &Metrics{MetricsQuery: q, Buckets: make([]Bucket, q.buckets()), ByEndpoint: map[string]*Counts{}, ByType: map[string]*Counts{}}
	first := q.From.UTC().Truncate(q.length())
	for i := range m.Buckets {
		m.Buckets[i].At = first.Add(time.Duration(i) * q.length())
	}
	weight := 0
	err := tx.Measure(q, MaxMeasured+1, func(d *Measured) error {
		if weight += 1 + len(d.Failures)/1000; weight > MaxMeasured {
			return apierr.Invalid(apierr.Detail{Field: "from", Message: "must be later: the period has more than " + strconv.Itoa(MaxMeasured) + " deliveries; or name an endpoint"})
		}
		if q.EventType != "" && d.EventType != q.EventType {
			return nil
		}
		m.Buckets[d.CreatedAt.Sub(first)/q.length()].add(d)
		m.Total.add(d)
		of(m.ByEndpoint, d.EndpointID).add(d)
		of(m.ByType, d.EventType).add(d)
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.Waiting, err = tx.WaitingDeliveries(q.EndpointID, q.EventType, MaxWaiting)
	return m, err
}

func of(all map[string]*Counts, name string) *Counts {
	if all[name] == nil {
		all[name] = &Counts{}
	}
	return all[name]
}
