package access_test

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Only the right password matches a hash. Every hash has its own salt, and includes its
// parameters, which are OWASP's for argon2id.
func TestPasswordHash(t *testing.T) {
	h := access.NewHasher(source(3))
	one, err := h.Hash(ctx, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	two, _ := h.Hash(ctx, "correct horse")
	if form := regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`); !form.MatchString(one) || one == two {
		t.Errorf("hashes %q and %q", one, two)
	}
	if !h.Matches(one, "correct horse") || !h.Matches(two, "correct horse") {
		t.Error("the password does not match")
	}
	for _, wrong := range []string{"", "correct hors", "correct horse ", "Correct horse", strings.Repeat("x", 1<<20)} {
		if h.Matches(one, wrong) {
			t.Errorf("%.20q matches", wrong)
		}
	}
}

// Without a valid stored hash no password matches, not even the empty one, and the check takes
// as long as with one.
func TestNoPasswordStored(t *testing.T) {
	h := access.NewHasher(source(3))
	stored, _ := h.Hash(ctx, "x")
	for _, bad := range []string{
		"", "x", "$argon2id$v=19$m=19456,t=2,p=1$$", "$argon2i$v=19$m=19456,t=2,p=1$" + stored[30:], strings.Replace(stored, "m=19456", "m=99999999", 1),
		strings.Replace(stored, "t=2", "t=0", 1), strings.Replace(stored, "v=19", "v=18", 1), stored[:len(stored)-4],
	} {
		if h.Matches(bad, "x") || h.Matches(bad, "") {
			t.Errorf("%q matches", bad)
		}
	}
	took := func(stored string) time.Duration {
		best := time.Hour
		for range 5 {
			began := time.Now()
			h.Matches(stored, "y")
			best = min(best, time.Since(began))
		}
		return best
	}
	if with, without := took(stored), took(""); without < with/3 {
		t.Errorf("%s with a password, %s without", with, without)
	}
}

// Two hashes are computed at a time, 32 calls may run or wait, and further calls are refused, which
// limits the work that requests can cause.
func TestHashingIsBounded(t *testing.T) {
	h := access.NewHasher(source(3))
	release, running := make(chan struct{}), make(chan struct{}, 64)
	var most, now atomic.Int64
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			_ = access.Run(h, ctx, func() error { running <- struct{}{}; <-release; return nil })
		})
	}
	<-running
	<-running
	waiting, leave := context.WithCancel(ctx)
	var left atomic.Int64
	for range 30 {
		all.Go(func() {
			if access.Run(h, waiting, func() error { most.Store(max(most.Load(), now.Add(1))); now.Add(-1); return nil }) != nil {
				left.Add(1)
			}
		})
	}
	var err error
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		ended, cancel := context.WithCancel(ctx)
		cancel()
		if err = access.Run(h, ended, func() error { return nil }); apierr.Is(err, apierr.RateLimited) {
			break
		}
	}
	if !apierr.Is(err, apierr.RateLimited) {
		t.Errorf("call over the limit: %v", err)
	}
	leave()
	close(release)
	all.Wait()
	if most.Load() > 2 {
		t.Errorf("%d at a time", most.Load())
	}
}
