package password_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/password"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

func newHasher() *password.Hasher {
	return password.New(ident.NewSource(rand.NewChaCha8([32]byte{3}), time.Now))
}

// Only the right password matches a hash. Every hash has its own salt, and includes its
// parameters, which are OWASP's for argon2id.
func TestPasswordHash(t *testing.T) {
	h := newHasher()
	one, err := h.Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	two, _ := h.Hash(t.Context(), "correct horse")
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

// Without a valid stored hash no password matches, not even the empty one. The check computes one
// hash with the usual parameters, as it does with a stored hash, so that both take equally long.
func TestNoPasswordStored(t *testing.T) {
	h := newHasher()
	stored, _ := h.Hash(t.Context(), "x")
	var computed []string
	h.Observe(func(time, memory uint32, threads uint8) {
		computed = append(computed, fmt.Sprintf("t=%d,m=%d,p=%d", time, memory, threads))
	})
	check := func(stored, tried string) bool {
		t.Helper()
		computed = nil
		matches := h.Matches(stored, tried)
		if !slices.Equal(computed, []string{"t=2,m=19456,p=1"}) {
			t.Errorf("checking %q against %q computes %v", tried, stored, computed)
		}
		return matches
	}
	check(stored, "y")
	for _, bad := range []string{
		"", "x", "$argon2id$v=19$m=19456,t=2,p=1$$", "$argon2i$v=19$m=19456,t=2,p=1$" + stored[30:], strings.Replace(stored, "m=19456", "m=99999999", 1),
		strings.Replace(stored, "t=2", "t=0", 1), strings.Replace(stored, "v=19", "v=18", 1), stored[:len(stored)-4],
	} {
		if check(bad, "x") || check(bad, "") {
			t.Errorf("%q matches", bad)
		}
	}
}

// Two hashes are computed at a time, 32 calls may run or wait, and further calls are refused, which
// limits the work that requests can cause.
func TestHashingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHasher()
		release := make(chan struct{})
		waiting, leave := context.WithCancel(t.Context())
		defer leave()
		var running, left atomic.Int64
		var all sync.WaitGroup
		for range 32 {
			all.Go(func() {
				if h.Run(waiting, func() error { running.Add(1); <-release; return nil }) != nil {
					left.Add(1)
				}
			})
		}
		synctest.Wait()
		if n := running.Load(); n != 2 {
			t.Errorf("%d computations run at a time", n)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := h.Run(ended, func() error { return nil }); !apierr.Is(err, apierr.RateLimited) {
			t.Errorf("call over the limit: %v", err)
		}
		leave()
		synctest.Wait()
		if n := left.Load(); n != 30 {
			t.Errorf("%d of 30 waiting calls end with their context", n)
		}
		close(release)
		all.Wait()
	})
}
