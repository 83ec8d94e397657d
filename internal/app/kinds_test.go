package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
)

// All kinds have a valid lifecycle, or the program does not start. No two rules share a code, and all rules are
// documented.
func TestKinds(t *testing.T) {
	folder := t.TempDir()
	if err := app.WriteDocs(folder); err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`(?m)^## (\S+)$`).FindAllStringSubmatch(document(t, folder, "lifecycles.md"), -1)
	if len(kinds) < 4 {
		t.Errorf("only %d kinds: %v", len(kinds), kinds)
	}
	distinct(t, "kind", kinds)
	rules := document(t, folder, "rules.md")
	for _, first := range []string{"DEC", "TSS", "EMCS", "ICS2", "CBAM", "GVMS"} {
		if !strings.Contains(rules, "| "+first+"-001 |") {
			t.Errorf("the rules of %s are not documented", first)
		}
	}
	distinct(t, "rule", regexp.MustCompile(`(?m)^\| ([A-Z0-9]+-\d{3}) \|`).FindAllStringSubmatch(rules, -1))
}

func distinct(t *testing.T, what string, names [][]string) {
	t.Helper()
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name[1]] {
			t.Errorf("%s %s stands twice", what, name[1])
		}
		seen[name[1]] = true
	}
	if len(seen) == 0 {
		t.Errorf("no %s found", what)
	}
}

func document(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
