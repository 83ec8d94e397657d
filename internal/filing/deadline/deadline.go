// Package deadline lists what is due in the Hubs that an organisation has enabled, also as a calendar feed. A Hub's
// Definition computes the deadlines of a filing, and the store stores them with it. Deadlines that follow from the
// calendar alone come from [Calendar].
//
// Days are London days: something is due in 1 day if there is one midnight in between, however many hours that is.
package deadline

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Limits of the list.
const (
	DefaultWindow = 30   // days ahead
	MaxWindow     = 365  // days ahead
	MaxPage       = 1000 // deadlines in one answer

	SoonDays = 7 // days ahead within which a deadline is due soon

	overdueDays = 30 // days for which an overdue deadline is listed
)

// Status is the urgency of a deadline.
type Status string

// All statuses.
const (
	Overdue  Status = "overdue"
	DueSoon  Status = "due_soon" // within 7 days
	Upcoming Status = "upcoming"
)

// Deadline is something that is due.
type Deadline struct {
	ID            string // stable as long as it is due
	Hub           string
	Kind          string // such as dispatch
	Title         string
	DueAt         time.Time
	WholeDay      bool
	DaysRemaining int // negative if overdue
	Status        Status
	ResourceType  string // kind of the record, such as tss.declaration; empty if there is none
	ResourceID    string
	Source        string
	ChangedAt     time.Time // of the record; zero for a Calendar's
}

// Stored is a deadline of a filing.
type Stored struct {
	filing.Deadline
	FilingID, FilingKind, Hub string
	ChangedAt                 time.Time
}

// Query selects stored deadlines, soonest first, then by filing and name.
type Query struct {
	Hubs     []string  // sorted
	From, To time.Time // both inclusive
	Today    time.Time // those with Lapses are left out before this day
	After    StoredPosition
	Limit    int

	// What the calendars of the Hubs need.
	Named []NameQuery
	Keys  []filing.Key
}

// NameQuery selects records of a kind that have a name, whatever its value.
type NameQuery struct {
	Kind, Name string
	Limit      int
}

// Facts are the stored deadlines of an organisation and what those of the calendars follow from.
type Facts struct {
	Stored       []Stored // soonest first
	Organisation access.Organisation
	Named        map[string][]filing.Filing // the records that have a name, with their bodies
	Keyed        map[filing.Key]filing.Filing
}

// StoredPosition is a position in the list of stored deadlines: after a filing's deadline or, if FilingID is empty, after
// all of an instant. The zero value is the beginning.
type StoredPosition struct {
	DueAt          time.Time
	FilingID, Name string
}

// View reads the data of an organisation.
type View interface {
	filing.View
	audit.View
	Now() time.Time
	Organisation() (access.Organisation, error)
	// Deadlines reads the facts of an organisation; without a Hub there are none.
	Deadlines(Query) (Facts, error)
	// RecordsNamed lists records of a kind that have a name, whatever its value, with their bodies.
	RecordsNamed(kind, name string, limit int) ([]filing.Filing, error)
}

// Calendar is a rule for deadlines that do not belong to a filing.
type Calendar struct {
	Hub, Kind string
	Named     []NameQuery                           // records that the deadlines follow from, by name
	Keys      func(from, to time.Time) []filing.Key // and by key, if the deadlines between two instants are asked for; nil for none
	ReadsMore func(*Facts) bool                     // reports whether Days uses its View; nil if it never does
	// Days returns the deadlines between two instants, both inclusive. It can use the facts to leave out those that have
	// been met.
	Days func(v View, f *Facts, from, to time.Time) ([]Day, error)
}

// Day is one deadline of a Calendar; its Name is distinct within the Calendar.
type Day struct {
	filing.Deadline
	ResourceType, ResourceID string // of the record concerned, if any
}

// urgency returns the days until a deadline and its status.
func urgency(due, now time.Time) (days int, s Status) {
	days = calendar.Days(now, due)
	switch {
	case due.Before(now):
		return days, Overdue
	case days <= SoonDays:
		return days, DueSoon
	}
	return days, Upcoming
}

// computedPrefix begins the IDs of a Calendar's deadlines. It sorts after every UUID, so at the same instant they come
// after the filings' ones.
const computedPrefix = "on:"

func (s *Stored) show(now time.Time) Deadline {
	d := Deadline{
		ID: s.FilingID + ":" + s.Name, Hub: s.Hub, Kind: s.Name, Title: s.Title, DueAt: s.DueAt, WholeDay: s.WholeDay,
		ResourceType: s.FilingKind, ResourceID: s.FilingID, Source: s.Source, ChangedAt: s.ChangedAt,
	}
	d.DaysRemaining, d.Status = urgency(d.DueAt, now)
	return d
}

func (c *Calendar) show(day Day, now time.Time) Deadline {
	d := Deadline{
		ID: computedPrefix + c.Hub + ":" + c.Kind + ":" + day.Name, Hub: c.Hub, Kind: c.Kind, Title: day.Title, DueAt: day.DueAt, WholeDay: day.WholeDay,
		ResourceType: day.ResourceType, ResourceID: day.ResourceID, Source: day.Source,
	}
	d.DaysRemaining, d.Status = urgency(d.DueAt, now)
	return d
}

// Position is a position in the list, after a deadline.
type Position struct {
	DueAt time.Time
	ID    string
}

// ReadPosition parses a position from a request: the instant in milliseconds, base 36, and the ID of a deadline.
func ReadPosition(at, id string) (Position, bool) {
	ms, err := strconv.ParseInt(at, 36, 64)
	record, _, named := strings.Cut(id, ":")
	if err != nil || !named || !strings.HasPrefix(id, computedPrefix) && !ident.IsUUID(record) {
		return Position{}, false
	}
	return Position{DueAt: time.UnixMilli(ms).UTC(), ID: id}, true
}

// stored returns the same position in the list of stored deadlines.
func (p Position) stored() StoredPosition {
	if id, name, ok := strings.Cut(p.ID, ":"); ok && !strings.HasPrefix(p.ID, computedPrefix) {
		return StoredPosition{p.DueAt, id, name}
	}
	return StoredPosition{DueAt: p.DueAt}
}

// compare compares by the order of the list: soonest first, then by ID.
func compare(a, b Deadline) int {
	return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.ID, b.ID))
}
