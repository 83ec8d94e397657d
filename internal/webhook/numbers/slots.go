package numbers

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"
)

// Span is the time that a stored row covers.
type Span string

// The spans, each with the length of the parts that are counted for themselves.
const (
	Hour Span = "hour" // by minute
	Day  Span = "day"  // by hour
)

// Length is the length of a span.
func (s Span) Length() time.Duration {
	return map[Span]time.Duration{Hour: time.Hour, Day: 24 * time.Hour}[s]
}

// Part is the length of a part of a span.
func (s Span) Part() time.Duration {
	return map[Span]time.Duration{Hour: time.Minute, Day: time.Hour}[s]
}

// Slots are the counts of a stored row, by the number of the part of its span.
type Slots map[int]*Counts

// Add adds counts to a part.
func (s Slots) Add(part int, c *Counts) {
	if s[part] == nil {
		s[part] = &Counts{}
	}
	s[part].Add(c)
}

// Append appends the stored form.
func (s Slots) Append(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(s)))
	for _, part := range slices.Sorted(maps.Keys(s)) {
		out = s[part].appendTo(binary.AppendVarint(out, int64(part)))
	}
	return out
}

// ParseSlots reads the stored form.
func ParseSlots(stored []byte) (Slots, error) {
	r := reader{rest: stored}
	n := r.length()
	s := make(Slots, n)
	for range n {
		part := int(r.number())
		c := r.counts()
		s.Add(part, &c)
	}
	return s, r.err
}
