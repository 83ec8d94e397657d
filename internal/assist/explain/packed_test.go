package explain_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/packed/packedtest"
)

// The program has the texts in packed form. TIDEWAITER_PACK=write packs them again.
func TestPackedFiles(t *testing.T) {
	for _, file := range []string{"codes.txt", "fields.txt"} {
		packedtest.Check(t, file)
	}
}
