package ratelimit_test

import (
	"context"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

var nine = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

var three = ratelimit.Budget{Name: "three", Requests: 3, Window: time.Minute}

// Exactly the budget is allowed in a window. Subjects do not share it, and a new window has the whole budget.
func TestMemoryBudget(t *testing.T) {
	now := nine
	m := ratelimit.NewMemory(func() time.Time { return now })
	spend(t, m, "a")
	if s, _ := m.Take(context.Background(), three, "b"); s.Exceeded {
		t.Error("subjects share a budget")
	}
	now = now.Add(time.Minute)
	spend(t, m, "a")
}

func spend(t *testing.T, l ratelimit.Limiter, subject string) {
	t.Helper()
	for n := range 5 {
		s, err := l.Take(context.Background(), three, subject)
		if err != nil {
			t.Fatal(err)
		}
		if s.Exceeded != (n >= 3) || s.Limit != 3 || s.Remaining != max(0, 2-n) || s.Reset.IsZero() {
			t.Errorf("request %d: %+v", n+1, s)
		}
	}
}

// Two budgets of one subject are separate, also if their concatenated names are equal.
func TestBudgetsAreApart(t *testing.T) {
	m := ratelimit.NewMemory(func() time.Time { return nine })
	one := func(name, subject string) ratelimit.State {
		s, _ := m.Take(context.Background(), ratelimit.Budget{Name: name, Requests: 1, Window: time.Minute}, subject)
		return s
	}
	for _, c := range []struct {
		name, subject string
		exceeded      bool
	}{
		{"standard", "o", false}, {"ai", "o", false}, {"standard", "o", true}, {"standard", "o2", false}, {"standard", "", false}, {"standar", "d o", false},
	} {
		if s := one(c.name, c.subject); s.Exceeded != c.exceeded {
			t.Errorf("%s of %q: %+v", c.name, c.subject, s)
		}
	}
}

// A window begins with its first request and ends exactly after its duration. Rejected requests do not extend it.
func TestWindow(t *testing.T) {
	now := nine
	m := ratelimit.NewMemory(func() time.Time { return now })
	take := func() ratelimit.State {
		s, _ := m.Take(context.Background(), ratelimit.Budget{Name: "b", Requests: 1, Window: time.Minute}, "o")
		return s
	}
	if s := take(); s.Exceeded || !s.Reset.Equal(nine.Add(time.Minute)) {
		t.Errorf("first: %+v", s)
	}
	now = nine.Add(time.Minute - 1)
	if s := take(); !s.Exceeded || s.Remaining != 0 || !s.Reset.Equal(nine.Add(time.Minute)) {
		t.Errorf("at the last moment: %+v", s)
	}
	now = nine.Add(time.Minute)
	if s := take(); s.Exceeded || !s.Reset.Equal(nine.Add(2*time.Minute)) {
		t.Errorf("after it: %+v", s)
	}
}

// Of many concurrent requests exactly the budget is allowed.
func TestConcurrentRequests(t *testing.T) {
	m := ratelimit.NewMemory(func() time.Time { return nine })
	var passed atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				if s, _ := m.Take(context.Background(), ratelimit.Budget{Name: "b", Requests: 123, Window: time.Minute}, "o"); !s.Exceeded {
					passed.Add(1)
				}
			}
		})
	}
	all.Wait()
	if passed.Load() != 123 {
		t.Errorf("%d passed", passed.Load())
	}
}

// Many new subjects use limited memory, and are still counted. The windows are searched for ended ones only every ten
// seconds, because that takes time in proportion to their number.
func TestFlood(t *testing.T) {
	now := nine
	m := ratelimit.NewMemory(func() time.Time { return now })
	searches, last := 0, time.Time{}
	for n := range 110_000 {
		now = now.Add(10 * time.Millisecond)
		if s, _ := m.Take(context.Background(), ratelimit.Budget{Name: "b", Requests: 1, Window: 24 * time.Hour}, strconv.Itoa(n)); s.Exceeded {
			t.Fatalf("subject %d shares a budget", n)
		}
		if at := ratelimit.Swept(m); !at.Equal(last) {
			searches, last = searches+1, at
		}
	}
	if n := ratelimit.Windows(m); n > 100_000 {
		t.Errorf("%d windows are kept", n)
	}
	if searches != 10 { // in the 100 s after the first 100,000 subjects
		t.Errorf("%d searches for ended windows, want 10", searches)
	}
}

// Ended windows are dropped first.
func TestClosedWindowsGoFirst(t *testing.T) {
	now := nine
	m := ratelimit.NewMemory(func() time.Time { return now })
	take := func(subject string, window time.Duration) ratelimit.State {
		s, _ := m.Take(context.Background(), ratelimit.Budget{Name: "b", Requests: 1, Window: window}, subject)
		return s
	}
	take("open", 24*time.Hour)
	for n := range 99_999 {
		take(strconv.Itoa(n), time.Second)
	}
	now = now.Add(time.Minute)
	take("new", time.Second)
	if s := take("open", 24*time.Hour); !s.Exceeded {
		t.Error("an open window was dropped before ended ones")
	}
	if n := ratelimit.Windows(m); n != 2 {
		t.Errorf("%d windows are kept", n)
	}
}

// Two instances share one budget through Redis.
func TestRedisBudgetIsShared(t *testing.T) {
	address := os.Getenv("TIDEWAITER_TEST_REDIS")
	if address == "" {
		t.Skip("no Redis: TIDEWAITER_TEST_REDIS is not set; make test starts one")
	}
	one, two := open(t, address, time.Now), open(t, address, time.Now)
	subject := t.Name() + time.Now().String()
	spend(t, one, subject)
	if s, err := two.Take(context.Background(), three, subject); err != nil || !s.Exceeded {
		t.Errorf("the second instance: %+v, %v", s, err)
	}
}

// A window in Redis ends by itself. Without Redis there is an error and no state.
func TestRedisWindow(t *testing.T) {
	address := os.Getenv("TIDEWAITER_TEST_REDIS")
	if address == "" {
		t.Skip("no Redis: TIDEWAITER_TEST_REDIS is not set; make test starts one")
	}
	l := open(t, address, func() time.Time { return nine })
	short := ratelimit.Budget{Name: "short", Requests: 1, Window: 50 * time.Millisecond}
	subject := t.Name() + time.Now().String()
	first, err := l.Take(context.Background(), short, subject)
	if err != nil || first.Exceeded || first.Reset.After(nine.Add(short.Window)) || first.Reset.Before(nine) {
		t.Fatalf("first: %+v, %v", first, err)
	}
	for deadline := time.Now().Add(time.Minute); ; {
		s, err := l.Take(context.Background(), short, subject)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Exceeded {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the window does not end")
		}
	}
	l.Close()
	if _, err := l.Take(context.Background(), short, subject); err == nil {
		t.Error("no error without Redis")
	}
}

// Look returns the state without counting, in a window and without one.
func TestLook(t *testing.T) {
	now := nine
	m := ratelimit.NewMemory(func() time.Time { return now })
	look := func(left int) {
		t.Helper()
		if s, err := m.Look(t.Context(), three, "o"); err != nil || s.Remaining != left || s.Exceeded {
			t.Errorf("%+v, %v", s, err)
		}
	}
	look(3)
	look(3)
	_, _ = m.Take(t.Context(), three, "o")
	look(2)
	now = now.Add(time.Minute)
	look(3)
}

// Look in Redis does the same.
func TestRedisLook(t *testing.T) {
	address := os.Getenv("TIDEWAITER_TEST_REDIS")
	if address == "" {
		t.Skip("no Redis: TIDEWAITER_TEST_REDIS is not set; make test starts one")
	}
	l := open(t, address, time.Now)
	subject := t.Name() + time.Now().String()
	for left := 3; left > 0; left-- {
		for range 2 {
			if s, err := l.Look(t.Context(), three, subject); err != nil || s.Remaining != left {
				t.Errorf("%+v, %v", s, err)
			}
		}
		_, _ = l.Take(t.Context(), three, subject)
	}
	l.Close()
	if _, err := l.Look(t.Context(), three, subject); err == nil {
		t.Error("no error without Redis")
	}
}
