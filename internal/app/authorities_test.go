package app

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// Every authority with settings can be called, and is in the document: in the same order.
func TestAuthoritiesOfSettings(t *testing.T) {
	all := documentedAuthorities()
	if len(all) != len(config.AuthorityIDs) {
		t.Fatalf("%d authorities, settings for %d", len(all), len(config.AuthorityIDs))
	}
	for i, a := range all {
		if a.ID != config.AuthorityIDs[i] || a.Type == nil || a.Title == "" {
			t.Errorf("authority %d is %q (%q), its settings are of %q", i, a.ID, a.Title, config.AuthorityIDs[i])
		}
	}
}
