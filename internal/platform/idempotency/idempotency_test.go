package idempotency_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const (
	ours   = tenant.ID("01900000-0000-7000-8000-000000000001")
	theirs = tenant.ID("01900000-0000-7000-8000-000000000002")
	mine   = "01900000-0000-7000-8000-00000000000a" // a caller
	other  = "01900000-0000-7000-8000-00000000000b" // another of the same organisation
)

var first = idempotency.Answer{Digest: "d", Status: 201, Body: `{"id":"1","n":0.10}`}

func update(t *testing.T, s *store.Store, org tenant.ID, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(context.Background(), org, fn); err != nil {
		t.Fatal(err)
	}
}

func recall(t *testing.T, s *store.Store, org tenant.ID, key, digest string) (a idempotency.Answer, found bool, err error) {
	t.Helper()
	_ = s.View(context.Background(), org, func(tx *store.Tx) error {
		a, found, err = idempotency.Recall(tx, mine, key, digest)
		return nil
	})
	return a, found, err
}

// The first answer to a key is repeated byte for byte, within its organisation. With another call the key is rejected.
func TestRecall(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		if _, found, err := recall(t, s, ours, "k", "d"); found || err != nil {
			t.Errorf("before the first: %t, %v", found, err)
		}
		update(t, s, ours, func(tx *store.Tx) error { return tx.SaveAnswer(mine, "k", first, idempotency.TTL) })
		if a, found, err := recall(t, s, ours, "k", "d"); a != first || !found || err != nil {
			t.Errorf("again: %+v, %t, %v", a, found, err)
		}
		if _, _, err := recall(t, s, ours, "k", "other"); !apierr.Is(err, apierr.IdempotencyMismatch) {
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

// An answer is stored if and only if the change that it acknowledges is, and a key has one answer.
func TestAnswerIsPartOfItsTransaction(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		undone := errors.New("undone")
		err := s.Update(context.Background(), ours, func(tx *store.Tx) error {
			if err := tx.SaveAnswer(mine, "k", first, idempotency.TTL); err != nil {
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
		update(t, s, ours, func(tx *store.Tx) error { return tx.SaveAnswer(mine, "k", first, idempotency.TTL) })
		if err := s.Update(context.Background(), ours, func(tx *store.Tx) error {
			return tx.SaveAnswer(mine, "k", idempotency.Answer{Digest: "d2"}, idempotency.TTL)
		}); err == nil {
			t.Error("a key has two answers")
		}
		if a, _, err := recall(t, s, ours, "k", "d"); a != first || err != nil {
			t.Errorf("the first answer is now %+v, %v", a, err)
		}
	})
}

// An answer is repeated until it expires. Then its key can be used again, whether or not the answer has been removed.
func TestAnswersExpire(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		for _, ttl := range []time.Duration{idempotency.TTL, idempotency.SecretTTL} {
			o := b.Options()
			now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
			o.Now = func() time.Time { return now }
			s, err := store.Open(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			key := ttl.String()
			update(t, s, ours, func(tx *store.Tx) error { return tx.SaveAnswer(mine, key, first, ttl) })
			for _, step := range []struct {
				after time.Duration
				found bool
			}{{ttl - time.Millisecond, true}, {time.Millisecond, false}} {
				now = now.Add(step.after)
				if _, found, _ := recall(t, s, ours, key, "d"); found != step.found {
					t.Errorf("%s after another %s: %t", ttl, step.after, found)
				}
			}
			update(t, s, ours, func(tx *store.Tx) error { return tx.SaveAnswer(mine, key, first, ttl) })
			if _, found, _ := recall(t, s, ours, key, "d"); !found {
				t.Errorf("%s: the key was not free again", ttl)
			}
			now = now.Add(ttl)
			if err := s.DropAnswers(context.Background(), now); err != nil {
				t.Fatal(err)
			}
			now = now.Add(-ttl)
			if _, found, _ := recall(t, s, ours, key, "d"); found {
				t.Errorf("%s: the expired answer was not removed", ttl)
			}
			_ = s.Close()
		}
	})
}

// Callers of one organisation do not share keys.
func TestAnswerBelongsToItsCaller(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		update(t, s, ours, func(tx *store.Tx) error { return tx.SaveAnswer(mine, "k", first, idempotency.TTL) })
		err := s.View(context.Background(), ours, func(tx *store.Tx) error {
			_, found, err := idempotency.Recall(tx, other, "k", "another call")
			if found {
				t.Error("another caller got the answer")
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		update(t, s, ours, func(tx *store.Tx) error { return tx.SaveAnswer(other, "k", first, idempotency.TTL) })
	})
}

// Of many concurrent callers with one key, one begins; when it has ended the next may.
func TestRunning(t *testing.T) {
	var running idempotency.Running
	var began, refused atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			switch _, err := running.Begin("k"); {
			case err == nil:
				began.Add(1)
			case apierr.Is(err, apierr.IdempotencyInProgress):
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
