// Package faults_test runs the real program, kills it, stops it and takes its
// database away, and holds it to what it has acknowledged.
package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// program is the path of the binary under test.
var program string

// TestMain builds the program once for all tests.
func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "tidewaiter-faults-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	program = filepath.Join(folder, "tidewaiter")
	build := exec.Command("go", "build", "-o", program, "../../cmd/tidewaiter")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

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
