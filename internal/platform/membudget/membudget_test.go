package membudget_test

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

func small() *membudget.Budget {
	return membudget.New(membudget.Limits{All: 64 << 10, Public: 16 << 10, Customs: 32 << 10})
}

func body(n int) io.ReadCloser { return io.NopCloser(strings.NewReader(strings.Repeat("x", n))) }

func hold(t *testing.T, b *membudget.Budget, s membudget.Share, n int64) *membudget.Claim {
	t.Helper()
	c := b.Claim(s)
	if err := c.Hold(n); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return c
}

// Callers without authentication get only their small share.
func TestPublicShare(t *testing.T) {
	b := small()
	first := hold(t, b, membudget.Public, 16<<10)
	if err := b.Claim(membudget.Public).Hold(1); !errors.Is(err, membudget.ErrExceeded) {
		t.Errorf("beyond the share: %v", err)
	}
	hold(t, b, membudget.Authenticated, 48<<10)
	first.Release()
	hold(t, b, membudget.Public, 16<<10)
	if u := b.Usage(); u.All != 64<<10 || u.Public != 16<<10 || u.Refused["public"] != 1 || u.Refused["authenticated"] != 0 {
		t.Errorf("%+v", u)
	}
}

// Other callers never use the reserve of CDS.
func TestReserve(t *testing.T) {
	b := small()
	others := hold(t, b, membudget.Authenticated, 64<<10)
	customs := hold(t, b, membudget.Customs, 32<<10)
	if err := customs.Hold(33 << 10); !errors.Is(err, membudget.ErrExceeded) {
		t.Errorf("beyond the reserve, with the rest in use: %v", err)
	}
	if err := b.Claim(membudget.Authenticated).Hold(1); !errors.Is(err, membudget.ErrExceeded) {
		t.Errorf("beyond everything: %v", err)
	}
	others.Release()
	if err := customs.Hold(96 << 10); err != nil {
		t.Errorf("reserve and the rest: %v", err)
	}
	customs.Release()
	if u := b.Usage(); u.All != 0 || u.Reserve != 0 {
		t.Errorf("after everything was released: %+v", u)
	}
}

// A body is charged as it is read, and a body that does not fit ends with the error.
func TestBody(t *testing.T) {
	b := small()
	c := b.Claim(membudget.Authenticated)
	if text, err := io.ReadAll(c.Body(body(40 << 10))); err != nil || len(text) != 40<<10 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	if u := b.Usage(); u.All != 40<<10 {
		t.Errorf("charged %d", u.All)
	}
	d := b.Claim(membudget.Authenticated)
	if _, err := io.ReadAll(d.Body(body(40 << 10))); !errors.Is(err, membudget.ErrExceeded) || !d.Refused() || c.Refused() {
		t.Errorf("the second body: %v", err)
	}
	d.Release()
	if u := b.Usage(); u.All != 40<<10 || u.Refused["authenticated"] != 1 {
		t.Errorf("after the refusal: %+v", u)
	}
}

// An announced length is rejected before a byte is read, and is not charged.
func TestExpect(t *testing.T) {
	b := small()
	c := b.Claim(membudget.Authenticated)
	if err := c.Expect(64 << 10); err != nil {
		t.Error(err)
	}
	if err := c.Expect(-1); err != nil {
		t.Errorf("an unknown length: %v", err)
	}
	if u := b.Usage(); u.All != 0 {
		t.Errorf("charged %d", u.All)
	}
	if err := c.Expect(64<<10 + 1); !errors.Is(err, membudget.ErrExceeded) {
		t.Errorf("too long: %v", err)
	}
	if err := b.Claim(membudget.Public).Expect(17 << 10); !errors.Is(err, membudget.ErrExceeded) {
		t.Errorf("too long for the share: %v", err)
	}
	if err := b.Claim(membudget.Customs).Expect(64 << 10); err != nil {
		t.Errorf("CDS cannot use the shared part when its reserve is full: %v", err)
	}
}

// With concurrent readers, the sum stays within the limit and ends at zero.
func TestTogether(t *testing.T) {
	b := small()
	var all sync.WaitGroup
	for n := range 64 {
		all.Go(func() {
			c := b.Claim(membudget.Share(n % 3))
			defer c.Release()
			_, _ = io.Copy(io.Discard, c.Body(body(n<<10)))
			if u := b.Usage(); u.All > 64<<10 || u.Public > 16<<10 || u.Reserve > 32<<10 {
				t.Errorf("over the limit: %+v", u)
			}
		})
	}
	all.Wait()
	if u := b.Usage(); u.All != 0 || u.Public != 0 || u.Reserve != 0 {
		t.Errorf("left over: %+v", u)
	}
}

// A nil budget has no limit.
func TestNone(t *testing.T) {
	var b *membudget.Budget
	c := b.Claim(membudget.Public)
	defer c.Release()
	if text, err := io.ReadAll(c.Body(body(1 << 20))); err != nil || len(text) != 1<<20 || c.Expect(1<<40) != nil || c.Refused() {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
