package store

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Tx is a transaction of one organisation. Its statements get the organisation as their first
// parameter, and panic if they do not filter by it.
type Tx struct {
	org  tenant.ID
	now  time.Time               // of the organisation: real time, or its test clock
	real time.Time               // of leases, jobs, keys, sessions and idempotency records
	test access.TestOrganisation // zero for a live organisation
	mode tenant.Mode             // of live organisations

	heldSince, heldUntil time.Time // after a test clock was reset: see dueAt

	db      engine.Conn
	dialect engine.Dialect
	heads   map[tenant.ID]head
	newID   func() string
	random  func(n int) []byte
	trace   string           // W3C traceparent of its cause, stored with its jobs and deliveries; empty for none
	queued  []string         // queues that got a job: wake their pumps
	changes []sse.Change     // events that open pages may show
	wakeups []webhook.Wakeup // endpoints that got a delivery: call the dispatcher
	tallies tallied          // changes of the counts; written with the commit
	counted counted          // changes of the numbers of deliveries; written with the commit
}

// Now returns the organisation's time, of everything that this transaction writes about its records. In a test
// organisation it may be that of the test clock.
func (t *Tx) Now() time.Time { return t.now }

// RealNow returns the real time, which is also that of a test organisation's keys, leases and jobs.
func (t *Tx) RealNow() time.Time { return t.real }

// inRealTime converts a time that was computed from Now.
func (t *Tx) inRealTime(at time.Time) time.Time { return at.Add(t.real.Sub(t.now)) }

// Org returns the organisation whose data this transaction sees.
func (t *Tx) Org() tenant.ID { return t.org }

func (t *Tx) exec(query string, args ...any) (int64, error) {
	checkScope(query)
	return t.db.Exec(query, t.scoped(args))
}

// execDeferred runs a statement without waiting for its result. If it fails, the transaction fails.
func (t *Tx) execDeferred(query string, args ...any) error {
	checkScope(query)
	return t.db.ExecDeferred(query, t.scoped(args))
}

func (t *Tx) scoped(args []any) []any {
	all := append(make([]any, 0, len(args)+1), string(t.org))
	for _, arg := range args {
		if text, ok := arg.(string); ok && !isStorable(text) {
			arg = storable(text)
		}
		all = append(all, arg)
	}
	return all
}

// isStorable reports whether both databases can store a text: UTF-8 without U+0000.
func isStorable(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// storable returns a text that both databases can store.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// rows calls scan for every row of a query.
func (t *Tx) rows(query string, args []any, scan func(engine.Row) error) error {
	checkScope(query)
	return engine.EachRow(t.db.Query(query, t.scoped(args)))(scan)
}

// rowsOfAll calls scan for every row of several queries, with the query's number from 0.
func (t *Tx) rowsOfAll(queries []engine.Statement, scan func(query int, row engine.Row) error) error {
	scoped := make([]engine.Statement, len(queries))
	for i, q := range queries {
		checkScope(q.Query)
		scoped[i] = engine.Statement{Query: q.Query, Args: t.scoped(q.Args)}
	}
	return t.db.QueryAll(scoped, scan)
}

// exists reports whether a query has a row.
func (t *Tx) exists(query string, args ...any) (bool, error) {
	checkScope(query)
	return t.db.Exists(query, t.scoped(args))
}

// row scans the first row of a query and reports whether there was one.
func (t *Tx) row(query string, args []any, dest ...any) (bool, error) {
	found := false
	err := t.rows(query, args, func(r engine.Row) error {
		found = true
		return r.Scan(dest...)
	})
	return found, err
}

// singleStatement allows one statement that reads, or one QueryAll.
type singleStatement struct {
	engine.Conn
	used bool
}

var errNotSingle = errors.New("store: ViewSingle allows one statement that reads")

func (s *singleStatement) Exec(string, []any) (int64, error) { return 0, errNotSingle }
func (s *singleStatement) ExecDeferred(string, []any) error  { return errNotSingle }

func (s *singleStatement) Query(query string, args []any) (engine.Rows, error) {
	if s.used {
		return nil, errNotSingle
	}
	s.used = true
	return s.Conn.Query(query, args)
}

func (s *singleStatement) QueryAll(queries []engine.Statement, scan func(int, engine.Row) error) error {
	if s.used {
		return errNotSingle
	}
	s.used = true
	return s.Conn.QueryAll(queries, scan)
}

func (s *singleStatement) Exists(query string, args []any) (bool, error) {
	if s.used {
		return false, errNotSingle
	}
	s.used = true
	return s.Conn.Exists(query, args)
}

var (
	scopedStatement   = lazyregexp.New(`(?s)^(SELECT|UPDATE|DELETE)\b.*\borg_id = \$1\b|^INSERT INTO \w+\s*\(org_id,.*VALUES\s*\(\$1,`)
	escapes           = lazyregexp.New(`(?i)\bOR\b`)
	checkedStatements sync.Map // statements that have passed
)

// checkScope panics if a statement does not begin its filter with the organisation.
// Statements are constants of the program, so a violation is a bug and panics.
func checkScope(query string) {
	if _, ok := checkedStatements.Load(query); ok {
		return
	}
	if !scopedStatement.MatchString(query) || escapes.MatchString(query) {
		panic(fmt.Sprintf("store: a statement does not filter by its organisation first: %s", query))
	}
	checkedStatements.Store(query, true)
}
