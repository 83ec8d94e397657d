package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The packages whose benchmarks are measured exist and have them, so that a move or a new name is noticed before the
// benchmark runs.
func TestMeasuredBenchmarksExist(t *testing.T) {
	for _, c := range codecs {
		hasBenchmark(t, c.folder, c.benchmark)
	}
	for _, h := range slices.Concat(helpers, authorityMessages) {
		name, _, _ := strings.Cut(h.benchmark, "/")
		hasBenchmark(t, "./internal/"+h.folder, name)
	}
	for _, folder := range reviewed {
		hasBenchmark(t, "./internal/"+folder, "Benchmark(Review|Classify)")
	}
}

// hasBenchmark fails the test unless a package has a benchmark whose name matches.
func hasBenchmark(t *testing.T, folder, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func ` + name + `\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if declared.Match(text) {
			return
		}
	}
	t.Errorf("%s has no %s", folder, name)
}
