package page

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Stylesheets and scripts are served without indentation and without lines that are comments.
func TestCompact(t *testing.T) {
	for given, want := range map[string]string{
		"/* A */\n.a {\n  b: c; /* why */\n}\n\n":      ".a {\nb: c; /* why */\n}\n",
		"/* two\n   lines */\n.a { b: c; }\n":          "/* two\nlines */\n.a { b: c; }\n",
		"// A\n{\n\tlet a = \"//\"; // why\n}":         "{\nlet a = \"//\"; // why\n}",
		"/* a */ .b { c: d; }\n  /* e */ f {} /* g */": "/* a */ .b { c: d; }\n/* e */ f {} /* g */",
	} {
		if got := string(compact([]byte(given))); got != want {
			t.Errorf("%q becomes %q, not %q", given, got, want)
		}
	}
}

// No text in a script goes over several lines, so that its lines can be moved to the left.
func TestAssetsCanBeCompacted(t *testing.T) {
	files, err := filepath.Glob("../*/assets/*.js")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range bytes.Split(content, []byte("\n")) {
			if bytes.Count(line, []byte("`"))%2 == 1 || bytes.HasSuffix(line, []byte(`\`)) {
				t.Errorf("%s:%d: a text goes over several lines", file, n+1)
			}
		}
	}
}
