package ratelimit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/test/port"
	own "github.com/tidewaiter/tidewaiter/test/redis"
)

// instance is one of several instances that share limits.
type instance struct {
	*ratelimit.Fallback
	log *bytes.Buffer
}

func newInstance(t *testing.T, port int, now func() time.Time) instance {
	t.Helper()
	log := &bytes.Buffer{}
	return instance{&ratelimit.Fallback{
		Shared: open(t, fmt.Sprintf("redis://127.0.0.1:%d?dial_timeout=10s&read_timeout=10s", port), now), Local: ratelimit.NewMemory(now), Now: now, Log: slog.New(slog.NewTextHandler(log, nil)),
	}, log}
}

// passes returns how many of n requests are allowed.
func (i instance) passes(t *testing.T, requests int, budget ratelimit.Budget) (n int) {
	t.Helper()
	for range requests {
		s, err := i.Take(context.Background(), budget, "o")
		if err != nil {
			t.Fatal(err)
		}
		if !s.Exceeded {
			n++
		}
	}
	return n
}

// While Redis is unavailable each instance applies the limit by itself and logs so once. When Redis works again they
// share it.
func TestRedisDiesAndComesBack(t *testing.T) {
	now := nine
	clock := func() time.Time { return now }
	budget := ratelimit.Budget{Name: "standard", Requests: 10, Window: time.Hour}
	at := port.For(t)
	server := own.For(t, at)
	one, two := newInstance(t, at, clock), newInstance(t, at, clock)
	if n := one.passes(t, 8, budget) + two.passes(t, 8, budget); n != 10 {
		t.Errorf("together %d pass, want 10", n)
	}
	server.Kill()
	if a, b := one.passes(t, 50, budget), two.passes(t, 50, budget); a != 10 || b != 10 {
		t.Errorf("without Redis %d and %d pass, want 10 each", a, b)
	}
	now = now.Add(3 * time.Second)
	one.passes(t, 50, budget)
	own.For(t, at)
	now = now.Add(3 * time.Second)
	if n := one.passes(t, 8, budget) + two.passes(t, 8, budget); n != 10 {
		t.Errorf("with Redis again %d are allowed, want 10", n)
	}
	for name, i := range map[string]instance{"one": one, "two": two} {
		if log := i.log.String(); strings.Count(log, "level=WARN") != 1 || strings.Count(log, "shared again") != 1 || strings.Count(log, "\n") != 2 {
			t.Errorf("%s logged %s", name, log)
		}
	}
}

// broken is a limiter that always fails, and counts its calls.
type broken struct{ asked *int }

func (b broken) Take(context.Context, ratelimit.Budget, string) (ratelimit.State, error) {
	*b.asked++
	return ratelimit.State{}, errors.New("away")
}

func (b broken) Look(ctx context.Context, budget ratelimit.Budget, subject string) (ratelimit.State, error) {
	return b.Take(ctx, budget, subject)
}

// A failing limiter is tried once per interval and not by every request. A cancelled request says nothing about it.
func TestWhatIsAwayIsLeftAlone(t *testing.T) {
	now, asked := nine, 0
	log := &bytes.Buffer{}
	f := &ratelimit.Fallback{
		Shared: broken{&asked}, Local: ratelimit.NewMemory(func() time.Time { return now }), Now: func() time.Time { return now }, Log: slog.New(slog.NewTextHandler(log, nil)),
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Take(gone, three, "o"); err == nil || log.Len() > 0 {
		t.Errorf("%v, logged %s", err, log)
	}
	asked = 0
	for range 100 {
		if s, err := f.Look(t.Context(), three, "o"); err != nil || s.Remaining != 3 {
			t.Fatalf("%+v, %v", s, err)
		}
		now = now.Add(100 * time.Millisecond)
	}
	if asked != 5 {
		t.Errorf("asked %d times in ten seconds", asked)
	}
}
