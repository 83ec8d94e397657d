package breaker_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/breaker"
)

// fixture is a breaker that opens after three failures, for ten seconds, and its clock.
type fixture struct {
	*testing.T
	*breaker.Breaker
	time time.Time
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{T: t, time: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)}
	f.Breaker = breaker.New(3, 10*time.Second, func() time.Time { return f.time })
	return f
}

func (f *fixture) fail(times int) {
	for range times {
		f.Fail()
	}
}

func (f *fixture) allows(want bool, when string) {
	f.Helper()
	if got := f.Allow(); got != want {
		f.Errorf("%s: allowed %t, want %t", when, got, want)
	}
}

// Only failures in a row open the breaker.
func TestOpens(t *testing.T) {
	f := newFixture(t)
	f.fail(2)
	f.Succeed()
	f.fail(2)
	f.allows(true, "after two failures in a row")
	f.fail(1)
	f.allows(false, "after three failures in a row")
	if !f.IsOpen() || !f.CoolingDown() {
		t.Error("the breaker is not open")
	}
}

// After the cooldown one trial call is allowed. Its failure begins another cooldown, its success closes the breaker.
func TestTrial(t *testing.T) {
	f := newFixture(t)
	f.fail(3)
	f.time = f.time.Add(10*time.Second - 1)
	f.allows(false, "before the end of the cooldown")
	f.time = f.time.Add(1)
	if f.CoolingDown() {
		t.Error("the cooldown does not end")
	}
	f.allows(true, "the trial")
	f.allows(false, "a second call during the trial")
	f.Fail()
	f.allows(false, "after the trial failed")
	f.time = f.time.Add(10 * time.Second)
	f.allows(true, "the second trial")
	f.Succeed()
	f.fail(2)
	f.allows(true, "after a successful trial and two failures")
	if f.IsOpen() {
		t.Error("the breaker is still open")
	}
}

// Calls that began before the breaker opened neither close it nor prolong the cooldown.
func TestLateResults(t *testing.T) {
	f := newFixture(t)
	f.fail(3)
	f.Succeed()
	f.allows(false, "after a late success")
	f.time = f.time.Add(9 * time.Second)
	f.Fail()
	f.time = f.time.Add(time.Second)
	f.allows(true, "the trial after a late failure")
}
