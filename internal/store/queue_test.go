package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// runQueued runs a change of our organisation, queues the others behind it, and returns their
// errors in order, the first change's first. The first change calls front once all others wait.
func runQueued(t *testing.T, s *store.Store, front func(*store.Tx) error, others ...func(*store.Tx) error) []error {
	t.Helper()
	begun, queued := make(chan bool), make(chan bool)
	results := make([]error, 1+len(others))
	var all sync.WaitGroup
	all.Go(func() {
		results[0] = s.Update(ctx, ours, func(tx *store.Tx) error {
			begun <- true
			<-queued
			return front(tx)
		})
	})
	<-begun
	for i, fn := range others {
		all.Go(func() { results[i+1] = s.Update(ctx, ours, fn) })
		for store.QueuedBehind(s, ours) <= i {
			runtime.Gosched()
		}
	}
	close(queued)
	all.Wait()
	return results
}

func writes(n int) func(*store.Tx) error {
	return func(tx *store.Tx) error { return tx.Write(draft(tx, n)) }
}

// Changes that wait for another of their organisation share its transaction, six at most: the first one waits for all of them.
// A change that fails, even at the commit, stores nothing and does not affect the others.
func TestQueuedChangesShareTheTransaction(t *testing.T) {
	s := open(t, storetest.Postgres(t))
	refused := errors.New("refused")
	transactions, mu := map[int]int{}, sync.Mutex{}
	noted := func(fn func(*store.Tx) error) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			n, err := store.CountUnguarded(tx, "SELECT pg_current_xact_id()::text::bigint")
			mu.Lock()
			transactions[n]++
			mu.Unlock()
			return errors.Join(err, fn(tx))
		}
	}
	results := runQueued(t, s, noted(writes(10)),
		noted(writes(11)),
		noted(func(tx *store.Tx) error { return errors.Join(writes(12)(tx), refused) }),
		noted(writes(13)),
		noted(writes(13)), // its ID is taken, which the database reports when the change is released
		noted(func(tx *store.Tx) error { _ = writes(14)(tx); panic("a bug") }),
		noted(func(tx *store.Tx) error { return store.ExecUnguarded(tx, "SELECT 1 / 0") }),
		noted(func(tx *store.Tx) error { _ = store.ExecUnguarded(tx, "SELECT 1 / 0"); return nil }),
		noted(writes(15)),
	)
	for i, err := range results {
		if fine := i == 0 || i == 1 || i == 3 || i == 8; (err == nil) != fine {
			t.Errorf("%d: %v", i, err)
		}
	}
	if !errors.Is(results[2], refused) {
		t.Errorf("refused: %v", results[2])
	}
	if shared := slices.Sorted(maps.Values(transactions)); !slices.Equal(shared, []int{1, 1, 1, 6}) {
		t.Errorf("transactions of %v changes", shared)
	}
	verify(t, s, ours, 4)
	var page []filing.Filing
	var counts []filing.Tally
	err := s.View(ctx, ours, func(tx *store.Tx) (err error) {
		if page, err = tx.Filings(filing.Query{Kind: "thing", Limit: 20}); err != nil {
			return err
		}
		counts, err = tx.FilingTallies()
		return err
	})
	if err != nil || len(page) != 4 || len(counts) != 1 || counts[0].Records != 4 {
		t.Errorf("%d records, counted %v, %v", len(page), counts, err)
	}
}

// If the first change fails, it fails alone, and the changes queued behind it are stored.
func TestFirstChangeFailsAlone(t *testing.T) {
	s := open(t, storetest.Postgres(t))
	update(t, s, ours, writes(10))
	made := 0
	for name, front := range map[string]func(*store.Tx) error{
		"refused":               func(*store.Tx) error { return errors.New("refused") },
		"by the database":       func(tx *store.Tx) error { return store.ExecUnguarded(tx, "SELECT 1 / 0") },
		"at the commit":         writes(10),
		"by a panic":            func(*store.Tx) error { panic("a bug") },
		"with an ignored error": func(tx *store.Tx) error { _ = store.ExecUnguarded(tx, "SELECT 1 / 0"); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			made++
			results := runQueued(t, s, front, writes(10+made), func(*store.Tx) error { return errors.New("refused as well") })
			if results[0] == nil || results[1] != nil || results[2] == nil {
				t.Errorf("%v", results)
			}
		})
	}
	verify(t, s, ours, 6)
}

// If a caller cancels while its change waits, it gets an answer and the change is not made.
func TestCancelledWhileQueued(t *testing.T) {
	s := open(t, storetest.Postgres(t))
	gone, leave := context.WithCancel(ctx)
	answered := make(chan error, 1)
	results := runQueued(t, s, func(tx *store.Tx) error {
		go func() { answered <- s.Update(gone, ours, writes(11)) }()
		for store.QueuedBehind(s, ours) < 2 {
			runtime.Gosched()
		}
		leave()
		return writes(10)(tx)
	}, writes(12))
	if err := <-answered; !errors.Is(err, context.Canceled) || results[0] != nil || results[1] != nil {
		t.Errorf("%v, %v", err, results)
	}
	verify(t, s, ours, 2)
}

// If the database connection is lost, all changes of the transaction and all that wait get the
// error at once, nothing is stored, and the next change succeeds.
func TestQueuedChangesFailWithTheDatabase(t *testing.T) {
	s := open(t, storetest.Postgres(t))
	end := func(tx *store.Tx) error {
		pid, err := store.CountUnguarded(tx, "SELECT pg_backend_pid()")
		if err != nil {
			return err
		}
		return s.View(ctx, theirs, func(other *store.Tx) error {
			_, err := store.CountUnguarded(other, fmt.Sprintf("SELECT count(pg_terminate_backend(%d))", pid))
			return err
		})
	}
	results := runQueued(t, s, writes(10), writes(11), end, writes(12), writes(13))
	for i, err := range results {
		if !apierr.Is(err, apierr.StoreUnavailable) {
			t.Errorf("%d: %v", i, err)
		}
	}
	verify(t, s, ours, 0)
	update(t, s, ours, writes(10))
	verify(t, s, ours, 1)
}
