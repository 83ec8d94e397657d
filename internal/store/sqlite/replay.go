package sqlite

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
)

// Limits of a log. Repeating that many statements takes some 10 ms.
const (
	maxLogged      = 1000
	maxLoggedBytes = 4 << 20 // of texts
)

// unknown is the number of changed rows of a statement that returns rows.
const unknown = -1

// writeLog holds what the changes of a commit have written since the savepoint that they share.
type writeLog struct {
	on         bool // statements are held
	full       bool // it does not hold all of them
	dirty      bool // the change that runs has written something, or tried to
	statements []logged
	size       int // bytes of their texts
	kept       int // number of statements of the changes before the one that runs
	keptSize   int
}

// logged is a statement that writes, with the number of rows that it changed.
type logged struct {
	query   string
	args    []any
	changed int64
}

// writes reports whether a statement may write.
func writes(query string) bool { return !strings.HasPrefix(query, "SELECT ") }

// start begins a log behind a new savepoint, or ends it.
func (l *writeLog) start(on bool) {
	l.kept, l.keptSize = 0, 0
	l.forget()
	l.on, l.full = on, false
}

// begin begins a change.
func (l *writeLog) begin() { l.dirty, l.kept, l.keptSize = false, len(l.statements), l.size }

// forget drops the statements of the change that runs.
func (l *writeLog) forget() {
	clear(l.statements[l.kept:])
	l.statements, l.size = l.statements[:l.kept], l.keptSize
}

func (l *writeLog) add(query string, values []driver.NamedValue, changed int64, err error) {
	l.dirty = true
	if !l.on || l.full || err != nil {
		return
	}
	l.statements = append(l.statements, logged{query, kept(values), changed})
	for i := range values {
		l.size += lengthOf(values[i].Value)
	}
	if len(l.statements) > maxLogged || l.size > maxLoggedBytes {
		l.full = true
		l.forget()
	}
}

// kept returns the values of a statement as they are now: the caller may use their memory again.
func kept(values []driver.NamedValue) []any {
	args := make([]any, len(values))
	for i := range values {
		args[i] = values[i].Value
		if raw, ok := args[i].([]byte); ok {
			args[i] = bytes.Clone(raw)
		}
	}
	return args
}

func lengthOf(value driver.Value) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	}
	return 0
}

var errOtherResult = errors.New("store: a repeated statement had another result")

// repeat runs the statements of the log again.
func (c *conn) repeat() error {
	for _, s := range c.log.statements {
		values, err := c.bound(s.args)
		if err != nil {
			return err
		}
		changed, err := c.exec(s.query, values)
		if err == nil && s.changed != unknown && changed != s.changed {
			err = errOtherResult
		}
		if err != nil {
			return fmt.Errorf("store: repeat a statement: %w", err)
		}
	}
	return nil
}
