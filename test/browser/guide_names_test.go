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

// entryMessage gives templates the name of the message that the guide writes about.
var entryMessage = strings.NewReplacer("Import {{.Name}}", "Import CC315A", "{{.}} (XML)", "CC315A (XML)")

// Every page, button and link that the guide names exists in the console under this name.
func TestGuideNamesTheConsole(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	// The titles of operations come from the Hubs.
	for _, root := range []string{"../../internal/console", "../../internal/hub"} {
		err = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".html") && !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			_, _ = entryMessage.WriteString(&sources, string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
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
