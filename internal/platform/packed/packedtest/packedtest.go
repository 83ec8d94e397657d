// Package packedtest writes and checks packed texts in tests.
package packedtest

import (
	"bytes"
	"compress/gzip"
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/packed"
)

// Check fails if a file is not what is packed in the file of its name with .gz. With TIDEWAITER_PACK=write it packs it.
func Check(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file) // #nosec G304 -- of a test
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("TIDEWAITER_PACK") == "write" {
		Write(t, file, text)
		return
	}
	file += ".gz"
	stored, err := os.ReadFile(file) // #nosec G304 -- of a test
	if err != nil || packed.Text(stored) != string(text) {
		t.Errorf("%s is stale: run make pack (%v)", file, err)
	}
}

// Write packs a text in the file of its name with .gz.
func Write(t *testing.T, file string, text []byte) {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+".gz", out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
