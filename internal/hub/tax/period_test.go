package tax_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func period(key string) tax.Period {
	p, err := tax.ParsePeriod(key)
	if err != nil {
		panic(err)
	}
	return p
}

// A period begins at midnight in London and ends one millisecond before the next one.
func TestPeriod(t *testing.T) {
	for key, want := range map[string]string{
		"2026-Q1": "2026-01-01T00:00:00.000Z 2026-03-31T22:59:59.999Z 2026-05-07T22:59:59.999Z",
		"2026-Q2": "2026-03-31T23:00:00.000Z 2026-06-30T22:59:59.999Z 2026-08-07T22:59:59.999Z",
		"2026-Q3": "2026-06-30T23:00:00.000Z 2026-09-30T22:59:59.999Z 2026-11-07T23:59:59.999Z",
		"2026-Q4": "2026-09-30T23:00:00.000Z 2026-12-31T23:59:59.999Z 2027-02-07T23:59:59.999Z",
		"2028-Q1": "2028-01-01T00:00:00.000Z 2028-03-31T22:59:59.999Z 2028-05-07T22:59:59.999Z", // a leap year
	} {
		r := period(key).Record(tax.Mocked)
		if got := r.StartDate + " " + r.EndDate + " " + r.DueDate; got != want || r.PeriodKey != key || r.Source != "mock" {
			t.Errorf("%s: %+v", key, r)
		}
	}
}

// In 120 years, every instant is in exactly one period, including leap years and changes of the rules for summer time.
func TestPeriodsFollowEachOther(t *testing.T) {
	q := calendar.Quarter{Year: 1980, Number: 1}
	for range 4 * 120 {
		p, next := tax.PeriodOf(q), tax.PeriodOf(q.Next())
		if !p.End.Add(time.Millisecond).Equal(next.Start) {
			t.Fatalf("%s ends at %s, and %s begins at %s", p.Key, p.End, next.Key, next.Start)
		}
		for _, instant := range []time.Time{p.Start, p.Start.Add(time.Hour), p.End, next.Start.Add(-1)} {
			if got := tax.PeriodAt(instant); got != p || !p.Contains(instant) || next.Contains(instant) {
				t.Fatalf("%s is in %s, not in %s", instant, got.Key, p.Key)
			}
		}
		if p.Contains(p.Start.Add(-1)) || p.Contains(next.Start) {
			t.Fatalf("%s reaches beyond its ends", p.Key)
		}
		due := p.Due.In(calendar.London())
		if days := calendar.Days(p.End, p.Due); due.Day() != 7 || due.Format("15:04:05.000") != "23:59:59.999" || days < 37 || days > 39 {
			t.Fatalf("%s is due on %s, %d days after its end", p.Key, due, days)
		}
		if read := period(p.Key); read != p {
			t.Fatalf("%s is read as %+v", p.Key, read)
		}
		q = q.Next()
	}
}

// The last hour of June in UTC is July in London; the last of December is not January.
func TestPeriodAt(t *testing.T) {
	for instant, want := range map[string]string{
		"2026-06-30T22:59:59Z": "2026-Q2", "2026-06-30T23:00:00Z": "2026-Q3",
		"2026-12-31T23:59:59Z": "2026-Q4", "2027-01-01T00:00:00Z": "2027-Q1",
		"2026-03-31T22:59:59Z": "2026-Q1", "2026-03-31T23:00:00Z": "2026-Q2", // two days after the clocks went forward
		"2026-10-25T00:30:00Z": "2026-Q4", // the hour that comes twice
	} {
		if got := tax.PeriodAt(at(instant)).Key; got != want {
			t.Errorf("%s is in %s, not in %s", instant, got, want)
		}
	}
}

// Anything but a quarter of a four-digit year is not a period.
func TestParsePeriod(t *testing.T) {
	for _, key := range []string{"", "2026", "2026-Q0", "2026-Q5", "2026-Q11", "26-Q1", "12026-Q1", "2026-q1", "2026Q1", " 2026-Q1", "2026-Q1\n", "２０２６-Q1"} {
		if p, err := tax.ParsePeriod(key); err == nil {
			t.Errorf("%q is %+v", key, p)
		}
	}
}

// The deadline of a period has its day and its legal basis.
func TestPeriodDeadline(t *testing.T) {
	d := period("2026-Q4").Deadline()
	if d.Name != "vat_return" || !d.DueAt.Equal(at("2027-02-07T23:59:59.999Z")) || !d.WholeDay || d.Lapses || d.Title == "" || d.Source == "" {
		t.Errorf("%+v", d)
	}
}

// A period is open until the service fulfils it.
func TestPeriodLifecycle(t *testing.T) {
	if err := tax.PeriodLifecycle.Check(); err != nil {
		t.Fatal(err)
	}
	if got := tax.PeriodLifecycle.Actions(); len(got) != 0 {
		t.Errorf("a person may %v", got)
	}
}
