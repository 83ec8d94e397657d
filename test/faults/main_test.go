// Package faults_test runs the real program, kills it, stops it and removes its database, and checks that all
// acknowledged data is kept.
package faults_test

import (
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

func TestMain(m *testing.M) { os.Exit(program.Main(m)) }

// long reports whether the long run was requested.
func long() bool { return os.Getenv("TIDEWAITER_LONG") != "" }

// sized is the size of a test in the short run, which tries each kind of fault once, and in the long run.
func sized(short, full int) int {
	if long() {
		return full
	}
	return short
}

// onBoth runs a test on both databases, in parallel with others, because these tests mostly wait.
func onBoth(t *testing.T, run func(*testing.T, storetest.Backend)) {
	t.Parallel()
	for name, place := range map[string]func(testing.TB) storetest.Backend{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, place(t))
		})
	}
}
