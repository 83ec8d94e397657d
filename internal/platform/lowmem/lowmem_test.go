package lowmem_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
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

// If much memory is in use after work, the heap grows no more than it usually does with little.
func TestMuchInUse(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(170))
	const megabytes = 128
	var kept [][]byte
	load := func() error {
		for len(kept) < megabytes {
			kept = append(kept, make([]byte, 1<<20))
		}
		return nil
	}
	for range 2 {
		if err := lowmem.Run(load); err != nil || growth() > 38 || growth() < 30 {
			t.Errorf("%v, then %d %%", err, growth())
		}
	}
	runtime.KeepAlive(kept)
	kept = nil
	if err := lowmem.Run(func() error { return nil }); err != nil || growth() != 170 {
		t.Errorf("%v, with little in use %d %%", err, growth())
	}
}

// Works that load run one after the other, and also beside other work.
func TestLoad(t *testing.T) {
	var running, most atomic.Int32
	load := func() error {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		return lowmem.Run(func() error { return nil })
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := lowmem.Load(load); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d at once", most.Load())
	}
}
