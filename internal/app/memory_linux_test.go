package app

import (
	"slices"
	"strings"
	"testing"
)

// Only what can be read again from the program's file as it was is given back: nothing
// that is written, that a loader has changed, or that is another file's.
func TestUntouched(t *testing.T) {
	mapping := func(head, anonymous, swap string) string {
		return head + "\nSize:               100 kB\nAnonymous:      " + anonymous + " kB\nSwap:      " + swap + " kB\nVmFlags: rd ex mr mw me\n"
	}
	smaps := mapping("00400000-02bdb000 r-xp 00000000 fe:00 105                           /bin/tw", "0", "0") +
		mapping("02bdb000-06281000 r--p 027db000 fe:00 105                           /bin/tw", "0", "0") +
		mapping("06281000-06397000 rw-p 05e81000 fe:00 105                           /bin/tw", "0", "0") +
		mapping("06397000-06398000 r--p 05e81000 fe:00 105                           /bin/tw", "4", "0") +
		mapping("06398000-06399000 r--p 05e81000 fe:00 105                           /bin/tw", "0", "4") +
		mapping("7f0000000000-7f0000001000 r-xp 00000000 fe:00 106                   /lib/libc.so", "0", "0") +
		mapping("c000000000-c000400000 rw-p 00000000 00:00 0", "64", "0")
	want := []stretch{{0x400000, 0x2bdb000}, {0x2bdb000, 0x6281000}}
	if got := untouched(strings.NewReader(smaps), "/bin/tw"); !slices.Equal(got, want) {
		t.Errorf("%x", got)
	}
}
