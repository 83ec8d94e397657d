package strength_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trustelem/zxcvbn/frequency"

	"github.com/tidewaiter/tidewaiter/internal/access/strength"
)

// Common and easily guessed passwords have a score below 3, a few unrelated words at least 3.
func TestScore(t *testing.T) {
	inputs := []string{"olive@example.com", "olive", "Quay Customs Ltd", "tidewaiter"}
	for _, weak := range []string{
		"", "password1234", "Password123!", "P@ssw0rd1234", "aaaaaaaaaaaa", "qwertyuiop[]", "123456789012", "abcdefghijkl", "abcabcabcabc", "drowssap4321",
		"tidewaiter2026", "olive@example.com", "Quay Customs Ltd", "iloveyou2026", "letmeinletmein", "zaq12wsxcde3",
		"vqvqvqvqvqvq", "xkvxkvxkvxkv", "øøqqqqqqqqqqqq", "7/13/1972", "13.07.1972", "19720713",
	} {
		if got := strength.Score(weak, inputs); got > 2 {
			t.Errorf("%q scores %d", weak, got)
		}
	}
	for _, strong := range []string{"a tide table for tests", "correct horse battery staple", "x7Gq-92bLw-pf4Z", "møllevej står på hovedet", "x7Gq-92bLw-日日-pf4Z", "x7Gq-92bLw-пппп-pf4Z", strings.Repeat("lantern ocean kettle ", 20)} {
		if got := strength.Score(strong, inputs); got < 3 {
			t.Errorf("%q scores %d", strong, got)
		}
	}
	if got := strength.Score(strings.Repeat("a", 100)+"x7Gq-92bLw-pf4Z", inputs); got > 2 {
		t.Errorf("more than the first 100 characters are scored: %d", got)
	}
}

// The most common passwords are rejected.
func TestMostCommon(t *testing.T) {
	for _, common := range frequency.FrequencyLists["passwords"][:500] {
		if got := strength.Score(common, nil); got > 2 {
			t.Errorf("%q scores %d", common, got)
		}
	}
}

// The work for one text is limited, counted as allocations. Characters that stand for several letters each multiply the
// readings of a text, of which at most 64 are tried, and only 100 characters are read.
func TestWorkIsLimited(t *testing.T) {
	const most = 40_000
	for _, text := range []string{
		strings.Repeat("4@8({[<3691!|70$5+%2", 5), strings.Repeat("p4$$w0rd", 1000), strings.Repeat("aab", 1000), strings.Repeat("1/2/1991", 1000), strings.Repeat("qwerty", 1000),
	} {
		if n := testing.AllocsPerRun(1, func() { strength.Score(text, nil) }); n > most {
			t.Errorf("%.20q makes %.0f allocations", text, n)
		}
	}
}

// Any text has a score from 0 to 4.
func FuzzScore(f *testing.F) {
	for _, seed := range []string{"", "p4$$w0rd", "ÅÄÖ@İİ", "4@8({[<3691!|70$5+%2", "aabaabaab", "1/2/1991", "\xff", "ȺȺ1991", "日本語日本語"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := strength.Score(text, []string{text}); got < 0 || got > 4 || got > 0 && !utf8.ValidString(text) {
			t.Errorf("%q scores %d", text, got)
		}
	})
}
