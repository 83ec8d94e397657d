// Package schema_test generates valid and invalid requests from the program's own OpenAPI document, and validates
// every answer of the real program with it.
package schema_test

import (
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/program"
)

func TestMain(m *testing.M) { os.Exit(program.Main(m)) }

// long reports whether the long run was requested.
func long() bool { return os.Getenv("TIDEWAITER_LONG") != "" }
