package lowmem_test

import (
	"errors"
	"runtime/debug"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/lowmem"
)

// growth is the growth of the heap in per cent at which a collection begins.
func growth() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

// The heap grows less while work runs, also if it overlaps with other work, and as before afterwards.
func TestRun(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(170))
	failed := errors.New("failed")
	err := lowmem.Run(func() error {
		if err := lowmem.Run(func() error { return nil }); err != nil {
			t.Error(err)
		}
		if now := growth(); now >= 170 {
			t.Errorf("meanwhile %d %%", now)
		}
		return failed
	})
	if !errors.Is(err, failed) || growth() != 170 {
		t.Errorf("%v, then %d %%", err, growth())
	}
}
