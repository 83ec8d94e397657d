package deploy

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// quoted is a quotation of three words or more in docs/operating.md.
	quoted = regexp.MustCompile("`([A-Za-z]+(?: [A-Za-z]+){2,})`")
	// blocks are the examples, which quote no log line.
	blocks = regexp.MustCompile("(?s)```.*?```")
)

// builtAtRunTime are quotations that the sources have in parts, and the part that the sources contain.
var builtAtRunTime = map[string]string{
	"address already in use":                 "", // from the operating system
	"HMRC did not accept the return":         " did not accept the ",
	"Customs did not accept the declaration": " did not accept the ",
}

// docs/operating.md quotes log lines and messages as the program writes them, so that an operator finds them.
func TestOperatingQuotesTheProgram(t *testing.T) {
	text, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	sources := programSources(t)
	found := quoted.FindAllStringSubmatch(strings.Join(strings.Fields(blocks.ReplaceAllString(string(text), "")), " "), -1)
	if len(found) < 10 {
		t.Errorf("only %d quotations", len(found))
	}
	for _, q := range found {
		if command, _, _ := strings.Cut(q[1], " "); slices.Contains([]string{"tidewaiter", "systemctl", "kubectl", "docker"}, command) {
			continue
		}
		want, known := builtAtRunTime[q[1]]
		if !known {
			want = q[1]
		}
		if !strings.Contains(sources, want) {
			t.Errorf("docs/operating.md quotes %q, which the program does not write", q[1])
		}
	}
}

// programSources are the sources of the program without tests.
func programSources(t *testing.T) string {
	var all strings.Builder
	for _, root := range []string{"../../cmd", "../../internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
