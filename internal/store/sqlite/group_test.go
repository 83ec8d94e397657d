package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

type change = func(engine.Conn) error

// noBatch is the state of a commit that collects nothing.
type noBatch struct{}

func (noBatch) Fork() engine.Batch      { return noBatch{} }
func (noBatch) Join(engine.Batch)       {}
func (noBatch) Forget()                 {}
func (noBatch) Write(engine.Conn) error { return nil }
func (noBatch) Queues() []string        { return nil }

// notes is a database with a table of notes, whose changes are counted by commit.
type notes struct {
	*sqlite.Engine
	t       *testing.T
	folder  string
	commits atomic.Int64
}

func openNotes(t *testing.T) *notes {
	o := storetest.SQLite(t).Options().Engine()
	n := &notes{t: t, folder: o.Folder}
	o.NewBatch = func() engine.Batch { return noBatch{} }
	o.ObserveCommit = func(int) { n.commits.Add(1) }
	var err error
	if n.Engine, err = sqlite.Open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	if err := n.update(statement("CREATE TABLE notes (id INTEGER PRIMARY KEY, value TEXT)")); err != nil {
		t.Fatal(err)
	}
	return n
}

func (n *notes) update(fn change) error {
	return n.Update(context.Background(), "", func(c engine.Conn, _ engine.Batch) error { return fn(c) })
}

// together runs changes in one commit and returns their errors in order.
func (n *notes) together(changes ...change) []error {
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
		all.Go(func() { results[i] = n.update(fn) })
		if i == 0 {
			<-begun
		}
		for sqlite.Waiting(n.Engine) < i {
			runtime.Gosched()
		}
	}
	before := n.commits.Load()
	close(queued)
	all.Wait()
	if commits := n.commits.Load() - before; commits > 1 {
		n.t.Errorf("%d commits", commits)
	}
	return results
}

func (n *notes) all() map[int]string {
	found := map[int]string{}
	err := n.View(context.Background(), "", func(c engine.Conn) error {
		return engine.EachRow(c.Query("SELECT id, value FROM notes", nil))(func(r engine.Row) error {
			var id int
			var value string
			err := r.Scan(&id, &value)
			found[id] = value
			return err
		})
	})
	if err != nil {
		n.t.Error(err)
	}
	return found
}

func statement(query string, args ...any) change {
	return func(c engine.Conn) error { return c.ExecDeferred(query, args) }
}

func insert(id int, value string) change {
	return statement("INSERT INTO notes (id, value) VALUES ($1, $2)", id, value)
}

// one runs parts as one change, up to the first that fails.
func one(parts ...change) change {
	return func(c engine.Conn) error {
		for _, part := range parts {
			if err := part(c); err != nil {
				return err
			}
		}
		return nil
	}
}

func ignored(fn change) change { return func(c engine.Conn) error { _ = fn(c); return nil } }

var errRefused = errors.New("refused")

func refuse(engine.Conn) error { return errRefused }

// returning inserts a note by a statement that returns rows, of which it reads none.
func returning(id int) change {
	return func(c engine.Conn) error {
		return engine.EachRow(c.Query("INSERT INTO notes (id, value) VALUES ($1, '') RETURNING id", []any{id}))(func(engine.Row) error { return nil })
	}
}

// counted inserts a note with the number of notes that the change sees.
func counted(id int) change {
	return func(c engine.Conn) error {
		var count string
		err := engine.EachRow(c.Query("SELECT count(*) FROM notes", nil))(func(r engine.Row) error { return r.Scan(&count) })
		return errors.Join(err, insert(id, count)(c))
	}
}

// Changes of one commit are stored completely or leave nothing, and each sees exactly those before it that were stored.
func TestChangesOfACommit(t *testing.T) {
	many := func(from int) change {
		return func(c engine.Conn) error {
			for i := range 700 {
				if err := insert(from+i, "many")(c); err != nil {
					return err
				}
			}
			return nil
		}
	}
	large := strings.Repeat("x", 3<<20)
	for name, changes := range map[string][]change{
		"a change fails after it has written":   {insert(1, "a"), counted(2), one(insert(3, "c"), refuse), counted(4), one(insert(5, "e"), refuse), counted(6)},
		"the first change fails":                {one(insert(1, "a"), refuse), counted(2), counted(3)},
		"the first changes fail":                {one(insert(1, "a"), refuse), one(counted(2), refuse), counted(3), counted(4)},
		"a statement fails":                     {insert(1, "a"), counted(2), insert(1, "again"), counted(3)},
		"a failed statement is ignored":         {insert(1, "a"), one(ignored(insert(1, "again")), counted(2)), refuse, counted(3), one(counted(4), refuse), counted(5)},
		"a change that only reads fails":        {insert(1, "a"), one(ignored(statement("SELECT 1")), refuse), counted(2)},
		"a change panics":                       {insert(1, "a"), insert(2, "b"), one(counted(3), func(engine.Conn) error { panic("a bug") }), counted(4)},
		"rows are returned":                     {returning(1), returning(2), one(returning(3), refuse), counted(4)},
		"rows are changed and deleted":          {insert(1, "a"), insert(2, "b"), statement("UPDATE notes SET value = value || 'c'"), statement("DELETE FROM notes WHERE id = 1"), one(statement("DELETE FROM notes"), refuse), counted(3)},
		"many statements precede a failure":     {many(1000), many(2000), many(3000), counted(1), one(many(4000), counted(2), many(5000), refuse), counted(3)},
		"large values precede a failure":        {insert(1, large), insert(2, large), insert(3, large), one(insert(4, large), insert(5, large), refuse), counted(6)},
		"a change without an effect is undone":  {insert(1, "a"), statement("DELETE FROM notes WHERE id = 9"), one(insert(2, "b"), refuse), counted(3)},
		"a change after the first undone fails": {insert(1, "a"), insert(2, "b"), one(insert(3, "c"), refuse), one(insert(3, "c"), refuse), one(ignored(insert(1, "d")), counted(4))},
	} {
		t.Run(name, func(t *testing.T) {
			together, alone := openNotes(t), openNotes(t)
			results := together.together(changes...)
			for i, fn := range changes {
				if err := alone.update(fn); (err == nil) != (results[i] == nil) {
					t.Errorf("change %d: %v in a commit with others, %v alone", i, results[i], err)
				}
			}
			if a, b := together.all(), alone.all(); !maps.Equal(a, b) {
				t.Errorf("%d notes in one commit, %d one by one", len(a), len(b))
			}
		})
	}
}

// Random changes leave the same in one commit as one by one.
func TestRandomChangesOfACommit(t *testing.T) {
	together, alone := openNotes(t), openNotes(t)
	for round := range 100 {
		r := rand.New(rand.NewPCG(1, uint64(round)))
		var changes []change
		for range 2 + r.IntN(20) {
			changes = append(changes, randomChange(r))
		}
		results := together.together(changes...)
		for i, fn := range changes {
			if err := alone.update(fn); (err == nil) != (results[i] == nil) {
				t.Fatalf("round %d, change %d: %v in a commit with others, %v alone", round, i, results[i], err)
			}
		}
		if a, b := together.all(), alone.all(); !maps.Equal(a, b) {
			t.Fatalf("round %d: %v in one commit, %v one by one", round, a, b)
		}
	}
}

func randomChange(r *rand.Rand) change {
	var parts []change
	for range 1 + r.IntN(5) {
		id := r.IntN(30)
		part := []change{
			insert(id, fmt.Sprint(r.IntN(100))), ignored(insert(id, "ignored")), statement("DELETE FROM notes WHERE id = $1", id),
			statement("UPDATE notes SET value = value || $2 WHERE id >= $1", id, "u"), ignored(counted(id)), ignored(returning(id)),
		}[r.IntN(6)]
		parts = append(parts, part)
	}
	if r.IntN(30) == 0 {
		parts = append(parts, refuse)
	}
	return one(parts...)
}

// A change may use the memory of a value again after its statement, also if the statement is repeated.
func TestRepeatedStatementKeepsItsValues(t *testing.T) {
	n := openNotes(t)
	reused := []byte("before")
	for i, err := range n.together(insert(1, "a"), one(statement("INSERT INTO notes (id, value) VALUES ($1, $2)", 2, reused), func(engine.Conn) error {
		copy(reused, "after!")
		return nil
	}), one(insert(3, "c"), refuse)) {
		if (err == nil) != (i < 2) {
			t.Errorf("change %d: %v", i, err)
		}
	}
	if found := n.all(); !maps.Equal(found, map[int]string{1: "a", 2: "before"}) {
		t.Errorf("%v", found)
	}
}

// If the transaction is lost, all changes of the commit fail, none of them is stored, and the next change succeeds.
func TestLostTransaction(t *testing.T) {
	for name, end := range map[string]change{"by the first change": one(insert(1, "a"), statement("ROLLBACK"), refuse), "by another": one(insert(1, "a"))} {
		t.Run(name, func(t *testing.T) {
			n := openNotes(t)
			for i, err := range n.together(end, insert(2, "b"), one(insert(3, "c"), statement("ROLLBACK"), refuse)) {
				var down engine.UnavailableError
				if i > 0 && name == "by another" && !errors.As(err, &down) {
					t.Errorf("change %d: %v", i, err)
				}
				if err == nil {
					t.Errorf("change %d was stored", i)
				}
			}
			if err := n.update(insert(4, "d")); err != nil {
				t.Error(err)
			}
			if found := n.all(); !maps.Equal(found, map[int]string{4: "d"}) {
				t.Errorf("%v", found)
			}
		})
	}
}

// A change that comes while others are written or the store is closed is stored or refused, and never lost.
func TestWriteWhileClosing(t *testing.T) {
	n := openNotes(t)
	var stored atomic.Int64
	var all sync.WaitGroup
	begun := make(chan bool, 1)
	for range 8 {
		all.Go(func() {
			for n.update(statement("INSERT INTO notes (value) VALUES ('x')")) == nil {
				if stored.Add(1) == 100 {
					begun <- true
				}
			}
		})
	}
	<-begun
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	again := &notes{t: t}
	o := storetest.SQLite(t).Options().Engine()
	o.Folder = n.folder
	var err error
	if again.Engine, err = sqlite.Open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = again.Close() })
	if found := int64(len(again.all())); found != stored.Load() {
		t.Errorf("%d notes are stored, want %d", found, stored.Load())
	}
}
