package webhook

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/webhook/numbers"
)

// Limits of metrics.
const (
	MaxBuckets = 1_440   // in an answer: a day of minutes
	MaxWaiting = 100_000 // PENDING deliveries that are counted
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
	From, To   time.Time // of the creation of the delivery, to the minute; From is included, To is not
	Bucket     string    // minute, hour or day
}

// Complete sets what a query leaves out: buckets of an hour, until now, and the usual number of buckets. The period becomes one of
// whole minutes. It returns an error for a period that ends before it begins or has more than MaxBuckets buckets.
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
	q.From, q.To = q.From.UTC().Truncate(time.Minute), q.To.UTC().Add(time.Minute-1).Truncate(time.Minute)
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

// Waiting is the number of PENDING deliveries, at most MaxWaiting, and the time of the oldest of them; zero for none.
type Waiting struct {
	Number int
	Oldest time.Time
}

// NumbersQuery selects stored numbers that are read together.
type NumbersQuery struct {
	numbers.Series      // of which endpoint and type; empty for the numbers of all together
	EachEndpoint   bool // the numbers of each endpoint instead
	EachType       bool // also those of each type
	Span           numbers.Span
	From, To       time.Time // when the spans begin
}

// MetricsView reads the numbers of one organisation's deliveries.
type MetricsView interface {
	Now() time.Time
	DeliveryNumbers(q NumbersQuery, each func(numbers.Place, numbers.Slots) error) error
	// DeliveryChanges reads what the stored numbers do not have yet, oldest first, with the ids of its rows.
	DeliveryChanges(limit int) (numbers.Changes, []string, error)
	// WaitingDeliveries counts PENDING deliveries, of an endpoint and type unless these are empty.
	WaitingDeliveries(endpointID, eventType string, limit int) (Waiting, error)
}

// Bucket is a part of the period of metrics.
type Bucket struct {
	At time.Time // when it begins
	numbers.Counts
}

// Metrics are the numbers of an organisation's deliveries.
type Metrics struct {
	MetricsQuery
	Buckets    []Bucket // all of the period, oldest first
	Total      numbers.Counts
	ByEndpoint map[string]*numbers.Counts // by ID; of a query without an endpoint, if they are asked for
	ByType     map[string]*numbers.Counts // if they are asked for
	Waiting    Waiting
}

// Measure counts deliveries by the time of their creation, each with all its attempts. An event counts in the bucket in which it
// happened, and a delivery that was resent counts with its attempt only. Cost depends on the number of buckets, not of deliveries.
// With parts, the numbers of each endpoint and type are counted too.
func Measure(tx MetricsView, q MetricsQuery, parts bool) (*Metrics, error) {
	if err := q.Complete(tx.Now()); err != nil {
		return nil, err
	}
	m := &Metrics{MetricsQuery: q, Buckets: make([]Bucket, q.buckets())}
	first := q.From.Truncate(q.length())
	for i := range m.Buckets {
		m.Buckets[i].At = first.Add(time.Duration(i) * q.length())
	}
	if parts {
		m.ByEndpoint, m.ByType = map[string]*numbers.Counts{}, map[string]*numbers.Counts{}
	}
	if err := m.addStored(tx); err != nil {
		return nil, err
	}
	recent, _, err := tx.DeliveryChanges(maxRecent)
	if err != nil {
		return nil, err
	}
	m.addRecent(recent)
	m.Waiting, err = tx.WaitingDeliveries(q.EndpointID, q.EventType, MaxWaiting)
	return m, err
}

// maxRecent is the number of commits that are read because the stored numbers do not have their deliveries yet.
const maxRecent = 100_000

// series is what the query counts.
func (m *Metrics) series() numbers.Series {
	return numbers.Series{EndpointID: m.EndpointID, EventType: m.EventType}
}

// addStored adds the stored numbers: those of whole hours from the rows of days, and those of minutes from the rows of hours.
func (m *Metrics) addStored(tx MetricsView) error {
	queries := []NumbersQuery{{Series: m.series(), EachType: m.ByType != nil && m.EventType == ""}}
	if m.ByEndpoint != nil && m.EndpointID == "" {
		queries = append(queries, NumbersQuery{Series: m.series(), EachEndpoint: true})
	}
	for _, q := range queries {
		for _, part := range m.spans() {
			q.Span, q.From, q.To = part.span, part.from.Truncate(part.span.Length()), part.to
			if err := tx.DeliveryNumbers(q, part.adder(m)); err != nil {
				return err
			}
		}
	}
	return nil
}

// stretch is a part of the period that is read from rows of one span.
type stretch struct {
	span     numbers.Span
	from, to time.Time
}

// spans divides the period.
func (m *Metrics) spans() []stretch {
	begin, end := m.From.Add(time.Hour-1).Truncate(time.Hour), m.To.Truncate(time.Hour) // of the whole hours
	if m.length() < time.Hour || !begin.Before(end) {
		return []stretch{{numbers.Hour, m.From, m.To}}
	}
	all := []stretch{{numbers.Day, begin, end}}
	if m.From.Before(begin) {
		all = append(all, stretch{numbers.Hour, m.From, begin})
	}
	if end.Before(m.To) {
		all = append(all, stretch{numbers.Hour, end, m.To})
	}
	return all
}

// adder adds the parts of stored rows that are in the stretch.
func (s stretch) adder(m *Metrics) func(numbers.Place, numbers.Slots) error {
	return func(p numbers.Place, slots numbers.Slots) error {
		for part, counts := range slots {
			at := p.At.Add(time.Duration(part) * s.span.Part())
			if at.Before(s.from) || !at.Before(s.to) {
				continue
			}
			m.add(p.Series, at, counts)
		}
		return nil
	}
}

// add adds the counts of a series of the query: its own, or those of one of its endpoints or types.
func (m *Metrics) add(s numbers.Series, at time.Time, counts *numbers.Counts) {
	switch {
	case s != m.series() && s.EndpointID != m.EndpointID:
		of(m.ByEndpoint, s.EndpointID).Add(counts)
	case s != m.series():
		of(m.ByType, s.EventType).Add(counts)
	default:
		m.Buckets[at.Sub(m.Buckets[0].At)/m.length()].Add(counts)
		m.Total.Add(counts)
	}
}

// addRecent adds what the stored numbers do not have yet.
func (m *Metrics) addRecent(recent numbers.Changes) {
	recent.Each(m.series(), func(s numbers.Series, at time.Time, counts *numbers.Counts) {
		if at.Before(m.From) || !at.Before(m.To) {
			return
		}
		if m.ByEndpoint != nil && m.EndpointID == "" && s.EndpointID != "" {
			of(m.ByEndpoint, s.EndpointID).Add(counts)
		}
		if m.EndpointID == "" {
			counts = s.ForAll(counts)
		}
		m.add(m.series(), at, counts)
		if m.ByType != nil && m.EventType == "" {
			of(m.ByType, s.EventType).Add(counts)
		}
	})
}

func of(all map[string]*numbers.Counts, name string) *numbers.Counts {
	if all[name] == nil {
		all[name] = &numbers.Counts{}
	}
	return all[name]
}
