package whatif_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// 100,000 lines are computed, with the memory that this takes reported. It is run with TIDEWAITER_LONG=1.
func TestMostLines(t *testing.T) {
	if os.Getenv("TIDEWAITER_LONG") == "" {
		t.Skip("set TIDEWAITER_LONG=1 to compute 100,000 lines")
	}
	each(t, func(t *testing.T, f *fixture) {
		var body strings.Builder
		body.WriteString(`{"change": {"origin": "BD"}, "groupBy": ["commodityCode", "origin"], "source": {"incoterm": "FOB", "lines": [`)
		codes := []string{"6109100010", "7208100000", "8517620000"}
		for i := range whatif.MaxLines {
			if i > 0 {
				body.WriteString(",")
			}
			fmt.Fprintf(&body, `{"ref": "INV-%d/%d", "commodityCode": %q, "origin": "CN", "price": {"amount": %d.%02d, "currency": "GBP"}, "netMassKg": 120.5,
				"freight": [{"amount": 12.5, "currency": "GBP"}], "quantities": [{"unit": "NAR", "value": 10}]}`, i/9, i%9, codes[i%3], 100+i%4999, i%100)
		}
		body.WriteString("]}}")
		raw := []byte(body.String())
		body.Reset()
		runtime.GC()
		var most atomic.Uint64
		ended := make(chan struct{})
		go func() {
			for {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				if m.HeapAlloc > most.Load() {
					most.Store(m.HeapAlloc)
				}
				select {
				case <-ended:
					return
				case <-time.After(10 * time.Millisecond):
				}
			}
		}()
		start := time.Now()
		p, err := f.service.Prepare(ctx, ours, raw, f.now, nil)
		f.must(err)
		var j whatif.Job
		f.must(f.store.Update(ctx, ours, func(tx *store.Tx) (err error) { j, err = f.service.Create(tx, by(ours), p); return err }))
		created, peak := time.Since(start), most.Swap(0)
		size := len(raw)
		p, raw = whatif.Prepared{}, nil
		runtime.GC()
		start = time.Now()
		f.run()
		ran := time.Since(start)
		close(ended)
		done, err := f.service.Result(ctx, ours, j.ID)
		f.must(err)
		if done.Summary.Lines != whatif.MaxLines {
			t.Errorf("%d lines are complete", done.Summary.Lines)
		}
		t.Logf("body of %d MB: created in %s with at most %d MB in the heap, run in %s with at most %d MB", size>>20, created, peak>>20, ran, most.Load()>>20)
	})
}
