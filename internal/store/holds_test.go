package store_test

import (
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// hold sets holds on records in one transaction; record 0 means the organisation.
func hold(t *testing.T, s *store.Store, org tenant.ID, user string, firstEvent int, records ...int) {
	t.Helper()
	call := tenant.Call{Principal: tenant.Principal{Org: org, UserID: user, Type: tenant.ByUser}, RequestID: "r", IPAddress: "192.0.2.1"}
	if user == tenant.SystemUser {
		call = tenant.OperatorCall(org, tenant.SystemUser)
	}
	update(t, s, org, func(tx *store.Tx) error {
		for i, n := range records {
			record := ""
			if n != 0 {
				record = uuid(n)
			}
			if err := retention.SetHold(tx, call, func() string { return uuid(firstEvent + i) }, record, "inquiry"); err != nil {
				return err
			}
		}
		return nil
	})
}

// held sets holds on 140 records, each 20 of them at the same time, and on the organisation.
func held(t *testing.T, b storetest.Backend) *store.Store {
	s := open(t, b)
	for first := 100; first < 240; first += 20 {
		update(t, s, ours, func(tx *store.Tx) error {
			for n := first; n < first+20; n++ {
				if err := tx.Write(draft(tx, n)); err != nil {
					return err
				}
			}
			return nil
		})
		var some []int
		for n := first; n < first+20; n++ {
			some = append(some, n)
		}
		hold(t, s, ours, "first", 10_000+first, some...)
	}
	hold(t, s, ours, tenant.SystemUser, 11_000, 0)
	hold(t, s, ours, "second", 12_000, 110)
	hold(t, s, theirs, "third", 13_000, 0)
	return s
}

// The list of holds is paged newest first without gaps or repeats, also if many were set at the
// same time. Each hold has the kind of its record and the user who set it last.
func TestHoldsArePaged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := held(t, b)
		var all []retention.ActiveHold
		for behind := (filing.Position{}); ; {
			var page []retention.ActiveHold
			err := s.View(ctx, ours, func(tx *store.Tx) (err error) { page, err = tx.ActiveHolds(behind, 7); return err })
			if err != nil {
				t.Fatal(err)
			}
			if all = append(all, page...); len(page) < 7 {
				break
			}
			behind = page[6].Position(ours)
		}
		seen := map[string]retention.ActiveHold{}
		for _, one := range all {
			seen[one.RecordID] = one
		}
		if len(all) != 141 || len(seen) != 141 || !slices.IsSortedFunc(all, func(a, b retention.ActiveHold) int { return b.SetAt.Compare(a.SetAt) }) {
			t.Errorf("read %d holds, %d different: %+v", len(all), len(seen), all)
		}
		if one := seen[uuid(239)]; one.Kind != "thing" || one.UserID != "first" || one.Operator || one.Reason != "inquiry" {
			t.Errorf("a record: %+v", one)
		}
		if one := seen[uuid(110)]; one.UserID != "second" || all[0].RecordID != uuid(110) {
			t.Errorf("set again: %+v, the newest %+v", one, all[0])
		}
		if one := seen[""]; one.Kind != "" || one.UserID != tenant.SystemUser || !one.Operator {
			t.Errorf("the organisation: %+v", one)
		}
	})
}

// A page of holds takes the same number of statements however many holds there are, and so do
// the holds of one record.
func TestHoldsStatementCount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := held(t, b)
		err := s.View(ctx, ours, func(tx *store.Tx) error {
			for limit, want := range map[int]int{1: 1, 200: 141} {
				var page []retention.ActiveHold
				n, err := store.Count(tx, func() (err error) { page, err = tx.ActiveHolds(filing.Position{}, limit); return err })
				if err != nil || n != 2 || len(page) != want {
					t.Errorf("%d statements for %d holds: %v", n, len(page), err)
				}
			}
			var on []retention.ActiveHold
			n, err := store.Count(tx, func() (err error) { on, err = tx.ActiveHoldsOn(uuid(200)); return err })
			if err != nil || n != 2 || len(on) != 2 {
				t.Errorf("%d statements for %+v: %v", n, on, err)
			}
			if on, err = tx.ActiveHoldsOn(""); err != nil || len(on) != 1 || on[0].RecordID != "" {
				t.Errorf("on the organisation %+v: %v", on, err)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
