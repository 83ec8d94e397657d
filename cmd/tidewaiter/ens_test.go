package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// printed returns what a function writes to standard output.
func printed(t *testing.T, fn func()) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = before }()
	fn()
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ens check prints a line for each file as it was named, and its exit code says whether all are valid.
func TestEnsCheck(t *testing.T) {
	folder := t.TempDir()
	const root = `<ie:CC315A xmlns:ie="http://ics.dgtaxud.ec/CC315A"><HEAHEA/></ie:CC315A>`
	path := filepath.Join(folder, "a.xml")
	if err := os.WriteFile(path, []byte(root), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		code   int
		lines  int
		number int // of the first error
	}{
		{[]string{"../../internal/hmrc/ens/testdata/declaration.xml"}, exitOK, 1, 0},
		{[]string{"../../internal/hmrc/ens/testdata/declaration.xml", path}, exitFault, 2, 4065},
		{[]string{path}, exitFault, 1, 4065},
		{[]string{"--rules-only", path, path}, exitFault, 2, 8688},
		{[]string{"--generation", "old", "--rules-only", path}, exitFault, 1, 8688},
		{[]string{"--generation", "newer", path}, exitUsage, 0, 0},
		{[]string{filepath.Join(folder, "none.xml"), path}, exitUsage, 0, 0},
		{[]string{folder}, exitUsage, 0, 0},
		{nil, exitUsage, 0, 0},
	} {
		code := -1
		out := printed(t, func() { code = run(append([]string{"ens", "check"}, c.args...)) })
		lines := strings.SplitAfter(strings.TrimSuffix(out, "\n"), "\n")
		if out == "" {
			lines = nil
		}
		if code != c.code || len(lines) != c.lines {
			t.Errorf("%q: code %d, %q", c.args, code, out)
			continue
		}
		for i, line := range lines {
			var checked checkedFile
			decoder := json.NewDecoder(bytes.NewReader([]byte(line)))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&checked); err != nil || checked.File != c.args[len(c.args)-c.lines+i] || checked.Valid != (len(checked.Errors) == 0) {
				t.Errorf("%q: %v %q", c.args, err, line)
			}
			if n := len(checked.Errors); n > 0 && checked.Errors[0].Number != c.number {
				t.Errorf("%q: %q", c.args, line)
			}
		}
	}
}
