package webhook

import "time"

// LogQuery is the query for a page of an endpoint's deliveries, newest first.
type LogQuery struct {
	EndpointID string
	Status     Status    // only deliveries with this status; empty for all
	EventType  string    // only those of a type; empty for all
	ResourceID string    // only those about a record; empty for all
	Text       string    // only those whose last answer or error contains it, in capital or small letters; empty for all
	From, To   time.Time // only those created not before, and not after; zero for any
	Before     Position  // the last delivery of the page before; zero for the first page
	Through    Position  // the last delivery that is examined; zero for all
	Limit      int
}

// Position is a position in a log.
type Position struct {
	CreatedAt time.Time
	ID        string
}

// MaxExamined is the number of deliveries that are examined for one page if no index finds those that match.
const MaxExamined = 10_000

// searches reports whether no index finds the deliveries of the query. FAILED ones have an index.
func (q *LogQuery) searches() bool {
	return q.EventType != "" || q.ResourceID != "" || q.Text != "" || q.Status == Pending || q.Status == Delivered
}

// LogPage is a page of an endpoint's deliveries, newest first.
type LogPage struct {
	Deliveries []Delivery
	Next       Position // after which the next page begins; zero if there is none
}

// ReadLog reads a page of at most q.Limit deliveries. A query that no index answers examines MaxExamined deliveries at most.
// Its page may therefore be short, or empty, and yet have a next one.
func ReadLog(tx View, q LogQuery) (p LogPage, err error) {
	limit := q.Limit
	if q.searches() {
		if q.Through, err = tx.LogPosition(q, MaxExamined); err != nil {
			return p, err
		}
	}
	q.Limit++
	if p.Deliveries, err = tx.Deliveries(q); err != nil {
		return p, err
	}
	p.Next = q.Through
	if len(p.Deliveries) > limit {
		p.Deliveries = p.Deliveries[:limit]
		last := &p.Deliveries[limit-1]
		p.Next = Position{last.CreatedAt, last.ID}
	}
	return p, nil
}
