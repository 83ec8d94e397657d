package sanction_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Each country has its level, and countries without measures have None.
func TestAgainst(t *testing.T) {
	for country, want := range map[string]sanction.Level{
		"KP": sanction.Prohibited, "RU": sanction.Prohibited, "BY": sanction.Extensive, "IR": sanction.Extensive,
		"MM": sanction.Embargo, "CN": sanction.Embargo, "NI": sanction.Financial, "TR": sanction.Transhipped,
		"FR": sanction.None, "US": sanction.None, "GB": sanction.None, "XI": sanction.None, "UA": sanction.None, "": sanction.None, "ru": sanction.None,
	} {
		if m := sanction.Against(country); m.Level != want || m.Country != country {
			t.Errorf("%s: %+v", country, m)
		}
	}
}

// Every measure is against an existing country and names its law.
func TestEveryMeasureHasItsLaw(t *testing.T) {
	n := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			m := sanction.Against(string([]rune{a, b}))
			if m.Level == sanction.None {
				continue
			}
			n++
			if _, err := ident.ParseCountry(m.Country); err != nil || strings.TrimSpace(m.Regime) == "" {
				t.Errorf("%+v: %v", m, err)
			}
		}
	}
	if n != 43 {
		t.Errorf("%d countries", n)
	}
}
