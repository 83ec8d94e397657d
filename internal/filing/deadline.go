package filing

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Deadline is the last instant at which something can be done with a record in
// time, and who says so.
type Deadline struct {
	Name     string    // what is due, once in a record: lower-case letters and underscores, such as dispatch
	Title    string    // what to do, for a person
	DueAt    time.Time // the last instant that is in time
	WholeDay bool      // the law names a day, not an hour
	Lapses   bool      // nobody tells the service that it was met, so it is not held against the record when its day is over
	Source   string    // the law or guidance behind it
}

// Moment is what a Hub may know of a record, besides the input, when it says what
// is due. It holds no clock: the same record has the same deadlines, whenever and
// wherever they are worked out, and they change only when the record does.
type Moment struct {
	Status    lifecycle.State
	CreatedAt time.Time
	ChangedAt time.Time
	Added     json.RawMessage // what the service added, one JSON object; see Instant and Flag
}

func (f *Filing) moment() Moment {
	return Moment{Status: f.Status, CreatedAt: f.CreatedAt, ChangedAt: f.UpdatedAt, Added: f.Added}
}

// Instant is an instant that the service added, such as submittedAt; zero where
// there is none.
func (m Moment) Instant(name string) (at time.Time) {
	m.Read(name, &at)
	return at
}

// Flag is a truth that the service added; false where there is none.
func (m Moment) Flag(name string) (set bool) {
	m.Read(name, &set)
	return set
}

// Read decodes one member of what the service added, where it is there and fits.
func (m Moment) Read(name string, into any) {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(m.Added, &members) == nil && members[name] != nil {
		_ = json.Unmarshal(members[name], into)
	}
}

// Due are the deadlines of a stored record as it stands.
func (t *Type) Due(f *Filing) ([]Deadline, error) { return t.currentDeadlines(f, nil) }

// currentDeadlines are the deadlines of a record as it now stands: from the input at hand, or
// else from the stored one.
func (t *Type) currentDeadlines(f *Filing, in *Input) (all []Deadline, err error) {
	switch {
	case t.deadlines == nil:
		return nil, nil
	case in != nil:
		all = in.deadlines(f.moment())
	default:
		all, err = t.deadlines(f.Body, f.moment())
	}
	return slices.DeleteFunc(all, func(d Deadline) bool { return d.DueAt.Before(firstDay) || d.DueAt.After(lastDay) }), err
}

// An input may hold any instant that can be written down. One outside of these is a
// slip of the pen that no list would ever show, and that no database need keep.
var (
	firstDay = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(2999, time.December, 31, 0, 0, 0, 0, time.UTC)
)

func (d Definition[B]) deadlinesOf(raw json.RawMessage, m Moment) ([]Deadline, error) {
	b, err := decode[B](raw)
	if err != nil {
		return nil, err
	}
	return d.Deadlines(b, m), nil
}
