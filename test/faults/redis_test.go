package faults_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/port"
	"github.com/tidewaiter/tidewaiter/test/program"
	"github.com/tidewaiter/tidewaiter/test/redis"
)

// Two instances share a limit through Redis. If Redis is killed, requests still pass and the log says so once:
// each instance counts for itself. When Redis is back they share the limit again.
func TestRedisIsKilled(t *testing.T) {
	t.Parallel()
	shared := redis.For(t, port.For(t))
	p := newHost(t, storetest.Postgres(t))
	p.Settings["TIDEWAITER_REDIS_URL"] = shared.Address()
	p.Settings["TIDEWAITER_LIMIT_STANDARD"] = "40"
	p.Settings["TIDEWAITER_LOG_LEVEL"] = "info"
	key := p.organisation(t)
	other := p.beside(t)
	one, two := p.serve(t), other.serve(t)
	passes := func(r *program.Process, requests int) (n int) {
		t.Helper()
		c := newClient(key)
		c.turn(r)
		for range requests {
			a, err := c.do(t.Context(), http.MethodGet, "/api/clients", "", nil)
			switch {
			case err == nil && a.ok():
				n++
			case err != nil || a.status != http.StatusTooManyRequests:
				t.Fatalf("%d %s, %v", a.status, a.body, err)
			}
		}
		return n
	}
	if n := passes(one, 30) + passes(two, 30); n != 40 {
		t.Errorf("with Redis %d pass, want 40", n)
	}
	shared.Kill()
	if a, b := passes(one, 60), passes(two, 60); a != 40 || b != 40 {
		t.Errorf("without Redis %d and %d pass, want 40 each", a, b)
	}
	redis.For(t, shared.Port)
	log := func(p host) (lines []string) {
		return slices.DeleteFunc(strings.Split(strings.TrimSpace(p.Log.String()), "\n"), func(line string) bool {
			return strings.Contains(line, `"msg":"request"`) || strings.Contains(line, "the mode of a file")
		})
	}
	eventually(t, time.Minute, "both share again", func() bool {
		passes(one, 1)
		passes(two, 1)
		return strings.Contains(fmt.Sprint(log(p)), "shared again") && strings.Contains(fmt.Sprint(log(other)), "shared again")
	})
	if n := passes(one, 40) + passes(two, 40); n > 40 {
		t.Errorf("back with Redis %d pass, want 40 at most", n)
	}
	for _, p := range []host{p, other} {
		lines := log(p)
		if len(lines) != 2 || !strings.Contains(lines[0], "cannot be shared") || !strings.Contains(lines[1], "shared again") {
			t.Errorf("logged:\n%s", strings.Join(lines, "\n"))
		}
	}
}
