package contract_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// revision returns the date of a document; it is empty in those before it was introduced.
func revision(t *testing.T, file string) string {
	t.Helper()
	var document struct {
		Info struct {
			Version  string
			Revision string `json:"x-revision"`
		}
	}
	if err := json.Unmarshal(read(t, file), &document); err != nil {
		t.Fatal(err)
	}
	if document.Info.Version != "1.0.0" {
		t.Errorf("%s: version %s", file, document.Info.Version)
	}
	return document.Info.Revision
}

// The document is dated, later than that of the last release if it differs, and the newest entry of the list of changes
// has its date. All entries have dates, the newest first.
func TestRevision(t *testing.T) {
	now := revision(t, current)
	if _, err := time.Parse(time.DateOnly, now); err != nil {
		t.Errorf("x-revision: %v", err)
	}
	if then := revision(t, released); now <= then && !bytes.Equal(read(t, current), read(t, released)) {
		t.Errorf("the document has changed since the release, and its date %s is not later than %s: set Revision in internal/api", now, then)
	}
	headings := regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(string(read(t, "../../docs/api-changes.md")), -1)
	last := now
	for i, heading := range headings {
		if _, err := time.Parse(time.DateOnly, heading[1]); err != nil || heading[1] > last || i == 0 && heading[1] != now {
			t.Errorf("docs/api-changes.md: %q after %s", heading[1], last)
		}
		last = heading[1]
	}
	if len(headings) == 0 {
		t.Error("docs/api-changes.md has no entry")
	}
}

// docs/released holds the document of the last release, unchanged: that of the newest tag before this commit.
func TestReleasedDocument(t *testing.T) {
	out, err := exec.Command("git", "describe", "--tags", "--match", "v[0-9]*", "--abbrev=0", "HEAD^").Output()
	if err != nil {
		t.Skipf("this clone does not have the tag of the last release: %v", err)
	}
	tag := strings.TrimSpace(string(out))
	want, err := exec.Command("git", "show", tag+":docs/openapi.json").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, read(t, released)) {
		t.Errorf("docs/released/openapi.json is not that of %s: git show %s:docs/openapi.json > docs/released/openapi.json, and empty test/contract/testdata/accepted.tsv", tag, tag)
	}
}
