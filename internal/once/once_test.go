package once_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/once"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

const (
	ours   = tenant.ID("01900000-0000-7000-8000-000000000001")
	theirs = tenant.ID("01900000-0000-7000-8000-000000000002")
)

var first = once.Answer{Digest: "d", Status: 201, Body: `{"id":"1","n":0.10}`}

func update(t *testing.T, s *store.Store, org tenant.ID, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(context.Background(), org, fn); err != nil {
		t.Fatal(err)
	}
}

func recall(t *testing.T, s *store.Store, org tenant.ID, key, digest string) (a once.Answer, found bool, err error) {
	t.Helper()
	_ = s.View(context.Background(), org, func(tx *store.Tx) error {
		a, found, err = once.Recall(tx, key, digest)
		return nil
	})
	return a, found, err
}

// The first answer to a key is given again as it was, byte for byte, in its own
// organisation; with another call the key is refused.
func TestRecall(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		if _, found, err := recall(t, s, ours, "k", "d"); found || err != nil {
			t.Errorf("before the first: %t, %v", found, err)
		}
		update(t, s, ours, func(tx *store.Tx) error { return tx.KeepAnswer("k", first) })
		if a, found, err := recall(t, s, ours, "k", "d"); a != first || !found || err != nil {
			t.Errorf("again: %+v, %t, %v", a, found, err)
		}
		if _, _, err := recall(t, s, ours, "k", "other"); !fault.Is(err, fault.IdempotencyMismatch) {
			t.Errorf("with another call: %v", err)
		}
		if _, found, err := recall(t, s, ours, "K", "other"); found || err != nil {
			t.Errorf("another key: %t, %v", found, err)
		}
		if _, found, err := recall(t, s, theirs, "k", "other"); found || err != nil {
			t.Errorf("another organisation: %t, %v", found, err)
		}
	})
}

// An answer exists if and only if what it acknowledges does, and a key has one.
func TestAnswerIsPartOfItsTransaction(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		undone := errors.New("undone")
		err := s.Update(context.Background(), ours, func(tx *store.Tx) error {
			if err := tx.KeepAnswer("k", first); err != nil {
				return err
			}
			return undone
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		if _, found, _ := recall(t, s, ours, "k", "d"); found {
			t.Error("the answer outlived its transaction")
		}
		update(t, s, ours, func(tx *store.Tx) error { return tx.KeepAnswer("k", first) })
		if err := s.Update(context.Background(), ours, func(tx *store.Tx) error { return tx.KeepAnswer("k", once.Answer{Digest: "d2"}) }); err == nil {
			t.Error("a key has two answers")
		}
		if a, _, err := recall(t, s, ours, "k", "d"); a != first || err != nil {
			t.Errorf("the first answer is now %+v, %v", a, err)
		}
	})
}

// Answers are forgotten when their time has passed, and not before.
func TestAnswersAreForgotten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := b.Options()
		now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		o.Now = func() time.Time { return now }
		s, err := store.Open(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		update(t, s, ours, func(tx *store.Tx) error { return tx.KeepAnswer("k", first) })
		for _, step := range []struct {
			after time.Duration
			found bool
		}{{once.Kept, true}, {once.Kept + time.Millisecond, false}} {
			if err := s.DropAnswers(context.Background(), now.Add(step.after).Add(-once.Kept)); err != nil {
				t.Fatal(err)
			}
			if _, found, _ := recall(t, s, ours, "k", "d"); found != step.found {
				t.Errorf("after %s: %t", step.after, found)
			}
		}
	})
}

// Of many callers with one key one begins; when it has ended the next may.
func TestRunning(t *testing.T) {
	var running once.Running
	var began, refused atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			switch _, err := running.Begin("k"); {
			case err == nil:
				began.Add(1)
			case fault.Is(err, fault.IdempotencyInProgress):
				refused.Add(1)
			}
		})
	}
	all.Wait()
	if began.Load() != 1 || refused.Load() != 19 {
		t.Errorf("%d began, %d were refused", began.Load(), refused.Load())
	}
	end, err := running.Begin("other")
	if err != nil {
		t.Fatal(err)
	}
	end()
	end, err = running.Begin("other")
	if err != nil {
		t.Errorf("after the end: %v", err)
	}
	end()
}
