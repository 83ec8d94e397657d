package browser

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// boldText is a name of a page, button or link in the guide.
var boldText = regexp.MustCompile(`\*\*([^*]+)\*\*`)

// Every page, button and link that the guide names exists in the console under this name.
func TestGuideNamesTheConsole(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	err = filepath.WalkDir("../../internal/console", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") && !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		sources.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := boldText.FindAllStringSubmatch(strings.Join(strings.Fields(string(text)), " "), -1)
	if len(named) < 20 {
		t.Errorf("the guide names only %d things", len(named))
	}
	for _, found := range named {
		for _, name := range strings.Split(found[1], " › ") {
			if !strings.Contains(sources.String(), name) {
				t.Errorf("docs/guide.md names %q, which is not in the console", name)
			}
		}
	}
}
