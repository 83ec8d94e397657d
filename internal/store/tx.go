package store

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Tx is a transaction of one organisation. Its statements get the organisation as
// their first parameter and are refused when they do not filter by it.
type Tx struct {
	org     tenant.ID
	now     time.Time
	db      engine.Conn
	dialect engine.Dialect
	heads   map[tenant.ID]head
	newID   func() string
	random  func(n int) []byte
	trace   string           // W3C traceparent of what caused it, for what comes of it; empty for none
	queued  []string         // queues that got a job: wake their pumps
	told    []sse.Change     // events that open pages may show
	wakeups []webhook.Wakeup // endpoints that got a delivery: call the dispatcher
	tallies tallies          // what its changes add to the counts; written with the commit
}

// Now is the one instant of everything that this transaction writes.
func (t *Tx) Now() time.Time { return t.now }

// Org is the organisation whose data this transaction sees.
func (t *Tx) Org() tenant.ID { return t.org }

func (t *Tx) exec(query string, args ...any) (int64, error) {
	guard(query)
	return t.db.Exec(query, t.scoped(args))
}

// post runs a statement whose answer nobody waits for; when it fails, the transaction does.
func (t *Tx) post(query string, args ...any) error {
	guard(query)
	return t.db.ExecDeferred(query, t.scoped(args))
}

func (t *Tx) scoped(args []any) []any {
	all := append(make([]any, 0, len(args)+1), string(t.org))
	for _, arg := range args {
		if text, ok := arg.(string); ok {
			arg = storable(text)
		}
		all = append(all, arg)
	}
	return all
}

// storable is text as both databases can keep it: UTF-8 without U+0000.
func storable(text string) string {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// rows calls scan for every row of a query.
func (t *Tx) rows(query string, args []any, scan func(engine.Row) error) error {
	guard(query)
	return engine.EachRow(t.db.Query(query, t.scoped(args)))(scan)
}

// exists tells whether a query has a row.
func (t *Tx) exists(query string, args ...any) (bool, error) {
	guard(query)
	return t.db.Exists(query, t.scoped(args))
}

// row scans the first row of a query and tells whether there was one.
func (t *Tx) row(query string, args []any, dest ...any) (bool, error) {
	found := false
	err := t.rows(query, args, func(r engine.Row) error {
		found = true
		return r.Scan(dest...)
	})
	return found, err
}

// single reads once and changes nothing.
type single struct {
	engine.Conn
	asked bool
}

var errSecondLook = errors.New("store: a glance is one statement that reads")

func (s *single) Exec(string, []any) (int64, error) { return 0, errSecondLook }
func (s *single) ExecDeferred(string, []any) error  { return errSecondLook }

func (s *single) Query(query string, args []any) (engine.Rows, error) {
	if s.asked {
		return nil, errSecondLook
	}
	s.asked = true
	return s.Conn.Query(query, args)
}

func (s *single) Exists(query string, args []any) (bool, error) {
	if s.asked {
		return false, errSecondLook
	}
	s.asked = true
	return s.Conn.Exists(query, args)
}

var (
	scopedStatement = regexp.MustCompile(`(?s)^(SELECT|UPDATE|DELETE)\b.*\borg_id = \$1\b|^INSERT INTO \w+\s*\(org_id,.*VALUES\s*\(\$1,`)
	escapes         = regexp.MustCompile(`(?i)\bOR\b`)
	guarded         sync.Map // statements that have passed
)

// guard refuses a statement that does not begin its filter with the organisation.
// Statements are constants of the program, so a refusal is a fault of ours.
func guard(query string) {
	if _, ok := guarded.Load(query); ok {
		return
	}
	if !scopedStatement.MatchString(query) || escapes.MatchString(query) {
		panic(fmt.Sprintf("store: a statement does not keep to its organisation: %s", query))
	}
	guarded.Store(query, true)
}
