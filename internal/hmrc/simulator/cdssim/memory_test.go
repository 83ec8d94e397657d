package cdssim_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// The simulator stores the values that it needs and not the whole document.
func TestMemory(t *testing.T) {
	const documents, size = 40, 1 << 20
	b := start(t, nil)
	padded := func(d wco.Declaration) []byte {
		return append(encode(t, d), bytes.Repeat([]byte(" "), size)...)
	}
	before := inUse()
	for n := range documents / 2 {
		b.accepted(b.client.Submit(t.Context(), b.as, padded(anImport(fmt.Sprintf("TWSMEMORY%d", n)))))
		request := wco.Cancellation("TWSREQUEST", fmt.Sprintf("26GB%014d", n), wco.CancelNotRequired, "The declaration is no longer required.")
		b.accepted(b.client.Cancel(t.Context(), b.as, padded(request)))
	}
	if grown := inUse() - before; grown > documents*size/4 {
		t.Errorf("after %d documents of %d bytes there are %d bytes more in use", documents, size, grown)
	}
	runtime.KeepAlive(b)
}

// inUse is how many bytes of the heap are reachable.
func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
