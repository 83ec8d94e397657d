package store_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// step makes a change of a record like the lifecycle engine does.
func step(tx *store.Tx, kind string, n int, version int64, from, to lifecycle.State, created time.Time) filing.Change {
	return filing.Change{
		Filing: filing.Filing{
			ID: uuid(n), Kind: kind, Status: to, Version: version, BodyVersion: 1, Body: []byte(`{}`), CreatedAt: created, UpdatedAt: tx.Now(),
		},
		Event: audit.Event{
			ID: uuid(1000*n + int(version)), Hub: "test", Type: kind + ".changed", ResourceType: kind, ResourceID: uuid(n), FromStatus: string(from), ToStatus: string(to),
		},
	}
}

func day(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return at
}

// counts returns all tallies of an organisation as lines.
func counts(t *testing.T, s *store.Store, org tenant.ID, ledgers ...string) (lines []string) {
	t.Helper()
	err := s.View(ctx, org, func(tx *store.Tx) error {
		filings, err := tx.FilingTallies()
		for _, a := range filings {
			lines = append(lines, fmt.Sprint(a.Kind, " ", a.Status, " ", a.Month, " ", a.Records))
		}
		if err != nil {
			return err
		}
		sums, err := tx.LedgerTallies(ledgers, "0000-00", "9999-99")
		for _, a := range sums {
			lines = append(lines, fmt.Sprint(a.Ledger, " ", a.Month, " ", a.Records, " ", a.Amount))
		}
		if err != nil {
			return err
		}
		attempts, err := tx.DeliveryTallies("")
		for _, a := range attempts {
			lines = append(lines, fmt.Sprint(a.Outcome, " ", a.Attempts))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("counted\n%q, not\n%q", got, want)
	}
}

// Every creation, transition and erasure changes the counts, by months of London. A change that
// fails does not.
func TestTalliesOfFilings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		summer, winter := day("2026-06-30T23:30:00Z"), day("2026-10-31T23:30:00Z") // in London the first is 1 July
		change := func(n int, version int64, from, to lifecycle.State, at time.Time, erased bool) {
			update(t, s, ours, func(tx *store.Tx) error {
				c := step(tx, "thing", n, version, from, to, at)
				c.Deleted = erased
				return tx.Write(c)
			})
		}
		change(10, 1, "", "DRAFT", summer, false)
		change(11, 1, "", "DRAFT", summer, false)
		change(12, 1, "", "DRAFT", winter, false)
		change(13, 1, "", "DRAFT", winter, false)
		change(11, 2, "DRAFT", "DRAFT", summer, false)
		change(11, 3, "DRAFT", "SUBMITTED", summer, false)
		change(12, 2, "DRAFT", "SUBMITTED", winter, false)
		change(12, 3, "SUBMITTED", "REJECTED", winter, false)
		change(13, 2, "DRAFT", "DRAFT", winter, true)
		failed := s.Update(ctx, ours, func(tx *store.Tx) error {
			if err := tx.Write(step(tx, "thing", 14, 1, "", "DRAFT", summer)); err != nil {
				return err
			}
			return errors.New("no")
		})
		if failed == nil {
			t.Error("listeners were notified of a failed change")
		}
		update(t, s, theirs, func(tx *store.Tx) error { return tx.Write(step(tx, "thing", 20, 1, "", "DRAFT", summer)) })
		wantLines(t, counts(t, s, ours), "thing DRAFT 2026-07 1", "thing REJECTED 2026-10 1", "thing SUBMITTED 2026-07 1")
		wantLines(t, counts(t, s, theirs), "thing DRAFT 2026-07 1")
	})
}

// The months of a ledger are the sums of its current records. An absurdly large amount is
// capped, and the change does not fail.
func TestTalliesOfLedgers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		post := func(n int, version int64, at string, amount int64) {
			update(t, s, ours, func(tx *store.Tx) error {
				c := step(tx, "thing", n, version, "DRAFT", "DRAFT", day("2026-01-01T00:00:00Z"))
				c.HasPostings = true
				if amount != 0 {
					c.Postings = []filing.Posting{{Ledger: "duty", At: day(at), Amount: amount}, {Ledger: "vat", At: day(at), Amount: 1}}
				}
				return tx.Write(c)
			})
		}
		post(10, 1, "2026-03-31T22:59:59Z", 100) // London's April begins at 23:00
		post(11, 1, "2026-03-31T23:00:00Z", 20)
		post(12, 1, "2026-04-30T22:00:00Z", 3)
		post(12, 2, "2026-05-30T22:00:00Z", 4)
		post(13, 1, "2026-05-01T22:00:00Z", 5)
		post(13, 2, "", 0)
		for n := 20; n < 24; n++ {
			post(n, 1, "2026-08-01T00:00:00Z", math.MaxInt64)
		}
		wantLines(t, counts(t, s, ours, "duty"), "thing DRAFT 2026-01 8",
			"duty 2026-03 1 100", "duty 2026-04 1 20", "duty 2026-05 1 4", "duty 2026-08 4 8000000000000000000")
		for n := 20; n < 24; n++ {
			post(n, 2, "", 0)
		}
		wantLines(t, counts(t, s, theirs, "duty", "vat"))
	})
}

// With many concurrent changes, nothing is counted twice or left out.
func TestTalliesOfConcurrentChanges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		created := day("2026-01-01T00:00:00Z")
		var all sync.WaitGroup
		for n := range 120 {
			all.Go(func() {
				err := s.Update(ctx, ours, func(tx *store.Tx) error {
					if err := tx.Write(step(tx, "thing", 100+n, 1, "", "DRAFT", created)); err != nil || n%3 != 0 {
						return err
					}
					return errors.New("no")
				})
				if (err != nil) != (n%3 == 0) {
					t.Errorf("%d: %v", n, err)
				}
			})
		}
		all.Wait()
		wantLines(t, counts(t, s, ours), "thing DRAFT 2026-01 80")
	})
}

// Every attempt of a delivery is counted for its outcome, however the delivery is finished.
func TestTalliesOfDeliveries(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		delivery := webhook.Delivery{ID: uuid(50), EndpointID: uuid(40), Status: webhook.Delivered, Attempts: 1}
		update(t, s, ours, func(tx *store.Tx) error { return tx.CompleteDelivery(delivery) })
		ref := webhook.Ref{Org: ours, EndpointID: uuid(40)}
		if err := s.CompleteDeliveries(ctx, []webhook.Completed{
			{Ref: ref, Delivery: delivery}, {Ref: ref, Delivery: webhook.Delivery{ID: uuid(51), Status: webhook.Failed, Attempts: 10}},
			{Ref: ref, Delivery: webhook.Delivery{ID: uuid(52), Status: webhook.Pending, Attempts: 1, DueAt: day("2026-01-01T00:00:00Z")}},
			{Ref: webhook.Ref{Org: theirs, EndpointID: uuid(41)}, Delivery: webhook.Delivery{ID: uuid(53), Status: webhook.Failed, Attempts: 1}},
		}); err != nil {
			t.Fatal(err)
		}
		wantLines(t, counts(t, s, ours), "DELIVERED 2", "FAILED 1", "PENDING 1")
		wantLines(t, counts(t, s, theirs), "FAILED 1")
	})
}

// The migration counts older records as if the counts had always been kept.
func TestTalliesOfOlderRecords(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b.AsOwner())
		for n, at := range []string{"2026-02-28T23:30:00.000Z", "2026-03-31T22:30:00.000Z", "2026-03-31T23:30:00.000Z", "2026-10-31T22:59:00.000Z", "2026-10-31T23:30:00.000Z", "2026-12-31T23:59:00.000Z"} {
			update(t, s, ours, func(tx *store.Tx) error {
				c := step(tx, "declaration", 10+n, 1, "", "CLEARED", day(at))
				c.Filing.Body = []byte(`{"declarationType":"IMPORT"}`)
				c.Filing.Added = []byte(`{"clearedAt":"` + at + `","totalDutyGbp":12.34,"totalVatGbp":100.1}`)
				c.HasPostings, c.Postings = true, []filing.Posting{{Ledger: "import_vat", At: day(at), Amount: 10010}, {Ledger: "import_duty", At: day(at), Amount: 1234}}
				return tx.Write(c)
			})
			update(t, s, theirs, func(tx *store.Tx) error {
				c := step(tx, "cbam.import", 30+n, 1, "", "RECORDED", day(at))
				c.Filing.Body, c.Filing.Added = []byte(`{"category":"CEMENT"}`), []byte(`{"embeddedEmissionsKgCo2":51450.125}`)
				c.HasPostings, c.Postings = true, []filing.Posting{{Ledger: "cbam_emissions.CEMENT", At: day(at), Amount: 51450125}}
				return tx.Write(c)
			})
		}
		ledgers := []string{"import_vat", "import_duty", "cbam_emissions.CEMENT"}
		before := append(counts(t, s, ours, ledgers...), counts(t, s, theirs, ledgers...)...)
		if len(before) != 25 {
			t.Fatalf("%d lines: %q", len(before), before)
		}
		update(t, s, ours, func(tx *store.Tx) error {
			for _, statement := range []string{
				"DROP TABLE filing_tallies", "DROP TABLE ledger_tallies", "DROP TABLE delivery_tallies", "DELETE FROM goose_db_version WHERE version_id = 30",
			} {
				if err := store.ExecUnguarded(tx, statement); err != nil {
					return err
				}
			}
			return store.ExecUnguarded(tx, "DELETE FROM postings WHERE ledger = 'import_duty'")
		})
		update(t, s, theirs, func(tx *store.Tx) error {
			return store.ExecUnguarded(tx, "DELETE FROM postings WHERE ledger LIKE 'cbam%'")
		})
		if err := store.Reapply(ctx, owned(t, b), b.Name, 30); err != nil {
			t.Fatal(err)
		}
		wantLines(t, append(counts(t, s, ours, ledgers...), counts(t, s, theirs, ledgers...)...), before...)
	})
}
