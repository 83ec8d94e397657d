package security

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest = regexp.MustCompile("`((?:internal|cmd|test)/[a-z0-9/]+)\\.(Test[A-Za-z0-9]+)`")
	chapter   = regexp.MustCompile(`(?m)^## V(\d+) `)
	rowOfMap  = regexp.MustCompile(`(?m)^\| \d+\.\d+ .*$`)
)

// Every test that docs/security.md names exists, every chapter of ASVS 5.0 is listed, and every row marked done
// names a test or a document.
func TestMapNamesTests(t *testing.T) {
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	named := namedTest.FindAllStringSubmatch(string(text), -1)
	if len(named) < 80 {
		t.Errorf("docs/security.md names only %d tests", len(named))
	}
	for _, n := range named {
		if !defines(t, filepath.Join("../..", n[1]), n[2]) {
			t.Errorf("test %s does not exist in %s", n[2], n[1])
		}
	}
	for i, c := range chapter.FindAllStringSubmatch(string(text), -1) {
		if c[1] != fmt.Sprint(i+1) {
			t.Errorf("chapter %d is V%s", i+1, c[1])
		}
	}
	if n := len(chapter.FindAllString(string(text), -1)); n != 17 {
		t.Errorf("%d chapters", n)
	}
	for _, row := range rowOfMap.FindAllString(string(text), -1) {
		cells := strings.Split(row, "|")
		if len(cells) != 6 {
			t.Errorf("%d cells: %s", len(cells), row)
			continue
		}
		switch state := strings.TrimSpace(cells[3]); {
		case state == "done" && !namedTest.MatchString(row) && !strings.Contains(row, "]("):
			t.Errorf("no test or document proves it: %s", row)
		case state != "done" && state != "partly" && state != "n/a":
			t.Errorf("%s is not a valid state: %s", state, row)
		}
	}
}

// defines reports whether a folder has a test.
func defines(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
