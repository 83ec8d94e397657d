package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

func sheet(n int, goods string) *worksheet.Worksheet {
	s := worksheet.NewImport(uuid(n))
	s.Items[0].Set("description", goods)
	return s
}

// Only its author can read a worksheet. It is read back as it was stored, and the number per
// user is limited.
func TestWorksheets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		mia, noah := uuid(70), uuid(71)
		update(t, s, ours, func(tx *store.Tx) error { return tx.SaveWorksheet(mia, sheet(80, "Pepper")) })
		update(t, s, ours, func(tx *store.Tx) error { return tx.SaveWorksheet(mia, sheet(80, "Black pepper")) })
		update(t, s, ours, func(tx *store.Tx) error {
			got, err := tx.Worksheet(mia, uuid(80))
			if err != nil || got.ID != uuid(80) || got.Items[0].Get("description") != "Black pepper" {
				t.Errorf("%+v, %v", got, err)
			}
			if _, err := tx.Worksheet(noah, uuid(80)); !apierr.Is(err, apierr.NotFound) {
				t.Errorf("a colleague's: %v", err)
			}
			all, err := tx.Worksheets(mia)
			if err != nil || len(all) != 1 || all[0].Title != "Black pepper" || all[0].Purpose != worksheet.New || all[0].UpdatedAt.IsZero() {
				t.Errorf("%+v, %v", all, err)
			}
			return nil
		})
		update(t, s, theirs, func(tx *store.Tx) error {
			if _, err := tx.Worksheet(mia, uuid(80)); !apierr.Is(err, apierr.NotFound) {
				t.Errorf("another organisation's: %v", err)
			}
			if dropped, err := tx.DropWorksheet(mia, uuid(80)); dropped || err != nil {
				t.Errorf("another organisation's is dropped: %v", err)
			}
			return nil
		})
		update(t, s, ours, func(tx *store.Tx) error {
			for n := 1; n < worksheet.MaxPerUser; n++ {
				if err := tx.SaveWorksheet(mia, sheet(80+n, "Pepper")); err != nil {
					return err
				}
			}
			if err := tx.SaveWorksheet(mia, sheet(200, "Pepper")); !apierr.Is(err, apierr.InvalidState) {
				t.Errorf("one too many: %v", err)
			}
			return tx.SaveWorksheet(noah, sheet(201, "Pepper"))
		})
		update(t, s, ours, func(tx *store.Tx) error {
			for _, want := range []bool{true, false} {
				if dropped, err := tx.DropWorksheet(mia, uuid(80)); dropped != want || err != nil {
					t.Errorf("dropped %t, %v", dropped, err)
				}
			}
			return nil
		})
	})
}

// Worksheets that have not been changed for long are deleted, for all organisations.
func TestOldWorksheets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		update(t, s, ours, func(tx *store.Tx) error { return tx.SaveWorksheet(uuid(70), sheet(80, "Pepper")) })
		for _, c := range []struct {
			before time.Time
			left   int
		}{{time.Now().Add(-time.Hour), 1}, {time.Now().Add(time.Hour), 0}} {
			if err := s.DropWorksheets(ctx, c.before); err != nil {
				t.Fatal(err)
			}
			update(t, s, ours, func(tx *store.Tx) error {
				all, err := tx.Worksheets(uuid(70))
				if len(all) != c.left {
					t.Errorf("%d worksheets left, want %d", len(all), c.left)
				}
				return err
			})
		}
	})
}

// Records are found by a part of a name with any characters, the latest first.
func TestNamedLike(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		names := map[int]string{10: "HARBOURTEXTILESLTD", 11: "HARBOURSIDE%FOODS", 12: "QUAY_STORES"}
		update(t, s, ours, func(tx *store.Tx) error {
			for n, name := range names {
				c := draft(tx, n)
				c.Names = append(c.Names, filing.Key{Name: "client.name", Value: name})
				if err := tx.Write(c); err != nil {
					return err
				}
			}
			return nil
		})
		for text, want := range map[string][]string{
			"HARBOUR": {uuid(11), uuid(10)}, "TEXTILES": {uuid(10)}, "%": {uuid(11)}, "_": {uuid(12)}, `\`: nil, "NOBODY": nil,
		} {
			update(t, s, ours, func(tx *store.Tx) error {
				ids, err := tx.NamedLike("client.name", text, 5)
				if !slices.Equal(ids, want) {
					t.Errorf("%q: %v, not %v", text, ids, want)
				}
				return err
			})
			update(t, s, theirs, func(tx *store.Tx) error {
				ids, err := tx.NamedLike("client.name", text, 5)
				if len(ids) > 0 {
					t.Errorf("%q: %v of another organisation", text, ids)
				}
				return err
			})
		}
	})
}
