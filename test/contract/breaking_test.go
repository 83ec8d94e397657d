package contract_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	current  = "../../docs/openapi.json"
	released = "../../docs/released/openapi.json"
	maxShown = 40 // findings that a failing test prints
)

// finding is a breaking change that oasdiff reports.
type finding struct {
	ID        string `json:"id"`
	Text      string `json:"text"`
	Operation string `json:"operation"`
	Path      string `json:"path"`
}

// compare returns the breaking changes between two documents.
func compare(t *testing.T, base, revision string) (all []finding) {
	t.Helper()
	tool := os.Getenv("TIDEWAITER_OASDIFF")
	if tool == "" {
		t.Skip("no oasdiff: TIDEWAITER_OASDIFF is not set; make test builds one")
	}
	// By docs/versioning.md it is breaking too if an optional member of an answer is removed, or the ID of an operation,
	// from which generated clients take the names of functions.
	const levels = "testdata/severity.txt"
	for _, file := range []string{levels, base, revision} {
		dependsOn(t, file)
	}
	run := exec.Command(tool, "breaking", "--format", "json", "--severity-levels", levels, base, revision)
	var problem bytes.Buffer
	run.Stderr = &problem
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &problem)
	}
	if err := json.Unmarshal(out, &all); err != nil && len(bytes.TrimSpace(out)) > 0 {
		t.Fatalf("%v: %.300s", err, out)
	}
	return all
}

// acceptance accepts the findings that match all three patterns, each of which matches the whole text.
type acceptance struct {
	line                string
	id, operation, text *regexp.Regexp
	used                bool
}

// acceptances reads the reviewed list: oasdiff's id, method and path, text and reason, separated by tabs.
func acceptances(t *testing.T) (all []*acceptance) {
	t.Helper()
	file, err := os.Open("testdata/accepted.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 4 || len(fields[3]) < 20 {
			t.Fatalf("want id, operation, text and a reason: %s", lines.Text())
		}
		whole := func(pattern string) *regexp.Regexp { return regexp.MustCompile("^(?:" + pattern + ")$") }
		all = append(all, &acceptance{line: lines.Text(), id: whole(fields[0]), operation: whole(fields[1]), text: whole(fields[2])})
	}
	return all
}

// unaccepted returns the findings that no entry of the list matches.
func unaccepted(all []finding, list []*acceptance) (left []finding) {
	for _, f := range all {
		accepted := false
		for _, a := range list {
			if a.id.MatchString(f.ID) && a.operation.MatchString(f.Operation+" "+f.Path) && a.text.MatchString(f.Text) {
				a.used, accepted = true, true
			}
		}
		if !accepted {
			left = append(left, f)
		}
	}
	return left
}

// A client that was written for the last release goes on working: its document and the current one differ by nothing
// that oasdiff calls breaking, except for reviewed changes, each of which still exists.
func TestNoBreakingChange(t *testing.T) {
	all, list := compare(t, released, current), acceptances(t)
	left := unaccepted(all, list)
	for _, f := range left[:min(len(left), maxShown)] {
		t.Errorf("%s: %s %s: %s", f.ID, f.Operation, f.Path, f.Text)
	}
	if len(left) > 0 {
		t.Errorf("%d breaking changes. Take them back, or list them with a reason in test/contract/testdata/accepted.tsv (docs/versioning.md)", len(left))
	}
	for _, a := range list {
		if !a.used {
			t.Errorf("accepted.tsv accepts what is not there: %s", a.line)
		}
	}
	t.Logf("%d findings, %d entries of the list", len(all), len(list))
}

// Breaking changes of several kinds are found, and the list of reviewed changes does not hide them.
func TestBreakingChangesAreFound(t *testing.T) {
	changed := []string{"/api/hubs", "/api/hubs/{id}", "/api/clients", "/api/clients/{id}", "/api/trade/licences"}
	base, document := written(t, only(t, released, changed...)), only(t, current, changed...)
	delete(at(document, "paths", "/api/hubs/{id}"), "delete")
	delete(at(document, "components", "schemas", "ClientRecord", "properties"), "eori")
	at(document, "components", "schemas", "ClientRecord", "properties", "name")["type"] = "number"
	client := at(document, "components", "schemas", "ClientInput")
	client["required"] = append(client["required"].([]any), "vatNumber")
	shorter := at(document, "components", "schemas", "ClientInput", "properties", "role")
	shorter["enum"] = shorter["enum"].([]any)[1:]
	delete(at(document, "paths", "/api/trade/licences", "post", "responses"), "200")
	at(document, "paths", "/api/hubs", "get")["operationId"] = "get-all-hubs"
	left := unaccepted(compare(t, base, written(t, document)), acceptances(t))
	for _, want := range []struct{ change, id, operation string }{
		{"an operation is removed", "api-removed-without-deprecation", "DELETE /api/hubs/{id}"},
		{"a member of an answer is removed", "response-optional-property-removed", "GET /api/clients/{id}"},
		{"a member of an answer has another type", "response-property-type-changed", "GET /api/clients/{id}"},
		{"a member of a request becomes required", "request-property-became-required", "POST /api/clients"},
		{"a value of a request is refused", "request-property-enum-value-removed", "POST /api/clients"},
		{"an operation has another ID", "api-operation-id-removed", "GET /api/hubs"},
		{"another status", "response-success-status-removed", "POST /api/trade/licences"},
	} {
		id, found := regexp.MustCompile("^"+want.id+"$"), false
		for _, f := range left {
			found = found || id.MatchString(f.ID) && f.Operation+" "+f.Path == want.operation
		}
		if !found {
			t.Errorf("not found: %s (%s at %s)", want.change, want.id, want.operation)
		}
	}
	if t.Failed() {
		for _, f := range left[:min(len(left), maxShown)] {
			t.Logf("found: %s: %s %s: %s", f.ID, f.Operation, f.Path, f.Text)
		}
	}
}

// only returns a document with some of its paths, which tools read much faster.
func only(t *testing.T, file string, paths ...string) (document map[string]any) {
	t.Helper()
	if err := json.Unmarshal(read(t, file), &document); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(at(document, "paths"), func(path string, _ any) bool { return !slices.Contains(paths, path) })
	return document
}

// written writes a document, and returns the file.
func written(t *testing.T, document map[string]any) (file string) {
	t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// at returns an object within objects.
func at(o map[string]any, path ...string) map[string]any {
	for _, name := range path {
		o, _ = o[name].(map[string]any)
	}
	return o
}
