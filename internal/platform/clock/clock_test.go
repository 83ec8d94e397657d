package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
)

// machine has the clocks of a machine, which a test sets.
type machine struct {
	wall   time.Time
	steady time.Duration
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func (m *machine) read() clock.Reading { return clock.Reading{Wall: m.wall, Steady: m.steady} }

func (m *machine) pass(d time.Duration) { m.wall, m.steady = m.wall.Add(d), m.steady+d }
func (m *machine) set(by time.Duration) { m.wall = m.wall.Add(by) }

// stored is a database's mark and its server's clock.
type stored struct {
	mark   string
	server *machine // nil if there is no server
	slow   func()   // called while the database is read
	err    error
}

func (s *stored) ReadClock(context.Context) (clock.Sample, error) {
	l := clock.Sample{Mark: s.mark}
	if s.server != nil {
		l.Reference = s.server.wall
	}
	if s.slow != nil {
		s.slow()
	}
	return l, s.err
}

func (s *stored) SaveMark(_ context.Context, former, mark string) error {
	if s.mark == former {
		s.mark = mark
	}
	return nil
}

func observe(t *testing.T, c *clock.Clock, s *stored) {
	t.Helper()
	if err := c.Observe(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

func is(t *testing.T, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Without changes, the time is the machine's.
func TestUndisturbed(t *testing.T) {
	m := &machine{wall: noon}
	c := clock.New(m.read)
	m.pass(90 * time.Minute)
	is(t, "now", c.Now(), noon.Add(90*time.Minute))
	is(t, "right", c.TrueTime(), noon.Add(90*time.Minute))
	is(t, "status", c.Status(), clock.Status{})
	is(t, "changes", len(c.Changes()), 0)
}

// If a clock is set back, time runs at half speed until both agree, so that the order is kept and no wait becomes an
// hour longer.
func TestPutBack(t *testing.T) {
	m := &machine{wall: noon}
	c := clock.New(m.read)
	m.pass(time.Minute)
	m.set(-time.Hour)
	is(t, "now", c.Now(), noon.Add(time.Minute))
	is(t, "right", c.TrueTime(), noon.Add(time.Minute-time.Hour))
	m.pass(10 * time.Minute)
	is(t, "ten minutes on", c.Now(), noon.Add(6*time.Minute))
	is(t, "ahead", c.Status().Ahead, 55*time.Minute)
	m.pass(110 * time.Minute)
	is(t, "two hours on", c.Now(), m.wall)
	m.pass(time.Minute)
	is(t, "afterwards", c.Now(), m.wall)
	is(t, "extension", c.LeaseExtension(), time.Duration(0))
	changes := c.Changes()
	if len(changes) != 1 || changes[0] != (clock.Change{Of: clock.Reference, By: -time.Hour}) || c.Status().Steps != 1 {
		t.Errorf("changes: %v", changes)
	}
}

// If a clock is set forward, time follows immediately. Existing leases are extended by the step until their holders can
// have renewed them.
func TestPutForward(t *testing.T) {
	m := &machine{wall: noon}
	c := clock.New(m.read)
	m.set(time.Hour)
	is(t, "now", c.Now(), noon.Add(time.Hour))
	is(t, "extension", c.LeaseExtension(), time.Hour)
	m.pass(5 * time.Second)
	m.set(time.Hour)
	is(t, "extension of two", c.LeaseExtension(), 2*time.Hour)
	m.pass(15 * time.Second)
	is(t, "extension later", c.LeaseExtension(), time.Duration(0))
}

// A clock that is set back and forward again leaves the time as it would have been; in the other order, as near as the
// order of times allows.
func TestPutThereAndBack(t *testing.T) {
	m := &machine{wall: noon}
	c := clock.New(m.read)
	m.set(-time.Hour)
	c.Now()
	m.pass(time.Minute)
	c.Now()
	m.set(time.Hour)
	is(t, "back and forth", c.Now(), noon.Add(time.Minute))
	is(t, "no more than it moved", c.LeaseExtension(), 30*time.Second)
	m.set(time.Hour)
	c.Now()
	m.pass(time.Minute)
	m.set(-time.Hour)
	is(t, "forth and back", c.Now(), noon.Add(time.Hour+2*time.Minute))
	is(t, "ahead", c.Status().Ahead, time.Hour)
}

// A mark of this instance from before the clock was set has no effect.
func TestOwnMark(t *testing.T) {
	m, s := &machine{wall: noon}, &stored{}
	c := clock.New(m.read)
	observe(t, c, s)
	m.set(-time.Hour)
	observe(t, c, s)
	m.pass(time.Second)
	m.set(time.Hour)
	observe(t, c, s)
	is(t, "now", c.Now(), noon.Add(time.Second))
}

// If a clock was wrong by more than a day, time goes back in one step.
func TestPutBackByDays(t *testing.T) {
	m := &machine{wall: noon}
	c := clock.New(m.read)
	c.Now()
	m.set(-25 * time.Hour)
	is(t, "now", c.Now(), noon.Add(-25*time.Hour))
}

// Small corrections are followed, but time never goes back.
func TestCorrected(t *testing.T) {
	m := &machine{wall: noon}
	c := clock.New(m.read)
	c.Now()
	m.set(-900 * time.Millisecond)
	is(t, "put back", c.Now(), noon)
	m.pass(time.Second)
	is(t, "later", c.Now(), noon.Add(100*time.Millisecond))
	is(t, "steps", c.Status().Steps, 0)
}

// The mark reveals a clock that was set back while the service was stopped, with the same effect.
func TestPutBackMeanwhile(t *testing.T) {
	m, s := &machine{wall: noon}, &stored{}
	c := clock.New(m.read)
	observe(t, c, s)
	m.pass(time.Hour)
	observe(t, c, s)
	m.pass(10 * time.Second)
	m.set(-time.Hour)
	c = clock.New(m.read)
	observe(t, c, s)
	is(t, "now", c.Now(), noon.Add(time.Hour))
	is(t, "extension", c.LeaseExtension(), time.Duration(0))
	is(t, "steps", c.Status().Steps, 1)
	other := clock.New(m.read)
	observe(t, other, s)
	is(t, "of another process", other.Now(), noon.Add(time.Hour))
}

// Instances on one database agree on its server's time, whatever their machines' clocks are. Setting one machine's
// clock changes nothing.
func TestFleet(t *testing.T) {
	server := &machine{wall: noon}
	one, two := &machine{wall: noon.Add(time.Hour)}, &machine{wall: noon.Add(-time.Hour)}
	s := &stored{server: server}
	pass := func(d time.Duration) { server.pass(d); one.pass(d); two.pass(d) }
	a, b := clock.New(one.read), clock.New(two.read)
	observe(t, a, s)
	observe(t, b, s)
	is(t, "one", a.Now(), noon)
	is(t, "two", b.Now(), noon)
	pass(time.Second)
	one.set(-3 * time.Hour)
	is(t, "one, set", a.Now(), noon.Add(time.Second))
	pass(time.Second)
	observe(t, a, s)
	is(t, "one, later", a.TrueTime(), noon.Add(2*time.Second))
	is(t, "of its machine", a.Status().Machine, -2*time.Hour)
	changes := a.Changes()
	if len(changes) != 1 || changes[0] != (clock.Change{Of: clock.Machine, By: -3 * time.Hour}) {
		t.Errorf("changes: %v", changes)
	}
	is(t, "steps", a.Status().Steps, 0)
}

// If the database server's clock is set, instances still agree: those that have noticed, those that have not, and those
// that start later.
func TestFleetOfASetServer(t *testing.T) {
	for _, by := range []time.Duration{-time.Hour, time.Hour} {
		t.Run(by.String(), func(t *testing.T) {
			server, m := &machine{wall: noon}, &machine{wall: noon}
			s := &stored{server: server}
			pass := func(d time.Duration) { server.pass(d); m.pass(d) }
			a, b := clock.New(m.read), clock.New(m.read)
			observe(t, a, s)
			observe(t, b, s)
			pass(30 * time.Second)
			server.set(by)
			observe(t, a, s)
			if by < 0 {
				is(t, "one that has noticed", a.Now(), noon.Add(30*time.Second))
				is(t, "one that has not", b.Now(), a.Now())
			} else {
				is(t, "one that has noticed", a.Now().Add(-a.LeaseExtension()), b.Now())
			}
			fresh := clock.New(m.read)
			observe(t, fresh, s)
			is(t, "one that starts", fresh.Now(), a.Now())
			pass(time.Second)
			observe(t, b, s)
			if apart := a.Now().Sub(b.Now()).Abs(); apart > 500*time.Millisecond {
				t.Errorf("%s apart", apart)
			}
			for range 4000 {
				pass(2 * time.Second)
				observe(t, a, s)
				observe(t, b, s)
			}
			is(t, "in the end", a.Now(), server.wall)
			is(t, "in the end, two", b.Now(), server.wall)
			is(t, "steps", b.Status().Steps, 1)
		})
	}
}

// A slow answer does not change the time, and without a database time continues.
func TestPoorAnswers(t *testing.T) {
	server, m := &machine{wall: noon}, &machine{wall: noon}
	s := &stored{server: server}
	c := clock.New(m.read)
	observe(t, c, s)
	s.slow = func() { server.pass(3 * time.Second); m.pass(3 * time.Second) }
	observe(t, c, s)
	is(t, "after a slow answer", c.Now(), noon.Add(3*time.Second))
	is(t, "steps", c.Status().Steps, 0)
	s.err = errors.New("unavailable")
	if err := c.Observe(t.Context(), s); !errors.Is(err, s.err) {
		t.Errorf("error: %v", err)
	}
	is(t, "while it is unavailable", c.Now(), m.wall)
}

// The mark is renewed once a minute, and not at every reading.
func TestMarkIsRenewed(t *testing.T) {
	m, s := &machine{wall: noon}, &stored{}
	c := clock.New(m.read)
	observe(t, c, s)
	marks := map[string]bool{s.mark: true}
	for range 150 {
		m.pass(2 * time.Second)
		observe(t, c, s)
		marks[s.mark] = true
	}
	is(t, "marks of five minutes", len(marks), 6)
	if mark, err := clock.ReadMark(s.mark); err != nil || m.wall.Sub(mark.Reference) > time.Minute {
		t.Errorf("mark %v, %v", mark, err)
	}
	if _, err := clock.ReadMark("noon"); err == nil {
		t.Error("an invalid mark was read")
	}
}
