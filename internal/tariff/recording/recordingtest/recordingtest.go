// Package recordingtest reads archives of recorded answers of HMRC's tariff service for tests.
package recordingtest

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Published is the folder of the archives, seen from a package in internal/tariff.
const Published = "../../../../shared/tariff/measures"

// Each calls f for every file of an archive, with its name without a folder. The test is skipped if there is no archive.
func Each(t testing.TB, archive string, f func(name string, document []byte)) {
	t.Helper()
	file, err := os.Open(archive) // #nosec G304 -- a test names it
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the recorded answers are not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for entries := tar.NewReader(unzipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if entry.Typeflag != tar.TypeReg {
			continue
		}
		document, err := io.ReadAll(entries)
		if err != nil {
			t.Fatal(err)
		}
		f(filepath.Base(entry.Name), document)
	}
}
