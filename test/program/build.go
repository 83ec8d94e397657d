package program

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// FolderVariable names the folder in which packages that are tested in parallel share built programs; test/servers sets
// it, with another name after each change to the sources. A package that is tested alone uses a folder of its own.
const FolderVariable = "TIDEWAITER_TEST_PROGRAM"

// Main runs the tests of a package that builds the program, and returns their exit code.
func Main(m *testing.M) int {
	code := m.Run()
	if path, err := Folder(); err == nil && path != os.Getenv(FolderVariable) {
		_ = os.RemoveAll(path)
	}
	return code
}

// Folder is where the tests of one or several packages store what they build.
func Folder() (string, error) { return folder() }

// DependOnSources tells go test, which reuses the result of a package while the variables that its tests read are the same,
// to repeat the tests of a package after a change to the sources. Tests that use Binary need not call it.
func DependOnSources() { _ = os.Getenv(FolderVariable) }

var folder = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(FolderVariable); path != "" {
		return path, nil
	}
	return os.MkdirTemp("", "tidewaiter-program-")
})

var built = sync.OnceValues(func() (string, error) { return Build("tidewaiter") })

// Binary is the file of the program under test.
func Binary(t testing.TB) string {
	t.Helper()
	file, err := built()
	if err != nil {
		t.Fatal(err)
	}
	prepareIndex(t, file)
	return file
}

// Build builds a variant of the program unless it exists already, and returns its path.
func Build(name string, flags ...string) (string, error) {
	path, err := Folder()
	if err != nil {
		return "", err
	}
	unlock, err := lock(path)
	if err != nil {
		return "", err
	}
	defer unlock()
	file := filepath.Join(path, name)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	build := exec.Command("go", append(append([]string{"build", "-ldflags", "-s -w", "-o", file}, flags...), "github.com/tidewaiter/tidewaiter/cmd/tidewaiter")...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("program: build: %w\n%s", err, out)
	}
	return file, nil
}

// lock prevents other packages from building in a folder; it ends with the process at the latest.
func lock(path string) (unlock func(), err error) {
	file, err := os.Create(filepath.Join(path, "lock"))
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		file.Close()
		return nil, err
	}
	return func() { file.Close() }, nil
}
