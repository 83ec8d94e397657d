// Package numbers counts deliveries by endpoint, event type and time, in a form that can be added up and stored.
package numbers

import (
	"maps"
	"math/bits"
	"slices"
	"time"
)

// Counts are the numbers of some deliveries. The zero Counts are empty.
type Counts struct {
	Events   int64
	ByStatus map[int]int64 // attempts by HTTP status; 0 for no answer

	took map[int]int64 // deliveries that were accepted, by the bin of the time since the event
}

// AddEvents counts events.
func (c *Counts) AddEvents(n int64) { c.Events += n }

// AddAttempt counts an attempt with its HTTP status; 0 for no answer.
func (c *Counts) AddAttempt(status int) {
	if c.ByStatus == nil {
		c.ByStatus = map[int]int64{}
	}
	c.ByStatus[status]++
}

// AddDelivered counts a delivery that was accepted some time after its event.
func (c *Counts) AddDelivered(took time.Duration) {
	if c.took == nil {
		c.took = map[int]int64{}
	}
	c.took[binOf(took)]++
}

// Add adds other counts.
func (c *Counts) Add(other *Counts) {
	c.Events += other.Events
	c.ByStatus = sum(c.ByStatus, other.ByStatus)
	c.took = sum(c.took, other.took)
}

func sum(into, from map[int]int64) map[int]int64 {
	if into == nil && len(from) > 0 {
		return maps.Clone(from)
	}
	for k, n := range from {
		into[k] += n
	}
	return into
}

// Attempts is the number of attempts.
func (c *Counts) Attempts() int64 { return total(c.ByStatus) }

// Delivered is the number of deliveries that were accepted.
func (c *Counts) Delivered() int64 { return total(c.took) }

// Failed is the number of attempts that failed.
func (c *Counts) Failed() int64 { return c.Attempts() - c.Delivered() }

func total(all map[int]int64) (n int64) {
	for _, one := range all {
		n += one
	}
	return n
}

// Times are counted in bins: each millisecond has its own below exactBelow, and from there on each power of two has binsOfPower.
const (
	exactBelow  = 128
	binsOfPower = exactBelow / 2
	mostMillis  = 1<<40 - 1 // 34 years
)

// binOf returns the bin of a time.
func binOf(took time.Duration) int {
	ms := uint64(max(0, min(took.Milliseconds(), mostMillis))) // #nosec G115 -- between the two
	if ms < exactBelow {
		return int(ms) // #nosec G115 -- below exactBelow
	}
	shift := bits.Len64(ms) - bits.Len(binsOfPower)
	return shift*binsOfPower + int(ms>>shift) // #nosec G115 -- below exactBelow after the shift
}

// longest returns the longest time in a bin.
func longest(bin int) time.Duration {
	if bin < exactBelow {
		return time.Duration(bin) * time.Millisecond
	}
	shift := bin/binsOfPower - 1
	return time.Duration((bin-shift*binsOfPower+1)<<shift-1) * time.Millisecond
}

// Quantile returns the time from an event until its delivery that a share of the deliveries do not exceed, by the nearest-rank
// method, and false if there are none. It is exact below 128 ms; from there on it is at most 1.6 % (1/64) too long, and never too
// short.
func (c *Counts) Quantile(percent int) (time.Duration, bool) {
	rank := (c.Delivered()*int64(percent) + 99) / 100
	if rank == 0 {
		return 0, false
	}
	for _, bin := range slices.Sorted(maps.Keys(c.took)) {
		if rank -= c.took[bin]; rank <= 0 {
			return longest(bin), true
		}
	}
	return 0, false
}
