package ident_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func source() *ident.Source {
	return ident.NewSource(rand.NewChaCha8([32]byte{7}), func() time.Time { return noon })
}

// UUIDs are canonical version 7 UUIDs of the clock's millisecond, and increase even if the clock stands still.
func TestUUIDsRise(t *testing.T) {
	s, last := source(), ""
	for range 20_000 {
		id := s.UUID()
		if id <= last {
			t.Fatalf("%s came after %s", id, last)
		}
		if !ident.IsUUID(id) || id[14] != '7' || !strings.ContainsRune("89ab", rune(id[19])) {
			t.Fatalf("%s is no version 7 UUID", id)
		}
		last = id
	}
	if first := source().UUID(); !strings.HasPrefix(first, "01a1fdfa-4600-7") {
		t.Errorf("%s is not of %s", first, noon)
	}
}

// After a clock is set back, UUIDs still increase.
func TestUUIDsRiseWhenTheClockIsSetBack(t *testing.T) {
	now := noon
	s := ident.NewSource(rand.NewChaCha8([32]byte{}), func() time.Time { return now })
	before := s.UUID()
	now = now.Add(-time.Hour)
	if after := s.UUID(); after <= before {
		t.Errorf("%s came after %s", after, before)
	}
}

// The same seed and clock give the same identifiers.
func TestSourceRepeats(t *testing.T) {
	a, b := source(), source()
	for range 10 {
		if x, y := a.UUID()+a.LRN(), b.UUID()+b.LRN(); x != y {
			t.Errorf("%s and %s", x, y)
		}
	}
}

// Concurrent callers never get the same UUID.
func TestUUIDsOfManyCallers(t *testing.T) {
	s, ids := source(), make(chan string)
	for range 8 {
		go func() {
			for range 500 {
				ids <- s.UUID()
			}
		}()
	}
	seen := map[string]bool{}
	for range 8 * 500 {
		id := <-ids
		if seen[id] {
			t.Fatalf("%s was made twice", id)
		}
		seen[id] = true
	}
}

// Only the canonical form is a UUID.
func TestIsUUID(t *testing.T) {
	for text, want := range map[string]bool{
		"019aa640-1c00-7abc-8def-0123456789ab":   true,
		"019AA640-1C00-7ABC-8DEF-0123456789AB":   false,
		"019aa6401c007abc8def0123456789ab":       false,
		"019aa640-1c00-7abc-8def-0123456789ag":   false,
		"019aa640-1c00-7abc-8def0-123456789ab":   false,
		"{019aa640-1c00-7abc-8def-0123456789ab}": false,
		"":                                       false,
	} {
		if got := ident.IsUUID(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// All characters of an alphabet are about equally likely.
func TestTextIsEven(t *testing.T) {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" // 256 is no multiple of 36
	text := source().Text(alphabet, 36_000)
	for _, c := range alphabet {
		if n := strings.Count(text, string(c)); n < 850 || n > 1150 {
			t.Errorf("%c came %d times of 36,000", c, n)
		}
	}
}

// Without random bytes the program stops instead of repeating identifiers.
func TestNoRandomness(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an identifier was made without random bytes")
		}
	}()
	ident.NewSource(strings.NewReader(""), func() time.Time { return noon }).UUID()
}

// New identifiers are well formed, have the right check digit, and are unique.
func TestMadeIdentifiers(t *testing.T) {
	s := source()
	for name, c := range map[string]struct {
		make  func() string
		shape string
		fits  func(string) bool
	}{
		"LRN": {s.LRN, `TWS[0-9A-HJKMNP-TV-Z]{19}`, func(string) bool { return true }},
		"MRN": {func() string { return s.MRN(2026, "GB") }, `26GB[0-9A-Z]{13}[0-9]`, checked["MRN"]},
		"ARC": {func() string { return s.ARC(2009, "XI") }, `09XI[0-9]{17}`, checked["ARC"]},
		"GMR": {s.GMR, `GMRA[0-9A-Z]{8}`, func(g string) bool { _, err := ident.ParseGMR(g); return err == nil }},
	} {
		shape, seen := regexp.MustCompile("^"+c.shape+"$"), map[string]bool{}
		for range 2000 {
			made := c.make()
			if !shape.MatchString(made) || !c.fits(made) || seen[made] {
				t.Fatalf("%s %s", name, made)
			}
			seen[made] = true
		}
	}
}

// The only thing that an LRN selects at HMRC's test service is that cancellations are granted.
func TestLRNDoesNotSteer(t *testing.T) {
	lrn := source().LRN()
	if strings.ContainsRune("BCDGKLNPQRUX", rune(lrn[0])) || strings.HasPrefix(lrn, "TAX_") {
		t.Errorf("%s steers the outcome", lrn)
	}
	if lrn[1] >= '0' && lrn[1] <= '9' {
		t.Errorf("%s steers the delay", lrn)
	}
	if len(lrn) != 22 {
		t.Errorf("%s has %d characters", lrn, len(lrn))
	}
}
