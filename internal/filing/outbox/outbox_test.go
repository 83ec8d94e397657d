package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/platform/waiters"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const org tenant.ID = "01900000-0000-7000-8000-000000000001"

const (
	subject = "01900000-0000-7000-8000-000000000002"
	job     = "01900000-0000-7000-8000-000000000003"
)

type letter struct{ outbox.Item }

// A held letter waits for an hour, but is sent at once if what it waits for has come while the attempt was made.
func TestHeldEntry(t *testing.T) {
	for there, wait := range map[bool]time.Duration{true: time.Second, false: time.Hour} {
		t.Run(fmt.Sprint(there), func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, b storetest.Backend) { testHeldEntry(t, b, there, wait) })
		})
	}
}

func testHeldEntry(t *testing.T, b storetest.Backend, there bool, wait time.Duration) {
	now := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	o := b.Options()
	o.Now = func() time.Time { return now }
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Update(t.Context(), org, func(tx *store.Tx) error {
		err := tx.AddOrganisation(access.Organisation{ID: org, Hubs: access.Hubs{}, CreatedAt: now, UpdatedAt: now})
		return errors.Join(err, tx.Enqueue(jobs.Job{ID: job, Queue: "letters", Subject: subject}))
	})
	if err != nil {
		t.Fatal(err)
	}
	first := due(t, s)
	if len(first) != 1 {
		t.Fatalf("%d jobs", len(first))
	}
	if err := letters(s, o.Now, there).RunJob(t.Context(), first[0]); err != nil {
		t.Fatal(err)
	}
	if now = now.Add(wait - time.Millisecond); len(due(t, s)) != 0 {
		t.Errorf("due before %s", wait)
	}
	if now = now.Add(time.Millisecond); len(due(t, s)) != 1 {
		t.Errorf("not due after %s", wait)
	}
}

func due(t *testing.T, s *store.Store) []jobs.Job {
	t.Helper()
	all, err := s.LeaseJobs(t.Context(), "letters", 10, jobs.Lease)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// letters is a queue that holds its only letter.
func letters(s *store.Store, now func() time.Time, there bool) *outbox.Queue[*letter, string, *store.Tx] {
	one := &letter{}
	one.ID = subject
	return &outbox.Queue[*letter, string, *store.Tx]{
		Name: "letters", Authority: "The post", Document: "letter", LogKey: "letter",
		View: s.View, Update: s.Update,
		Load: func(*store.Tx, string) (*letter, error) { return one, nil },
		Send: func(context.Context, jobs.Job, *letter, bool) (outbox.Result[string], error) {
			return outbox.Result[string]{State: outbox.Held, Problem: outbox.Problem{Code: apierr.CustomsConsentRequired, Message: "It waits."}}, nil
		},
		Store:     func(*store.Tx, *letter, outbox.Result[string]) error { return nil },
		Continues: func(*store.Tx, *letter) (bool, error) { return there, nil },
		Waiters:   &waiters.List{}, IDs: ident.NewSource(rand.NewChaCha8([32]byte{2}), now), Log: slog.New(slog.DiscardHandler),
	}
}
