package numbers

import (
	"encoding/binary"
	"time"
)

// Series is what is counted together: the deliveries to an endpoint, of an event type. Empty for all.
type Series struct{ EndpointID, EventType string }

// Of reports whether a series belongs to another one.
func (s Series) Of(other Series) bool {
	return (other.EndpointID == "" || s.EndpointID == other.EndpointID) && (other.EventType == "" || s.EventType == other.EventType)
}

// ForAll returns what the counts of a series add to those of all endpoints: an event of several endpoints is counted once there.
func (s Series) ForAll(counts *Counts) *Counts {
	if s.EndpointID == "" {
		return counts
	}
	return &Counts{ByStatus: counts.ByStatus, took: counts.took}
}

// moment is a minute of a series.
type moment struct {
	Series
	minute int64 // Unix time in minutes
}

// Changes are counts that the stored rows do not have yet. An event counts once for all endpoints, with no EndpointID, and once
// for each endpoint that gets it; an attempt counts for its endpoint.
type Changes map[moment]*Counts

// At returns the counts of an endpoint and type at a time, to be added to.
func (c *Changes) At(s Series, at time.Time) *Counts {
	if *c == nil {
		*c = Changes{}
	}
	m := moment{s, at.Unix() / 60}
	if (*c)[m] == nil {
		(*c)[m] = &Counts{}
	}
	return (*c)[m]
}

// Add adds other changes.
func (c *Changes) Add(other Changes) {
	for m, counts := range other {
		c.At(m.Series, m.at()).Add(counts)
	}
}

func (m moment) at() time.Time { return time.Unix(m.minute*60, 0).UTC() }

// Append appends the stored form.
func (c Changes) Append(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(c)))
	for m, counts := range c {
		out = append(binary.AppendUvarint(out, uint64(len(m.EndpointID))), m.EndpointID...)
		out = append(binary.AppendUvarint(out, uint64(len(m.EventType))), m.EventType...)
		out = counts.appendTo(binary.AppendVarint(out, m.minute))
	}
	return out
}

// Read adds stored changes.
func (c *Changes) Read(stored []byte) error {
	r := reader{rest: stored}
	for range r.length() {
		s := Series{r.text(), r.text()}
		minute := r.number()
		counts := r.counts()
		if r.err == nil {
			c.At(s, moment{s, minute}.at()).Add(&counts)
		}
	}
	return r.err
}

// Each calls fn for the counts of every minute of a series that belongs to another one.
func (c Changes) Each(of Series, fn func(s Series, at time.Time, counts *Counts)) {
	for m, counts := range c {
		if m.Of(of) {
			fn(m.Series, m.at(), counts)
		}
	}
}

// Place is the place of a stored row.
type Place struct {
	Series
	Span Span
	At   time.Time // when the span begins
}

// Rows returns what the changes add to the stored rows: those of the endpoint and type, of the endpoint, of the type, and of
// all. Endpoints that are not known have no rows of their own.
func (c Changes) Rows(known func(endpointID string) bool) map[Place]Slots {
	rows := map[Place]Slots{}
	for m, counts := range c {
		overall := m.ForAll(counts)
		if m.EndpointID != "" && known(m.EndpointID) {
			put(rows, m, Series{m.EndpointID, m.EventType}, counts)
			put(rows, m, Series{m.EndpointID, ""}, counts)
		}
		put(rows, m, Series{"", m.EventType}, overall)
		put(rows, m, Series{}, overall)
	}
	return rows
}

func put(rows map[Place]Slots, m moment, s Series, counts *Counts) {
	for _, span := range []Span{Hour, Day} {
		p := Place{s, span, m.at().Truncate(span.Length())}
		if rows[p] == nil {
			rows[p] = Slots{}
		}
		rows[p].Add(int(m.at().Sub(p.At)/span.Part()), counts)
	}
}
