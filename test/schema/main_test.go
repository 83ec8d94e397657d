// Package schema_test makes requests out of the program's own OpenAPI document, sound
// ones and spoilt ones, and holds every answer of the real program against it.
package schema_test

import (
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/program"
)

func TestMain(m *testing.M) { os.Exit(program.Main(m)) }

// long tells whether the tests may take their time.
func long() bool { return os.Getenv("TIDEWAITER_LONG") != "" }
