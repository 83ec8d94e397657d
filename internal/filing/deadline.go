package filing

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Deadline is the last instant at which something can be done with a record in time.
type Deadline struct {
	Name     string    // of what is due, unique in a record: lower-case letters and underscores, such as dispatch
	Title    string    // what to do, for display
	DueAt    time.Time // the last instant that is in time
	WholeDay bool      // the law sets a day, not an hour
	Lapses   bool      // the service cannot know whether it was met, so it is not shown as overdue
	Source   string    // law or guidance
}

// Metadata is the state of a record, apart from its input, from which a Hub computes deadlines, timers and postings. It
// contains no current time, so the results change only when the record does.
type Metadata struct {
	Status    lifecycle.State
	CreatedAt time.Time
	ChangedAt time.Time
	Added     json.RawMessage // by the service, one JSON object; see Instant and Flag
}

func (f *Filing) metadata() Metadata {
	return Metadata{Status: f.Status, CreatedAt: f.CreatedAt, ChangedAt: f.UpdatedAt, Added: f.Added}
}

// Instant returns an instant that the service added, such as submittedAt; zero if there is none.
func (m Metadata) Instant(name string) (at time.Time) {
	m.Read(name, &at)
	return at
}

// Flag returns a boolean that the service added; false if there is none.
func (m Metadata) Flag(name string) (set bool) {
	m.Read(name, &set)
	return set
}

// Read decodes an added member if it exists and has the right type.
func (m Metadata) Read(name string, into any) {
	if !bytes.Contains(m.Added, []byte(`"`+name+`":`)) {
		return // without decoding the others, which every new record has
	}
	members := map[string]json.RawMessage{}
	if json.Unmarshal(m.Added, &members) == nil && members[name] != nil {
		_ = json.Unmarshal(members[name], into)
	}
}

// Deadlines returns the deadlines of a stored record.
func (t *Type) Deadlines(f *Filing) ([]Deadline, error) { return t.currentDeadlines(f, nil) }

// currentDeadlines returns the deadlines of a record: from the new input or, if that is nil, from the stored one.
func (t *Type) currentDeadlines(f *Filing, in *Input) (all []Deadline, err error) {
	switch {
	case t.deadlines == nil:
		return nil, nil
	case in != nil:
		all = in.deadlines(f.metadata())
	default:
		all, err = t.deadlines(f.Body, f.metadata())
	}
	return slices.DeleteFunc(all, func(d Deadline) bool { return d.DueAt.Before(firstDay) || d.DueAt.After(lastDay) }), err
}

// An input may contain any instant. One outside of these limits is a typing error: no list would show it, and not every
// database can store it.
var (
	firstDay = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(2999, time.December, 31, 0, 0, 0, 0, time.UTC)
)

func (d Definition[B]) deadlinesOf(raw json.RawMessage, m Metadata) ([]Deadline, error) {
	b, err := decode[B](raw)
	if err != nil {
		return nil, err
	}
	return d.Deadlines(b, m), nil
}
