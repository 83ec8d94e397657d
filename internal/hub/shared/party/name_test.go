package party_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
)

// A placeholder is told from a name however it is written.
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
