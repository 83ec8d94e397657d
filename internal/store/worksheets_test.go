package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
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

// With an old worksheet its files are deleted. Those of a correction belong to the declaration, and stay when it is dropped or
// grows old; so do those of another user's worksheet with the same ID.
func TestFilesOfOldWorksheets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		mia, noah := uuid(70), uuid(71)
		correction := sheet(81, "Pepper")
		correction.BaseVersion = 3
		update(t, s, ours, func(tx *store.Tx) error {
			for n, w := range []*worksheet.Worksheet{sheet(80, "Pepper"), correction} {
				if err := tx.SaveWorksheet(mia, w); err != nil {
					return err
				}
				a := attachment.Attachment{ID: uuid(90 + n), RecordID: w.ID, FileName: "invoice.pdf", Size: 4, CreatedAt: time.Now()}
				if err := errors.Join(tx.AddAttachment(a), tx.AddAttachmentChunk(a.ID, 0, []byte("%PDF"))); err != nil {
					return err
				}
			}
			return nil
		})
		update(t, s, ours, func(tx *store.Tx) error { _, err := tx.DropWorksheet(noah, uuid(80)); return err })
		if size := attachmentBytes(t, s); size != 8 {
			t.Errorf("%d bytes are left after the worksheet of another user was dropped", size)
		}
		if err := s.DropWorksheets(ctx, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if size := attachmentBytes(t, s); size != 4 {
			t.Errorf("%d bytes are left, want those of the correction", size)
		}
		update(t, s, ours, func(tx *store.Tx) error {
			a, err := tx.Attachment(uuid(81), uuid(91))
			if err != nil {
				return err
			}
			_, err = tx.AttachmentChunk(a.ID, 0)
			return err
		})
	})
}

func attachmentBytes(t *testing.T, s *store.Store) (size int64) {
	t.Helper()
	update(t, s, ours, func(tx *store.Tx) (err error) { size, err = tx.AttachmentBytes(); return err })
	return size
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
