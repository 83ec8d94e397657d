package webhook

import (
	"hash/fnv"
	"math/bits"
	"time"
)

// Status of a delivery.
type Status string

// The statuses: PENDING until the receiver has accepted it or the last attempt has failed.
const (
	Pending   Status = "PENDING"
	Delivered Status = "DELIVERED"
	Failed    Status = "FAILED"
)

// Cause is the reason for a delivery.
type Cause string

// The causes. Only deliveries of events are retried.
const (
	ByEvent  Cause = "event"
	ByTest   Cause = "test"
	ByResend Cause = "resend"
)

// Delivery is one notice to one endpoint. It needs no job: the dispatcher reads the table.
type Delivery struct {
	ID          string
	EndpointID  string
	EventID     string
	EventType   string
	ResourceID  string
	Sequence    int64 // of the event in the organisation's trail: the order of a record's deliveries
	Cause       Cause
	OriginalID  string // of the delivery that this one repeats; empty for none
	Status      Status
	Attempts    int
	DueAt       time.Time // of the next attempt while it is PENDING
	HTTPStatus  int       // of the last attempt; 0 when there was no answer
	Duration    time.Duration
	Error       string
	Response    string    // the first 2 kB of the last answer
	AttemptedAt time.Time // when the last attempt began; zero before the first
	Headers     string    // of the last answer, a line each; those that carry secrets without their values
	CreatedAt   time.Time
	DeliveredAt time.Time
	Uncounted   bool // the numbers do not have it or its attempts yet, because an earlier release has stored them
}

// schedule is the time between two attempts: about 75 hours in all.
var schedule = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// MaxBlockingAttempts is how often an earlier delivery of a record may fail before later ones
// stop waiting for it. A short outage keeps their order, and an event that the receiver cannot
// accept does not block the others for long.
const MaxBlockingAttempts = 2

// blocksRecord reports whether the later deliveries of the record wait for this one.
func (d *Delivery) blocksRecord() bool {
	return d.Status == Pending && d.Cause == ByEvent && d.Attempts > 0 && d.Attempts <= MaxBlockingAttempts
}

// maxRetryAfter is the longest delay that a receiver can ask for.
const maxRetryAfter = 24 * time.Hour

// complete applies the result of an attempt. own is the schedule of the endpoint; nil for that of the service.
func (d *Delivery) complete(r Result, own []time.Duration) {
	d.Attempts++
	d.HTTPStatus, d.Duration, d.Error, d.Response = r.HTTPStatus, r.Duration, r.Error, r.Response
	d.AttemptedAt, d.Headers = r.At, r.Headers
	waits := schedule
	if own != nil {
		waits = own
	}
	switch {
	case r.Error == "":
		d.Status, d.DeliveredAt = Delivered, r.Ended
	case d.Cause != ByEvent || d.Attempts > len(waits):
		d.Status = Failed
	default:
		wait := waits[d.Attempts-1]
		if own == nil {
			wait = d.spread(wait)
		}
		d.DueAt = r.Ended.Add(max(wait, r.RetryAfter))
	}
}

// spread moves the planned time to the next attempt by up to a fifth either way, so that
// deliveries that failed together are not repeated together. It depends only on the delivery and
// the attempt.
func (d *Delivery) spread(planned time.Duration) time.Duration {
	h := fnv.New32a()
	_, _ = h.Write([]byte(d.ID))
	_, _ = h.Write([]byte{byte(d.Attempts)}) // #nosec G115 -- ten attempts at most, and any byte will do
	most := planned * 2 / 5
	part, _ := bits.Mul64(uint64(most), uint64(h.Sum32())<<32) // #nosec G115 -- a part of the schedule
	return planned - most/2 + time.Duration(part)              // #nosec G115 -- a part of most
}
