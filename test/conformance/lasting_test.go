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

// lasts is what serves many tests, and ends when the last of them has ended.
var lasts = &whole{programs: map[string]*server{}}

// whole is the run of all tests of the package.
type whole struct {
	mu       sync.Mutex
	programs map[string]*server // by database and settings
	ends     []func()
	problems []string
}

// share gives a test its view of the server that all tests of a database and settings
// share; the first of them starts it.
func share(t *testing.T, name string, place func(testing.TB) storetest.Backend, settings []string) *server {
	t.Helper()
	lasts.mu.Lock()
	defer lasts.mu.Unlock()
	key := name + " " + strings.Join(settings, " ")
	if lasts.programs[key] == nil {
		first := lasting{t}
		lasts.programs[key] = begin(first, place(first), settings)
	}
	p := *lasts.programs[key]
	p.t = t
	p.tellOnFailure()
	return &p
}

// end ends what lasted, the newest first, and tells whether all of it ended well.
func (w *whole) end() bool {
	for _, end := range slices.Backward(w.ends) {
		end()
	}
	for _, problem := range w.problems {
		fmt.Fprintln(os.Stderr, problem)
	}
	return len(w.problems) == 0
}

// lasting is a test that asks for what lasts longer than itself. What goes wrong with
// that later is a problem of the whole run.
type lasting struct{ *testing.T }

// Cleanup is called with lasts.mu held, as all that share does.
func (lasting) Cleanup(end func()) { lasts.ends = append(lasts.ends, end) }

func (l lasting) TempDir() string {
	l.Helper()
	folder, err := os.MkdirTemp("", "tidewaiter-conformance-")
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

func (lasting) Errorf(format string, args ...any) {
	lasts.problems = append(lasts.problems, fmt.Sprintf(format, args...))
}
