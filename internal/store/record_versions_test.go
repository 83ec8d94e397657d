package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// changed writes the next version of a record.
func changed(t *testing.T, s *store.Store, former *filing.Filing, status lifecycle.State, body string, deleted bool) {
	t.Helper()
	next := *former
	update(t, s, ours, func(tx *store.Tx) error {
		next.Version, next.Status, next.Body, next.UpdatedAt = former.Version+1, status, []byte(body), tx.Now()
		c := filing.Change{Filing: next, Former: former, Event: event(former.ID), Deleted: deleted}
		c.Event.ID = uuid(600_000 + int(next.Version))
		return tx.Write(c)
	})
	*former = next
}

// versions returns status and body of each version of a record.
func versions(t *testing.T, s *store.Store, org tenant.ID, id string) (all []string) {
	t.Helper()
	err := s.View(ctx, org, func(tx *store.Tx) error {
		var refs []filing.AtVersion
		for v := range int64(6) {
			refs = append(refs, filing.AtVersion{ID: id, Version: v})
		}
		found, err := tx.RecordsAt(append(refs, filing.AtVersion{ID: uuid(99), Version: 1}))
		for _, ref := range refs {
			if f, ok := found[ref]; ok {
				all = append(all, fmt.Sprintf("%d %s %s", f.Version, f.Status, f.Body))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every version of a record can be read with its status and body, also after its deletion, and only by its
// organisation. Old versions are removed oldest first, and not under a hold.
func TestRecordVersions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		s := openAt(t, b, &now)
		var f filing.Filing
		update(t, s, ours, func(tx *store.Tx) error {
			c := draft(tx, 10)
			f = c.Filing
			return tx.Write(c)
		})
		want := func(when string, all ...string) {
			t.Helper()
			if got := versions(t, s, ours, f.ID); fmt.Sprint(got) != fmt.Sprint(all) {
				t.Errorf("%s: %q, want %q", when, got, all)
			}
		}
		first, second := string(f.Body), `{"b":2}`
		want("new", "1 DRAFT "+first)
		now = now.Add(time.Hour)
		changed(t, s, &f, "OPEN", first, false)
		want("with another status", "1 DRAFT "+first, "2 OPEN "+first)
		now = now.Add(time.Hour)
		changed(t, s, &f, "OPEN", second, false)
		want("with another body", "1 DRAFT "+first, "2 OPEN "+first, "3 OPEN "+second)
		now = now.Add(time.Hour)
		changed(t, s, &f, "GONE", second, true)
		whole := []string{"1 DRAFT " + first, "2 OPEN " + first, "3 OPEN " + second, "4 GONE " + second}
		want("deleted", whole...)
		if got := versions(t, s, theirs, f.ID); got != nil {
			t.Errorf("another organisation reads %q", got)
		}
		remove := func(dry bool, expected int64) {
			t.Helper()
			if n, err := s.RemoveVersions(ctx, now, 2, dry); err != nil || n != expected {
				t.Errorf("removed %d versions, want %d: %v", n, expected, err)
			}
		}
		update(t, s, ours, func(tx *store.Tx) error {
			return tx.SetHold(retention.Hold{RecordID: f.ID, Reason: "an inquiry", SetAt: now})
		})
		remove(false, 0)
		update(t, s, ours, func(tx *store.Tx) error { return tx.LiftHold(f.ID) })
		remove(true, 2)
		want("after a dry run", whole...)
		remove(false, 2)
		want("without the oldest", whole[2:]...)
		remove(false, 0)
	})
}
