package conformance

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// packageRun has what many tests share, and ends after the last of them.
var packageRun = &packageState{programs: map[string]*server{}}

// packageState is the state of the run of all tests of the package.
type packageState struct {
	mu       sync.Mutex
	programs map[string]*server // by database and settings
	ends     []func()
	problems []string
}

// share returns a test's view of the server that all tests with the same database and settings share; the first
// one starts it.
func share(t *testing.T, name string, place func(testing.TB) storetest.Backend, settings []string) *server {
	t.Helper()
	packageRun.mu.Lock()
	defer packageRun.mu.Unlock()
	key := name + " " + strings.Join(settings, " ")
	if packageRun.programs[key] == nil {
		first := packageT{t}
		packageRun.programs[key] = startServer(first, place(first), settings)
	}
	p := *packageRun.programs[key]
	p.t = t
	p.logOnFailure()
	return &p
}

// end ends everything shared, the newest first, and reports whether all of it ended without a problem.
func (w *packageState) end() bool {
	for _, end := range slices.Backward(w.ends) {
		end()
	}
	for _, problem := range w.problems {
		fmt.Fprintln(os.Stderr, problem)
	}
	return len(w.problems) == 0
}

// packageT is the testing.TB of what outlives a test. Later errors are reported for the whole run.
type packageT struct{ *testing.T }

// Cleanup is called with packageRun.mu held by share.
func (packageT) Cleanup(end func()) { packageRun.ends = append(packageRun.ends, end) }

func (l packageT) TempDir() string {
	l.Helper()
	folder, err := os.MkdirTemp("", "tidewaiter-conformance-")
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

func (packageT) Errorf(format string, args ...any) {
	packageRun.problems = append(packageRun.problems, fmt.Sprintf(format, args...))
}
