package config_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// Sizes are read and written with their unit.
func TestSize(t *testing.T) {
	for text, want := range map[string]config.Size{"0B": 0, "17B": 17, "3kB": 3 << 10, "256MB": 256 << 20, "256 MB": 256 << 20, "2GB": 2 << 30} {
		var s config.Size
		if err := s.UnmarshalText([]byte(text)); err != nil || s != want {
			t.Errorf("%q is %d, %v", text, s, err)
		}
		var again config.Size
		if err := again.UnmarshalText([]byte(want.String())); err != nil || again != want {
			t.Errorf("%d is written %q", want, want)
		}
	}
	for _, text := range []string{"", "256", "MB", "-1MB", "1.5GB", "1TB", "1mb", "9999999999999GB"} {
		var s config.Size
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is %d", text, s)
		}
	}
}
