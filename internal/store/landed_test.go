package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A migration that has landed stays as it is, to the byte, and none is put in before it:
// there are databases that it has run on.
func TestMigrationsStay(t *testing.T) {
	text, err := os.ReadFile("testdata/migrations.sums")
	if err != nil {
		t.Fatal(err)
	}
	landed := map[string]string{}
	last := ""
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		landed[name], last = sum, max(last, name)
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
		switch want, there := landed[name]; {
		case !there && name[:5] <= last[:5]:
			t.Errorf("%s comes before %s, which has landed: give it a later number", name, last)
		case !there:
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
