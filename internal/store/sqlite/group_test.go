package sqlite_test

import (
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest/notes"
)

func inNewFolder(t *testing.T) *notes.DB { return inFolder(t, storetest.SQLite(t).Options().Engine()) }

// inFolder opens a database with the table of notes.
func inFolder(t *testing.T, o engine.Options) *notes.DB {
	var commits atomic.Int64
	o.NewBatch = func() engine.Batch { return notes.NoBatch{} }
	o.ObserveCommit = func(int) { commits.Add(1) }
	e, err := sqlite.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	n := &notes.DB{Engine: e, Waiting: func() int { return sqlite.Waiting(e) }, Commits: func() int { return int(commits.Load()) }}
	if err := n.Update(notes.Statement(notes.Table)); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestChangesOfACommit(t *testing.T) { notes.CheckChanges(t, inNewFolder) }

func TestRandomChangesOfACommit(t *testing.T) { notes.CheckRandomChanges(t, 100, inNewFolder) }

// A change may use the memory of a value again after its statement, also if the statement is repeated.
func TestRepeatedStatementKeepsItsValues(t *testing.T) {
	n := inNewFolder(t)
	reused := []byte("before")
	for i, err := range n.Together(t, notes.Insert(1, "a"), notes.One(notes.Statement("INSERT INTO notes (id, value) VALUES ($1, $2)", 2, reused), func(engine.Conn) error {
		copy(reused, "after!")
		return nil
	}), notes.One(notes.Insert(3, "c"), notes.Refuse)) {
		if (err == nil) != (i < 2) {
			t.Errorf("change %d: %v", i, err)
		}
	}
	if found := n.All(t); !maps.Equal(found, map[int]string{1: "a", 2: "before"}) {
		t.Errorf("%v", found)
	}
}

// If the transaction is lost, all changes of the commit fail, none of them is stored, and the next change succeeds.
func TestLostTransaction(t *testing.T) {
	for name, end := range map[string]notes.Change{"by the first change": notes.One(notes.Insert(1, "a"), notes.Statement("ROLLBACK"), notes.Refuse), "by another": notes.One(notes.Insert(1, "a"))} {
		t.Run(name, func(t *testing.T) {
			n := inNewFolder(t)
			for i, err := range n.Together(t, end, notes.Insert(2, "b"), notes.One(notes.Insert(3, "c"), notes.Statement("ROLLBACK"), notes.Refuse)) {
				var down engine.UnavailableError
				if i > 0 && name == "by another" && !errors.As(err, &down) {
					t.Errorf("change %d: %v", i, err)
				}
				if err == nil {
					t.Errorf("change %d was stored", i)
				}
			}
			if err := n.Update(notes.Insert(4, "d")); err != nil {
				t.Error(err)
			}
			if found := n.All(t); !maps.Equal(found, map[int]string{4: "d"}) {
				t.Errorf("%v", found)
			}
		})
	}
}

// A change that comes while others are written or the store is closed is stored or refused, and never lost.
func TestWriteWhileClosing(t *testing.T) {
	o := storetest.SQLite(t).Options().Engine()
	n := inFolder(t, o)
	var stored atomic.Int64
	var all sync.WaitGroup
	begun := make(chan bool, 1)
	for range 8 {
		all.Go(func() {
			for n.Update(notes.Statement("INSERT INTO notes (value) VALUES ('x')")) == nil {
				if stored.Add(1) == 100 {
					begun <- true
				}
			}
		})
	}
	<-begun
	if err := n.Engine.Close(); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if found := int64(len(inFolder(t, o).All(t))); found != stored.Load() {
		t.Errorf("%d notes are stored, want %d", found, stored.Load())
	}
}
