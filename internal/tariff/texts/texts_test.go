package texts_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/tidewaiter/tidewaiter/internal/tariff/texts"
)

// Each text is kept once, also when pieces are full, and stays what it was.
func TestKeep(t *testing.T) {
	var p texts.Pool
	all := []string{"", "a", strings.Repeat("long ", 50_000)}
	for n := range 20_000 {
		all = append(all, fmt.Sprintf("%010d", n*37), strings.Repeat("x", n%300))
	}
	kept := make([]string, len(all))
	for i, text := range all {
		kept[i] = p.Keep(text)
	}
	for i, text := range all {
		again := p.Keep(strings.Clone(text))
		if kept[i] != text || again != text {
			t.Fatalf("%q is kept as %q, then as %q", text, kept[i], again)
		}
		if unsafe.StringData(again) != unsafe.StringData(kept[i]) {
			t.Fatalf("%q is kept twice", text)
		}
	}
}

// A thousand short texts take a piece of memory, not a thousand.
func TestPieces(t *testing.T) {
	var p texts.Pool
	first := p.Keep("0000000000")
	last := ""
	for n := range 1000 {
		last = p.Keep(fmt.Sprintf("%010d", n))
	}
	apart := uintptr(unsafe.Pointer(unsafe.StringData(last))) - uintptr(unsafe.Pointer(unsafe.StringData(first)))
	if apart != 999*10 {
		t.Errorf("999 texts of ten bytes are %d bytes apart", apart)
	}
}
