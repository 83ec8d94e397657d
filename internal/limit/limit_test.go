package limit_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tidewaiter/tidewaiter/internal/limit"
)

var three = limit.Budget{Name: "three", Requests: 3, Window: time.Minute}

// Exactly the budget passes in a window, subjects do not share it, and it is
// whole again when the window closes.
func TestMemoryBudget(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	m := limit.NewMemory(func() time.Time { return now })
	spend(t, m, "a")
	if s, _ := m.Take(context.Background(), three, "b"); s.Exceeded {
		t.Error("b pays for a")
	}
	now = now.Add(time.Minute)
	spend(t, m, "a")
}

func spend(t *testing.T, l limit.Limiter, subject string) {
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

// Two instances share one budget through Redis.
func TestRedisBudgetIsShared(t *testing.T) {
	address := os.Getenv("TIDEWAITER_TEST_REDIS")
	if address == "" {
		t.Skip("no Redis: TIDEWAITER_TEST_REDIS is not set; make test starts one")
	}
	o, err := redis.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(o)
	t.Cleanup(func() { client.Close() })
	one, two := &limit.Redis{Client: client, Now: time.Now}, &limit.Redis{Client: client, Now: time.Now}
	subject := t.Name() + time.Now().String()
	spend(t, one, subject)
	if s, err := two.Take(context.Background(), three, subject); err != nil || !s.Exceeded {
		t.Errorf("the second instance: %+v, %v", s, err)
	}
}
