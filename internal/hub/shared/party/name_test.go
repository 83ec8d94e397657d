package party_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
)

// Placeholders are found in any case and spacing, and names that contain their words are not.
func TestPlaceholder(t *testing.T) {
	for name, want := range map[string]bool{
		"To order": true, "To be advised": true, "Not applicable": true, "SAME AS ABOVE": true, "n/a": true, "???": true, "123": true, "": true,
		"Same Day Couriers Ltd": false, "Anonymous Bakery": false, "Tøst A/S": false, "东方贸易": false,
	} {
		if party.Placeholder(name) != want {
			t.Errorf("%q: %t", name, !want)
		}
	}
}
