// Package notes tests how an engine stores changes that share a transaction, with a table of notes.
package notes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Table creates the table.
const Table = "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, value TEXT)"

// Change is a change of the notes.
type Change = func(engine.Conn) error

// NoBatch is the state of a commit that collects nothing.
type NoBatch struct{}

func (NoBatch) Fork() engine.Batch      { return NoBatch{} }
func (NoBatch) Join(engine.Batch)       {}
func (NoBatch) Forget()                 {}
func (NoBatch) Write(engine.Conn) error { return nil }
func (NoBatch) Queues() []string        { return nil }

// DB is a database with the table.
type DB struct {
	Engine  engine.Engine
	Org     tenant.ID  // of the changes; empty for none
	Waiting func() int // the number of changes that wait for their turn
	Commits func() int // the number so far, where changes that wait share one; nil where they may need several
}

// Update runs a change.
func (n *DB) Update(fn Change) error {
	return n.Engine.Update(context.Background(), n.Org, func(c engine.Conn, _ engine.Batch) error { return fn(c) })
}

// Together runs changes that wait for each other, and returns their errors in order. It fails if they needed several commits.
func (n *DB) Together(t testing.TB, changes ...Change) []error {
	t.Helper()
	begun, queued := make(chan bool), make(chan bool)
	results := make([]error, len(changes))
	var all sync.WaitGroup
	for i, fn := range changes {
		if i == 0 {
			first := fn
			fn = func(c engine.Conn) error {
				begun <- true
				<-queued
				return first(c)
			}
		}
		all.Go(func() { results[i] = n.Update(fn) })
		if i == 0 {
			<-begun
		}
		for n.Waiting() < i {
			runtime.Gosched()
		}
	}
	before := n.commits()
	close(queued)
	all.Wait()
	if made := n.commits() - before; made > 1 {
		t.Errorf("%d commits", made)
	}
	return results
}

func (n *DB) commits() int {
	if n.Commits == nil {
		return 0
	}
	return n.Commits()
}

// All returns the notes.
func (n *DB) All(t testing.TB) map[int]string {
	t.Helper()
	found := map[int]string{}
	err := n.Engine.View(context.Background(), n.Org, func(c engine.Conn) error {
		return engine.EachRow(c.Query("SELECT id, value FROM notes", nil))(func(r engine.Row) error {
			var id int
			var value string
			err := r.Scan(&id, &value)
			found[id] = value
			return err
		})
	})
	if err != nil {
		t.Error(err)
	}
	return found
}

// Statement is a change of one statement.
func Statement(query string, args ...any) Change {
	return func(c engine.Conn) error { return c.ExecDeferred(query, args) }
}

// Insert is a change that adds a note.
func Insert(id int, value string) Change {
	return Statement("INSERT INTO notes (id, value) VALUES ($1, $2)", id, value)
}

// One runs parts as one change, up to the first that fails.
func One(parts ...Change) Change {
	return func(c engine.Conn) error {
		for _, part := range parts {
			if err := part(c); err != nil {
				return err
			}
		}
		return nil
	}
}

func ignored(fn Change) Change { return func(c engine.Conn) error { _ = fn(c); return nil } }

var errRefused = errors.New("refused")

// Refuse fails without a statement.
func Refuse(engine.Conn) error { return errRefused }

// returning inserts a note by a statement that returns rows, of which it reads none.
func returning(id int) Change {
	return func(c engine.Conn) error {
		return engine.EachRow(c.Query("INSERT INTO notes (id, value) VALUES ($1, '') RETURNING id", []any{id}))(func(engine.Row) error { return nil })
	}
}

// counted inserts a note with the number of notes that the change sees.
func counted(id int) Change {
	return func(c engine.Conn) error {
		var count int
		err := engine.EachRow(c.Query("SELECT count(*) FROM notes", nil))(func(r engine.Row) error { return r.Scan(&count) })
		return errors.Join(err, Insert(id, strconv.Itoa(count))(c))
	}
}

// CheckChanges checks that changes of one commit are stored completely or leave nothing, and that each sees exactly those before it
// that were stored.
func CheckChanges(t *testing.T, open func(*testing.T) *DB) {
	many := func(from int) Change {
		return func(c engine.Conn) error {
			for i := range 700 {
				if err := Insert(from+i, "many")(c); err != nil {
					return err
				}
			}
			return nil
		}
	}
	large := strings.Repeat("x", 3<<20)
	for name, changes := range map[string][]Change{
		"a change fails after it has written":   {Insert(1, "a"), counted(2), One(Insert(3, "c"), Refuse), counted(4), One(Insert(5, "e"), Refuse), counted(6)},
		"the first change fails":                {One(Insert(1, "a"), Refuse), counted(2), counted(3)},
		"the first changes fail":                {One(Insert(1, "a"), Refuse), One(counted(2), Refuse), counted(3), counted(4)},
		"a statement fails":                     {Insert(1, "a"), counted(2), Insert(1, "again"), counted(3)},
		"a failed statement is ignored":         {Insert(1, "a"), One(ignored(Insert(1, "again")), counted(2)), Refuse, counted(3), One(counted(4), Refuse), counted(5)},
		"a change that only reads fails":        {Insert(1, "a"), One(ignored(Statement("SELECT 1")), Refuse), counted(2)},
		"a change panics":                       {Insert(1, "a"), Insert(2, "b"), One(counted(3), func(engine.Conn) error { panic("a bug") }), counted(4)},
		"rows are returned":                     {returning(1), returning(2), One(returning(3), Refuse), counted(4)},
		"rows are changed and deleted":          {Insert(1, "a"), Insert(2, "b"), Statement("UPDATE notes SET value = value || 'c'"), Statement("DELETE FROM notes WHERE id = 1"), One(Statement("DELETE FROM notes"), Refuse), counted(3)},
		"many statements precede a failure":     {many(1000), many(2000), many(3000), counted(1), One(many(4000), counted(2), many(5000), Refuse), counted(3)},
		"large values precede a failure":        {Insert(1, large), Insert(2, large), Insert(3, large), One(Insert(4, large), Insert(5, large), Refuse), counted(6)},
		"a change without an effect is undone":  {Insert(1, "a"), Statement("DELETE FROM notes WHERE id = 9"), One(Insert(2, "b"), Refuse), counted(3)},
		"a change after the first undone fails": {Insert(1, "a"), Insert(2, "b"), One(Insert(3, "c"), Refuse), One(Insert(3, "c"), Refuse), One(ignored(Insert(1, "d")), counted(4))},
	} {
		t.Run(name, func(t *testing.T) {
			together, alone := open(t), open(t)
			results := together.Together(t, changes...)
			for i, fn := range changes {
				if err := alone.Update(fn); (err == nil) != (results[i] == nil) {
					t.Errorf("change %d: %v in a commit with others, %v alone", i, results[i], err)
				}
			}
			if a, b := together.All(t), alone.All(t); !maps.Equal(a, b) {
				t.Errorf("%d notes in one commit, %d one by one", len(a), len(b))
			}
		})
	}
}

// CheckRandomChanges checks that random changes leave the same in one commit as one by one.
func CheckRandomChanges(t *testing.T, rounds int, open func(*testing.T) *DB) {
	together, alone := open(t), open(t)
	for round := range rounds {
		r := rand.New(rand.NewPCG(1, uint64(round))) // #nosec G404 -- of a test
		var changes []Change
		for range 2 + r.IntN(20) {
			changes = append(changes, randomChange(r))
		}
		results := together.Together(t, changes...)
		for i, fn := range changes {
			if err := alone.Update(fn); (err == nil) != (results[i] == nil) {
				t.Fatalf("round %d, change %d: %v in a commit with others, %v alone", round, i, results[i], err)
			}
		}
		if a, b := together.All(t), alone.All(t); !maps.Equal(a, b) {
			t.Fatalf("round %d: %v in one commit, %v one by one", round, a, b)
		}
	}
}

func randomChange(r *rand.Rand) Change {
	var parts []Change
	for range 1 + r.IntN(5) {
		id := r.IntN(30)
		part := []Change{
			Insert(id, fmt.Sprint(r.IntN(100))), ignored(Insert(id, "ignored")), Statement("DELETE FROM notes WHERE id = $1", id),
			Statement("UPDATE notes SET value = value || $2 WHERE id >= $1", id, "u"), ignored(counted(id)), ignored(returning(id)),
		}[r.IntN(6)]
		parts = append(parts, part)
	}
	if r.IntN(30) == 0 {
		parts = append(parts, Refuse)
	}
	return One(parts...)
}
