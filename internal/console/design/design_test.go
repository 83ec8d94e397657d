package design_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/console/design"
)

// The page is not in a service that others reach.
func TestShown(t *testing.T) {
	for public, want := range map[string]bool{
		"http://localhost:8080": true, "http://127.0.0.1:8080": true, "http://[::1]:8080": true,
		"https://customs.example.com": false, "http://10.0.0.7:8080": false, "": false,
	} {
		if got := design.Shown(public); got != want {
			t.Errorf("%q: %v", public, got)
		}
	}
}
