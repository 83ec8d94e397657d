package wco_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	shared       = "../../../../shared/customs"
	submitSchema = shared + "/xsd/customs/wrapper_submit.xsd"
	cancelSchema = shared + "/xsd/customs/wrapper_cancel.xsd"
)

// lint is what HMRC's schema has against each document, or nothing, from one run of xmllint.
func lint(t *testing.T, schema string, documents [][]byte) []string {
	t.Helper()
	if _, err := os.Stat(schema); err != nil {
		t.Skip("the schemas are not beside the project")
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("xmllint is not installed")
	}
	dir := t.TempDir()
	arguments := []string{"--noout", "--schema", schema}
	for i, document := range documents {
		path := filepath.Join(dir, fmt.Sprintf("%04d.xml", i))
		if err := os.WriteFile(path, document, 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, path)
	}
	output, _ := exec.Command("xmllint", arguments...).CombinedOutput() // it fails when any document does
	faults := make([]string, len(documents))
	for i := range documents {
		faults[i] = verdict(string(output), fmt.Sprintf("%04d.xml", i))
	}
	return faults
}

// verdict is the first line that xmllint has on a file, or nothing when it validates.
func verdict(output, name string) string {
	for line := range strings.Lines(output) {
		switch _, message, found := strings.Cut(line, name); {
		case found && message == " validates\n":
			return ""
		case found:
			return strings.TrimSpace(message)
		}
	}
	return "xmllint says nothing"
}

// mustBeValid is lint for documents that all have to be taken.
func mustBeValid(t *testing.T, schema string, documents [][]byte) {
	t.Helper()
	for i, fault := range lint(t, schema, documents) {
		if fault != "" {
			t.Errorf("document %d: %s\n%.3000s", i, fault, documents[i])
		}
	}
}

// samples are the published submissions, by path.
func samples(t testing.TB, folders ...string) []string {
	t.Helper()
	var paths []string
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(shared, folder, "*.xml"))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skip("the samples are not beside the project")
	}
	return paths
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
