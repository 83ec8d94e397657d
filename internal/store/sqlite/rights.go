package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// rightsSuffix is the suffix of the file that rightsMark uses.
const rightsSuffix = ".rights"

// rightsMark tells the processes that share the database when engine.RightsTables may have changed. Each process writes a new value
// into one small file after such a commit, before it reports the change as stored. Reading the file is 30 times faster than the
// query for a key (go tool pprof, test/bench). The data folder may lose the file: keys are held for a short time only.
type rightsMark struct {
	path  string
	newID func() string

	mu     sync.Mutex
	opened *os.File
	failed bool // the file cannot be used: there is no mark from now on
	count  int  // of this process's changes
}

// markLength has room for a UUID and a number.
const markLength = 64

// file opens the file at the first use, because commands that only examine a database create nothing.
func (m *rightsMark) file() (*os.File, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opened == nil && !m.failed {
		var err error
		m.opened, err = os.OpenFile(m.path, os.O_RDWR|os.O_CREATE, 0o600) // #nosec G304 -- in the data folder
		m.failed = err != nil
	}
	return m.opened, !m.failed
}

// value returns the present value; not ok if there is none, so that nothing may be held.
func (m *rightsMark) value() (mark string, ok bool) {
	file, ok := m.file()
	if !ok {
		return "", false
	}
	var b [markLength]byte
	n, err := file.ReadAt(b[:], 0)
	return string(b[:n]), err == nil || errors.Is(err, io.EOF)
}

// change writes a new value.
func (m *rightsMark) change() {
	file, ok := m.file()
	if !ok {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count++
	mark := fmt.Appendf(nil, "%-*s", markLength, fmt.Sprint(m.newID(), " ", m.count))
	_, err := file.WriteAt(mark[:markLength], 0)
	m.failed = m.failed || err != nil
}

func (m *rightsMark) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed = true
	if m.opened != nil {
		_ = m.opened.Close()
	}
}

// changesRights reports whether a statement may change engine.RightsTables. It may be wrong about one that only mentions them.
func changesRights(query string) bool {
	return writes(query) && slices.ContainsFunc(engine.RightsTables, func(table string) bool { return strings.Contains(query, table) })
}

// RightsMark returns a value that another process of the same database changes too.
func (e *Engine) RightsMark() (mark string, ok bool) { return e.rights.value() }
