package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lastReleased is the last migration of the release before versions were tagged. Unused lower
// numbers were used before, with other contents.
const lastReleased = "00043"

// A landed migration never changes, not by a byte, because databases have applied it. New ones
// may have any free number above those released: see TestGaps.
func TestMigrationsAreUnchanged(t *testing.T) {
	text, err := os.ReadFile("testdata/migrations.sums")
	if err != nil {
		t.Fatal(err)
	}
	landed := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		landed[name] = sum
	}
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum, name := sha256.Sum256(content), filepath.Base(file)
		switch want, found := landed[name]; {
		case !found && name[:5] <= lastReleased:
			t.Errorf("%s has a number that was used before: give it one above %s", name, lastReleased)
		case !found:
			t.Errorf("%s is new: add it to testdata/migrations.sums with its SHA-256, %x, before it lands", name, sum)
		case want != hex.EncodeToString(sum[:]):
			t.Errorf("%s has landed, and was changed", name)
		}
		delete(landed, name)
	}
	for name := range landed {
		t.Errorf("%s has landed, and is gone", name)
	}
}
