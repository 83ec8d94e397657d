// Package deadline shows what is due in every Hub that an organisation has enabled:
// as a list, and as a calendar to subscribe to. What is due of a filing its Hub's
// Definition says, and the store keeps it with the filing; what follows from the
// calendar alone is given to the Service. No kind is known here by name.
//
// Days are days of London: something is due in 1 day when one midnight of London
// lies between now and then, however many hours that is.
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

	Soon = 7 // days ahead from which on a deadline is due soon

	overdueDays = 30 // days for which an overdue one is shown
)

// Status says how urgent a deadline is.
type Status string

// The statuses there are.
const (
	Overdue  Status = "overdue"
	DueSoon  Status = "due_soon" // within 7 days
	Upcoming Status = "upcoming"
)

// Deadline is something that is due.
type Deadline struct {
	ID            string // the same as long as it is due
	Hub           string
	Kind          string // what is due, such as dispatch
	Title         string
	DueAt         time.Time
	WholeDay      bool
	DaysRemaining int // negative when its day is over
	Status        Status
	ResourceType  string // kind of the record, such as tss.declaration; empty where there is none
	ResourceID    string
	Source        string
	ChangedAt     time.Time // when it was last worked out; zero for one that follows from the calendar
}

// Stored is a deadline of a filing.
type Stored struct {
	filing.Deadline
	FilingID, FilingKind, Hub string
	ChangedAt                 time.Time
}

// Query asks for stored deadlines, soonest first, then by filing and name.
type Query struct {
	Hubs     []string  // sorted
	From, To time.Time // both inclusive
	Today    time.Time // those that lapse are left out before it
	After    StoredPosition
	Limit    int
}

// StoredPosition is a place in the order of stored deadlines: behind the one of a filing, or
// behind all of an instant when FilingID is empty. The zero Place is the beginning.
type StoredPosition struct {
	DueAt          time.Time
	FilingID, Name string
}

// View reads what an organisation has.
type View interface {
	filing.View
	audit.View
	Now() time.Time
	Organisation() (access.Organisation, error)
	Deadlines(Query) ([]Stored, error)
}

// Calendar is a rule that makes deadlines of no filing.
type Calendar struct {
	Hub, Kind string
	// Days are those of an organisation that are due between two instants, both
	// inclusive. The view lets a rule leave out what has been dealt with.
	Days     func(v filing.View, from, to time.Time) ([]Day, error)
	UsesView bool // whether it makes use of that
}

// Day is one deadline of a Calendar; its Name is distinct within the Calendar.
type Day struct {
	filing.Deadline
	ResourceType, ResourceID string // the record to look at, where there is one
}

// urgency says how a deadline stands at an instant.
func urgency(due, now time.Time) (days int, s Status) {
	days = calendar.Days(now, due)
	switch {
	case due.Before(now):
		return days, Overdue
	case days <= Soon:
		return days, DueSoon
	}
	return days, Upcoming
}

// computedPrefix begins the ids of what follows from the calendar. It sorts behind
// every UUID, so at one instant these come after the filings' own.
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

// Position is a place in the list: behind a deadline.
type Position struct {
	DueAt time.Time
	ID    string
}

// ReadPosition reads a place that came from outside: the milliseconds of the instant, in
// base 36, and the id of a deadline.
func ReadPosition(at, id string) (Position, bool) {
	ms, err := strconv.ParseInt(at, 36, 64)
	record, _, named := strings.Cut(id, ":")
	if err != nil || !named || !strings.HasPrefix(id, computedPrefix) && !ident.IsUUID(record) {
		return Position{}, false
	}
	return Position{DueAt: time.UnixMilli(ms).UTC(), ID: id}, true
}

// stored is the same place among the stored ones.
func (p Position) stored() StoredPosition {
	if id, name, ok := strings.Cut(p.ID, ":"); ok && !strings.HasPrefix(p.ID, computedPrefix) {
		return StoredPosition{p.DueAt, id, name}
	}
	return StoredPosition{DueAt: p.DueAt}
}

// before is the order of the list: soonest first, then by id.
func before(a, b Deadline) int {
	return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.ID, b.ID))
}
