package load_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
)

// serve answers every request with a body, and counts them.
func serve(t *testing.T, status int, body string) (address string, count *atomic.Int64) {
	count = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		if r.Header.Get("Authorization") != "Bearer svc_1" {
			status = http.StatusUnauthorized
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().String(), count
}

// Every answer is read to its end, in any framing, and counted once.
func TestRunCounts(t *testing.T) {
	for name, body := range map[string]string{
		"empty": "", "with a length": "{}", "chunked": strings.Repeat("x", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			address, count := serve(t, http.StatusOK, body)
			f, err := load.Run(load.Get(address, "svc_1", "/"), 3, 50*time.Millisecond)
			for err == nil && f.Requests == 0 { // a busy machine may answer none
				f, err = load.Run(load.Get(address, "svc_1", "/"), 3, time.Second)
			}
			if err != nil {
				t.Fatal(err)
			}
			if int64(f.Requests) != count.Load() {
				t.Errorf("%d requests, the server counted %d", f.Requests, count.Load())
			}
			if f.P50 <= 0 || f.P99 < f.P50 || f.PerSecond <= 0 {
				t.Errorf("figures %+v", f)
			}
		})
	}
}

// An answer with another status fails the run: a fast refusal must not count as speed.
func TestRunRefusesAnotherStatus(t *testing.T) {
	address, _ := serve(t, http.StatusTooManyRequests, "")
	_, err := load.Run(load.Post(address, "svc_1", "/", []byte("{}")), 1, 50*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "answered 429, want 201") {
		t.Errorf("error %v", err)
	}
}

// Different answers are not the same work.
func TestAlike(t *testing.T) {
	one, _ := serve(t, http.StatusOK, strings.Repeat("x", 5000))
	same, _ := serve(t, http.StatusOK, strings.Repeat("x", 5000))
	other, _ := serve(t, http.StatusOK, "y")
	if err := load.Alike(load.Get(one, "svc_1", "/"), load.Get(same, "svc_1", "/")); err != nil {
		t.Error(err)
	}
	if err := load.Alike(load.Get(one, "svc_1", "/"), load.Get(other, "svc_1", "/")); err == nil {
		t.Error("different answers are accepted as the same")
	}
}

// The median is the middle value, and the upper one of two.
func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []int
		want   int
	}{{[]int{7}, 7}, {[]int{9, 1, 5}, 5}, {[]int{4, 2}, 4}} {
		if got := load.Median(c.values); got != c.want {
			t.Errorf("median of %v is %d, want %d", c.values, got, c.want)
		}
	}
}
