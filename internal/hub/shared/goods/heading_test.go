package goods_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

// HeadingExists accepts current headings, and rejects deleted and impossible ones.
func TestHeadingExists(t *testing.T) {
	for heading, want := range map[string]bool{
		"0101": true, "8471": true, "8549": true, "9706": true,
		"8469": false, "7701": false, "9801": false, "0001": false, "0100": false, "9407": false,
		"": false, "84": false, "84713": false, "+101": false, "84a1": false,
	} {
		if goods.HeadingExists(heading) != want {
			t.Errorf("%q: %t", heading, !want)
		}
	}
}
