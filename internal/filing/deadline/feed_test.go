package deadline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

func (w *env) feed() (text string, modified time.Time) {
	w.Helper()
	err := w.store.View(ctx, ours, func(tx *store.Tx) error {
		body, err := w.service.Feed(tx)
		if err != nil {
			return err
		}
		text = string(body)
		modified, err = w.service.ModifiedAt(tx)
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return text, modified
}

// unfolded returns the content lines of an iCalendar object by RFC 5545: lines end with CRLF, have at most 75 octets, and
// continue after CRLF and a space.
func unfolded(t *testing.T, text string) []string {
	t.Helper()
	if !strings.HasSuffix(text, "\r\n") || strings.Count(text, "\n") != strings.Count(text, "\r\n") || strings.Count(text, "\r") != strings.Count(text, "\r\n") {
		t.Errorf("a line does not end with CRLF: %q", text)
	}
	for line := range strings.SplitSeq(text, "\r\n") {
		if len(line) > 75 || strings.ToValidUTF8(line, "") != line {
			t.Errorf("%d octets in %q", len(line), line)
		}
		if strings.ContainsFunc(line, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			t.Errorf("a control character in %q", line)
		}
	}
	whole := strings.ReplaceAll(text, "\r\n ", "")
	return strings.Split(strings.TrimSuffix(whole, "\r\n"), "\r\n")
}

// The feed is a valid iCalendar object. Its events have an identity, a day or time, the source and a link.
func TestFeed(t *testing.T) {
	each(t, func(w *env) {
		w.service = deadline.Service{PublicURL: "https://tidewaiter.example/", Paths: map[string]string{"harbour.thing": "/api/harbour/things"}}
		whole := due("Pay", "2027-07-10T22:59:59Z")
		whole.WholeDay = true
		hourly := due("Report; pay, \\ and go", "2026-12-01T06:30:00Z")
		hourly.Source = "The Act 1979,\r\nsection 5; " + strings.Repeat("für alle Fälle ", 12)
		n := w.add(ours, "harbour", hourly)
		m := w.add(ours, "harbour", whole)
		w.add(ours, "harbour", due("too far", "2027-11-22T09:00:00Z"))
		text, _ := w.feed()

		want := strings.Split(fmt.Sprintf(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Tidewaiter//Deadlines//EN
CALSCALE:GREGORIAN
NAME:Deadlines of Quay & Söhne\, Ltd
X-WR-CALNAME:Deadlines of Quay & Söhne\, Ltd
DESCRIPTION:Deadlines of the enabled Hubs for the next year.
X-WR-CALDESC:Deadlines of the enabled Hubs for the next year.
X-WR-TIMEZONE:Europe/London
REFRESH-INTERVAL;VALUE=DURATION:PT6H
X-PUBLISHED-TTL:PT6H
BEGIN:VEVENT
UID:%[1]s:return@%[3]s.tidewaiter
DTSTAMP:20261121T090000Z
LAST-MODIFIED:20261121T090000Z
DTSTART:20261201T063000Z
SUMMARY:Report\; pay\, \\ and go
TRANSP:TRANSPARENT
CATEGORIES:harbour
URL:https://tidewaiter.example/api/harbour/things/%[1]s
DESCRIPTION:Report\; pay\, \\ and go\nSource: The Act 1979\,  section 5\; %[4]s\nhttps://tidewaiter.example/api/harbour/things/%[1]s
END:VEVENT
BEGIN:VEVENT
UID:%[2]s:return@%[3]s.tidewaiter
DTSTAMP:20261121T090000Z
LAST-MODIFIED:20261121T090000Z
DTSTART;VALUE=DATE:20270710
DTEND;VALUE=DATE:20270711
SUMMARY:Pay
TRANSP:TRANSPARENT
CATEGORIES:harbour
URL:https://tidewaiter.example/api/harbour/things/%[2]s
DESCRIPTION:Pay\nSource: The Act\nhttps://tidewaiter.example/api/harbour/things/%[2]s
END:VEVENT
END:VCALENDAR`, uuid(n), uuid(m), ours, strings.Repeat("für alle Fälle ", 12)), "\n")
		got := unfolded(w.T, text)
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				w.Fatalf("line %d of\n%s\nis not %q", i+1, strings.Join(got, "\n"), want[min(i, len(want)-1)])
			}
		}
		calendar, err := ics.ParseCalendar(strings.NewReader(text))
		if err != nil || len(calendar.Events()) != 2 {
			w.Fatalf("%v: %d events", err, len(calendar.Events()))
		}
		if s := calendar.Events()[0].GetProperty(ics.ComponentPropertySummary); s.Value != hourly.Title {
			w.Errorf("summary %q", s.Value)
		}
		if start, err := calendar.Events()[0].GetStartAt(); err != nil || !start.Equal(hourly.DueAt) {
			w.Errorf("start %s, %v", start, err)
		}
	})
}

// Control characters in a title do not break the lines of the feed.
func TestHostileTitles(t *testing.T) {
	each(t, func(w *env) {
		for _, title := range []string{
			"A\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:stolen", "A\rB\nC\x00D\x1b[31mE\u0085F", strings.Repeat("long ", 100), strings.Repeat("x", 500),
			strings.Repeat("😀", 100), "  two  spaces  ", "ends with \\", "<a href=x>" + strings.Repeat("<b>", 60), "a:b;c=d\"e\"", "",
		} {
			w.add(ours, "harbour", due(title, "2026-12-01T06:30:00Z"))
		}
		text, _ := w.feed()
		events := 0
		for _, line := range unfolded(w.T, text) {
			if line == "BEGIN:VEVENT" {
				events++
			}
			if strings.HasPrefix(line, "UID:stolen") {
				w.Errorf("a title became a line: %q", line)
			}
		}
		calendar, err := ics.ParseCalendar(strings.NewReader(text))
		if err != nil || len(calendar.Events()) != 10 || events != 10 {
			w.Errorf("%v: %d events, %d lines", err, len(calendar.Events()), events)
		}
	})
}

// The feed changes only with the deadlines, and its modification time is not before a change.
func TestFeedChanges(t *testing.T) {
	each(t, func(w *env) {
		lapsing := due("lapses", "2026-11-22T12:00:00Z")
		lapsing.Lapses = true
		w.add(ours, "harbour", lapsing)
		n := w.add(ours, "harbour", due("A", "2026-12-01T12:00:00Z"))
		first, modified := w.feed()
		if !modified.Equal(w.now) {
			w.Errorf("modified at %s", modified)
		}
		w.now = at("2026-11-21T23:59:59Z")
		if again, _ := w.feed(); again != first {
			w.Error("the feed changed by itself")
		}
		w.now = at("2026-11-23T08:00:00Z")
		second, modified := w.feed()
		if second == first || strings.Contains(second, "lapses") || !modified.Equal(at("2026-11-23T00:00:00Z")) {
			w.Errorf("a day later, modified at %s: %s", modified, second)
		}
		w.write(ours, "harbour", n, 2)
		if third, modified := w.feed(); strings.Contains(third, "BEGIN:VEVENT") || !modified.Equal(w.now) {
			w.Errorf("when all is done, modified at %s: %s", modified, third)
		}
	})
}

// The feed is limited, and its description says so.
func TestFeedIsBounded(t *testing.T) {
	each(t, func(w *env) {
		var all []filing.Deadline
		for n := range deadline.MaxFeed + 1 {
			d := due("A", "2026-12-01T12:00:00Z")
			d.Name = fmt.Sprintf("n%05d", n)
			all = append(all, d)
		}
		w.add(ours, "harbour", all...)
		text, _ := w.feed()
		if n := strings.Count(text, "BEGIN:VEVENT"); n != deadline.MaxFeed || !strings.Contains(strings.Join(unfolded(w.T, text), ""), "Only the first 2000 are shown") {
			w.Errorf("%d events", n)
		}
	})
}
