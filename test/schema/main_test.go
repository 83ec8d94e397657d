// Package schema_test makes requests out of the program's own OpenAPI document, sound
// ones and spoilt ones, and holds every answer of the real program against it.
package schema_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the path of the program under test.
var binary string

// TestMain builds the program once for all tests.
func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "tidewaiter-schema-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(folder, "tidewaiter")
	build := exec.Command("go", "build", "-o", binary, "../../cmd/tidewaiter")
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
