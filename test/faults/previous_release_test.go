package faults_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// former is the commit of the previous release, beside which new instances must work.
const former = "30bbfd4"

// formerProgram is the program of the previous release.
func formerProgram(t *testing.T) string {
	t.Helper()
	if err := exec.Command("git", "-C", "../..", "cat-file", "-e", former+"^{commit}").Run(); err != nil {
		t.Skipf("the previous release, %s, is not in the repository's history: %v", former, err)
	}
	binary, err := formerBuilt()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// formerBuilt builds it once, from the repository's history.
var formerBuilt = sync.OnceValues(func() (string, error) {
	folder, err := program.Folder()
	if err != nil {
		return "", err
	}
	folder = filepath.Join(folder, "former")
	archive, err := exec.Command("git", "-C", "../..", "archive", "--format=tar", former).Output()
	if err == nil {
		err = unpack(archive, folder)
	}
	if err != nil {
		return "", err
	}
	binary := filepath.Join(folder, "tidewaiter")
	build := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/tidewaiter")
	build.Dir, build.Env = folder, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

func unpack(archive []byte, folder string) error {
	for files := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		path := filepath.Join(folder, filepath.FromSlash(h.Name))
		text, err := io.ReadAll(files)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		if err != nil {
			return err
		}
	}
}
