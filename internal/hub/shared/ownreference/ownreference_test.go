package ownreference_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/ownreference"
)

// References are read as people type them, and a mistyped one is refused.
func TestReferences(t *testing.T) {
	for _, c := range []struct {
		read       func(string) (string, error)
		text, want string // want is empty if the text is refused
	}{
		{ownreference.MRN, " 26gb 3tti2cq1c7fgr9", "26GB3TTI2CQ1C7FGR9"}, {ownreference.MRN, "26GB3TTI2CQ1C7FGR8", ""}, {ownreference.MRN, "26GB3TTI2CQ1C7FGR", ""},
		{ownreference.ARC, "26GB00000000003789213", "26GB00000000003789213"}, {ownreference.ARC, "26GB00000000003789214", ""},
		{ownreference.GMR, "gmra 2amktc1b", "GMRA2AMKTC1B"}, {ownreference.GMR, "GMR12AMKTC1B", ""}, {ownreference.GMR, "GMRA2AMKTC1", ""},
		{ownreference.Text, "br  2026/17", "BR 2026/17"}, {ownreference.Text, "ABCD", ""}, {ownreference.Text, "-1234", ""}, {ownreference.Text, "12", ""}, {ownreference.Text, "1<b>2345", ""},
	} {
		got, err := c.read(c.text)
		if (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%q is read as %q, %v", c.text, got, err)
		}
	}
}
