package code128

import (
	"strings"
	"testing"
)

// Every symbol has eleven modules in three bars and three spaces and an even number of dark modules; the stop symbol has thirteen.
// No two are the same.
func TestSymbols(t *testing.T) {
	seen := map[string]bool{}
	if len(widths) != stop+1 {
		t.Fatalf("%d symbols", len(widths))
	}
	for n, s := range widths {
		all, dark := 0, 0
		for i, w := range s {
			all += int(w - '0')
			if i%2 == 0 {
				dark += int(w - '0')
			}
		}
		if n == stop {
			if all != 13 || len(s) != 7 {
				t.Errorf("stop: %s", s)
			}
			continue
		}
		if all != 11 || len(s) != 6 || dark%2 != 0 || seen[s] {
			t.Errorf("symbol %d: %s", n, s)
		}
		seen[s] = true
	}
}

// A GMR is read back from its bars: the reader below goes over the modules and checks the check symbol itself.
func TestReadBack(t *testing.T) {
	for _, text := range []string{"GMRI000023KN", "A", " ~", "GMRA2AMKTC1B"} {
		c, err := Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		modules := []byte(strings.Repeat("0", c.Width))
		for _, b := range c.Bars {
			for i := range b.Width {
				modules[b.At+i] = '1'
			}
		}
		if got := read(t, string(modules)); got != text {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	if _, err := Encode("GMRÄ"); err == nil {
		t.Error("a letter without a symbol is encoded")
	}
}

// read reads the modules of a barcode.
func read(t *testing.T, modules string) (text string) {
	t.Helper()
	var symbols []int
	for rest := modules; len(rest) > 13; rest = rest[11:] {
		symbols = append(symbols, symbolOf(rest[:11]))
	}
	last := len(symbols) - 1
	sum := symbols[0]
	for i, s := range symbols[1:last] {
		sum += s * (i + 1)
		text += string(rune(s + ' '))
	}
	if symbols[0] != 104 || symbols[last] != sum%103 || modules[len(modules)-13:] != "1100011101011" {
		t.Errorf("symbols %v, end %s", symbols, modules[len(modules)-13:])
	}
	return text
}

func symbolOf(modules string) int {
	var s strings.Builder
	for i, run := 0, 0; i < len(modules); i++ {
		run++
		if i == len(modules)-1 || modules[i+1] != modules[i] {
			s.WriteByte(byte('0' + run))
			run = 0
		}
	}
	for n, w := range widths {
		if w == s.String() {
			return n
		}
	}
	return -1
}
