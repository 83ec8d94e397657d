package deadline

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	ics "github.com/arran4/golang-ical"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Limits of a feed: FeedDays ahead, and at most the MaxFeed soonest deadlines, because a calendar program stores them all.
const (
	FeedDays = 365
	MaxFeed  = 2000
)

// FeedPath is the path of all feeds; the token in the query authenticates the caller.
const FeedPath = "/api/deadlines.ics"

// FeedAddress returns the address that a calendar program subscribes to. It is a secret: everyone who has it can read the
// calendar.
func (s *Service) FeedAddress(token string) string {
	return strings.TrimRight(s.PublicURL, "/") + FeedPath + "?token=" + url.QueryEscape(token)
}

const (
	product    = "-//Tidewaiter//Deadlines//EN"
	refresh    = "PT6H" // requested refresh interval
	lineOctets = 75     // octets of a line (RFC 5545, section 3.1)
	newLine    = "\r\n" // the library's default depends on the operating system
	zone       = "Europe/London"
)

// calendarChangedAt is the modification time of a Calendar's deadlines.
var calendarChangedAt = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// Feed returns the deadlines as an iCalendar object (RFC 5545). The same deadlines give the same bytes. An event keeps its
// UID as long as its deadline exists, so that a calendar program moves it, and removes it once it has been met.
func (s *Service) Feed(v View) ([]byte, error) {
	org, err := v.Organisation()
	if err != nil {
		return nil, err
	}
	all, more, err := s.List(v, org.Hubs, ListQuery{Window: FeedDays, Limit: MaxFeed})
	if err != nil {
		return nil, err
	}
	c := newCalendar(org, more)
	for i := range all {
		s.describe(c.AddEvent(fmt.Sprintf("%s@%s.tidewaiter", all[i].ID, org.ID)), &all[i])
	}
	var out bytes.Buffer
	if err := c.SerializeTo(&out, ics.WithNewLine(newLine), ics.WithLineLength(lineOctets)); err != nil {
		return nil, fmt.Errorf("deadline: feed: %w", err)
	}
	return out.Bytes(), nil
}

// ModifiedAt returns an instant after which the feed of an organisation has not changed. It changes with the day, and with
// a record, which stores an event.
func (s *Service) ModifiedAt(v View) (time.Time, error) {
	today := calendar.StartOfDay(v.Now())
	newest, err := v.Events(audit.Query{Limit: 1})
	if err != nil || len(newest) == 0 || newest[0].OccurredAt.Before(today) {
		return today, err
	}
	return newest[0].OccurredAt, nil
}

func newCalendar(org access.Organisation, more bool) *ics.Calendar {
	c := ics.NewCalendar()
	c.SetProductId(product)
	c.SetCalscale("GREGORIAN")
	name, about := "Deadlines of "+plain(org.Name), "Deadlines of the enabled Hubs for the next year."
	if more {
		about = fmt.Sprintf("%s Only the first %d are shown.", about, MaxFeed)
	}
	c.SetName(name)
	c.SetXWRCalName(name)
	c.SetDescription(about)
	c.SetXWRCalDesc(about)
	c.SetXWRTimezone(zone)
	c.SetRefreshInterval(refresh)
	c.SetXPublishedTTL(refresh)
	return c
}

func (s *Service) describe(e *ics.VEvent, d *Deadline) {
	changed := d.ChangedAt
	if changed.IsZero() {
		changed = calendarChangedAt
	}
	e.SetDtStampTime(changed)
	e.SetModifiedAt(changed)
	if d.WholeDay {
		day := d.DueAt.In(calendar.London())
		e.SetAllDayStartAt(day)
		e.SetAllDayEndAt(day.AddDate(0, 0, 1))
	} else {
		e.SetStartAt(d.DueAt) // and no DTEND, which must be later (RFC 5545, section 3.6.1)
	}
	e.SetSummary(plain(d.Title))
	e.SetTimeTransparency(ics.TransparencyTransparent)
	e.AddCategory(plain(d.Hub))
	lines := []string{plain(d.Title), "Source: " + plain(d.Source)}
	if link := s.link(d); link != "" {
		lines = append(lines, link)
		e.SetURL(link)
	}
	e.SetDescription(strings.Join(lines, "\n"))
}

// link returns the address of a deadline's record; empty if there is none.
func (s *Service) link(d *Deadline) string {
	path := s.Paths[d.ResourceType]
	if s.PublicURL == "" || path == "" || d.ResourceID == "" {
		return ""
	}
	return strings.TrimRight(s.PublicURL, "/") + path + "/" + d.ResourceID
}

// plain replaces control characters by spaces: they would break the line of the feed.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
