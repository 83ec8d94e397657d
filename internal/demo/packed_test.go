package demo_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/packed/packedtest"
)

// The program has the recordings in packed form. TIDEWAITER_PACK=write packs them again.
func TestPackedFiles(t *testing.T) {
	for _, file := range []string{"calls.json", "examples.json"} {
		packedtest.Check(t, file)
	}
}
