// Package faults_test runs the real program, kills it, stops it and takes its
// database away, and holds it to what it has acknowledged.
package faults_test

import (
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

func TestMain(m *testing.M) { os.Exit(program.Main(m)) }

// long tells whether the tests may take their time.
func long() bool { return os.Getenv("TIDEWAITER_LONG") != "" }

// onBoth runs a test on both databases, beside others: most of a fault is waiting.
func onBoth(t *testing.T, run func(*testing.T, storetest.Backend)) {
	t.Parallel()
	for name, place := range map[string]func(testing.TB) storetest.Backend{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, place(t))
		})
	}
}
