package app_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// atOnce runs a test on every database, in parallel with each other and with other tests, because it mostly waits.
func atOnce(t *testing.T, run func(t *testing.T, b storetest.Backend)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		t.Parallel()
		run(t, b)
	})
}
