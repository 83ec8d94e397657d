package whatif_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// text is a value as JSON.
func text(v any) string {
	out, _ := json.Marshal(v)
	return string(out)
}

// Rows come by falling absolute difference, those that are not complete last and in no total.
func TestLines(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		preferred := line("6109100010", "CN", 100)
		preferred["preferentialOrigin"] = "CN" // the change replaces it too
		sum, rows := f.computed(object{
			"source": object{"lines": []object{
				preferred, line("8517620000", "CN", 5000), line("9999999999", "CN", 70), line("6109100010", "BD", 900),
			}},
			"change": object{"origin": "BD"}, "groupBy": []string{"chapter"},
		})
		// 2 % of 5,000 with VAT on it is 120; 12 % of 100 is 14.40
		if sum.Base.Total.String() != "1334.4" || sum.Changed.Total.String() != "1200" || sum.Difference.Total.String() != "-134.4" || sum.Lines != 3 || sum.Incomplete != 1 {
			t.Errorf("totals: %s", text(sum))
		}
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprint(r.Ref, " ", text(r.Difference)))
		}
		if fmt.Sprint(got) != "[1 -120 0 -14.4 3 0 2 null]" {
			t.Errorf("rows: %v", got)
		}
		if r := rows[1]; *r.OptionBefore != "Third-country duty" || !strings.HasPrefix(*r.OptionAfter, "Tariff preference") || r.Reasons[0].Code != "OPTION" ||
			!strings.Contains(text(r.Reasons), "A00 is £0.00 (0.00 %) instead of £12.00 (12.00 %).") {
			t.Errorf("row: %s", text(r))
		}
		if len(rows[2].Reasons) != 0 || rows[3].Reasons[0].Code != "CODE_UNKNOWN" {
			t.Errorf("reasons: %s", text(rows[2:]))
		}
		var groups []string
		for _, g := range sum.Groups {
			groups = append(groups, fmt.Sprint(g.Key["chapter"], " ", text(g.Difference.Total), " ", g.Lines, "+", g.Incomplete))
		}
		if fmt.Sprint(groups) != "[85 -120 1+0 61 -14.4 2+0 99 0 0+1]" {
			t.Errorf("groups: %v", groups)
		}
	})
}

// many are lines of several pieces.
func many(n int) (lines []object) {
	for i := range n {
		lines = append(lines, line([]string{"6109100010", "7208100000", "8517620000"}[i%3], "CN", float64(1000+i%97)))
	}
	return lines
}

// interrupted is a store that fails after some changes, as if the process had been killed.
type interrupted struct {
	whatif.Store
	left int
}

var errKilled = errors.New("killed")

// A run that was interrupted goes on with the piece that it had begun: the result is that of an undisturbed run, and each line
// counts once.
func TestInterruptedRunGoesOn(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		request := object{"source": object{"lines": many(1700)}, "change": object{"origin": "BD"}, "groupBy": []string{"heading"}}
		whole, rows := f.computed(request)
		j := f.create(ours, request)
		service := *f.service
		for _, changes := range []int{2, 2, 0} {
			service.Store = &interrupted{f.service.Store, changes}
			if err := service.Run(ctx, f.lease()); !errors.Is(err, errKilled) {
				t.Fatalf("run: %v", err)
			}
		}
		half, err := f.service.Find(ctx, ours, j.ID)
		if err != nil || half.Done != 1000 || half.Status != whatif.Running || half.Total != 1700 {
			t.Errorf("interrupted: %v %s", err, text(half))
		}
		f.run()
		again, rowsAgain := f.result(j.ID)
		if text(again) != text(whole) || text(rowsAgain) != text(rows) || again.Lines != 1700 {
			t.Errorf("resumed: %s, not %s", text(again), text(whole))
		}
	})
}

// A run whose lease was lost stores nothing more, wherever it is: while it gathers or computes, and at its end.
func TestFenced(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.service.Declarations = f.records(1)
		for name, source := range map[string]object{
			"lines": {"lines": many(3)}, "records": {"declarations": object{"from": "2026-11-26", "to": "2026-11-26"}},
		} {
			for read := 1; read <= 3; read++ {
				j := f.create(ours, object{"source": source, "change": object{"origin": "BD"}})
				leased := f.lease()
				var before whatif.Job
				service := *f.service
				service.Store = &overtaken{f.service.Store, read, func() {
					f.must(f.store.Update(ctx, ours, func(tx *store.Tx) error { return tx.LeaseWhatIf(j.ID, leased.Attempt+1) }))
					before, _ = f.service.Find(ctx, ours, j.ID)
				}}
				if err := service.Run(ctx, leased); !errors.Is(err, jobs.ErrLeaseLost) {
					t.Errorf("%s, read %d: %v", name, read, err)
				}
				after, err := f.service.Find(ctx, ours, j.ID)
				if err != nil || text(after) != text(before) {
					t.Errorf("%s, read %d: %v %s, not %s", name, read, err, text(after), text(before))
				}
				f.must(second(f.service.Cancel(ctx, by(ours), j.ID)))
				f.must(f.store.Update(ctx, ours, func(tx *store.Tx) error { return tx.FinishJob(leased) }))
			}
		}
	})
}

// A cancelled what-if does not run, has no result and leaves no lines; another organisation cannot see or cancel it.
func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		j := f.create(ours, object{"source": object{"lines": many(600)}, "change": object{"origin": "BD"}})
		for _, err := range []error{
			second(f.service.Find(ctx, theirs, j.ID)), second(f.service.Cancel(ctx, by(theirs), j.ID)), second(f.service.Result(ctx, theirs, j.ID)),
		} {
			if !apierr.Is(err, apierr.NotFound) {
				t.Errorf("another organisation: %v", err)
			}
		}
		if _, err := f.service.Result(ctx, ours, j.ID); !apierr.Is(err, apierr.InvalidState) {
			t.Errorf("result of a job that waits: %v", err)
		}
		for range 2 {
			if c, err := f.service.Cancel(ctx, by(ours), j.ID); err != nil || c.Status != whatif.Cancelled {
				t.Errorf("cancel: %v %s", err, c.Status)
			}
		}
		f.run()
		if c, err := f.service.Find(ctx, ours, j.ID); err != nil || c.Status != whatif.Cancelled || c.Done+c.Failed != 0 {
			t.Errorf("after the run: %v %s", err, text(c))
		}
		if _, err := f.service.Result(ctx, ours, j.ID); !apierr.Is(err, apierr.InvalidState) {
			t.Errorf("result: %v", err)
		}
		f.must(f.store.View(ctx, ours, func(tx *store.Tx) error {
			if _, found, err := tx.NextWhatIfPiece(j.ID); err != nil || found {
				t.Errorf("lines are left: %v", err)
			}
			return nil
		}))
	})
}

func second[T any](_ T, err error) error { return err }

// A what-if that is cancelled while it runs stops with the next piece.
func TestCancelRunning(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		j := f.create(ours, object{"source": object{"lines": many(1700)}, "change": object{"origin": "BD"}})
		service := *f.service
		service.Store = &interrupted{f.service.Store, 2}
		if err := service.Run(ctx, f.lease()); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		leased := f.lease()
		service.Store = &cancelling{Store: f.service.Store, cancel: func() { f.must(second(f.service.Cancel(ctx, by(ours), j.ID))) }}
		if err := service.Run(ctx, leased); err != nil {
			t.Errorf("run: %v", err)
		}
		if c, err := f.service.Find(ctx, ours, j.ID); err != nil || c.Status != whatif.Cancelled || c.Done != 500 {
			t.Errorf("cancelled: %v %s", err, text(c))
		}
		if n, err := f.store.LeaseJobs(ctx, whatif.Queue, 1, time.Second); err != nil || len(n) != 0 {
			t.Errorf("the job is left: %v %v", n, err)
		}
	})
}

// The result is kept for 30 days, and creation, cancellation and end are audit events.
func TestRetentionAndEvents(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		j := f.create(ours, object{"source": object{"lines": many(3)}, "change": object{"origin": "BD"}})
		f.run()
		f.must(f.store.DropWhatIfs(ctx, f.now.Add(-whatif.Retention)))
		f.result(j.ID)
		f.must(f.store.DropWhatIfs(ctx, f.now.Add(time.Millisecond)))
		if _, err := f.service.Find(ctx, ours, j.ID); !apierr.Is(err, apierr.NotFound) {
			t.Errorf("after 30 days: %v", err)
		}
		c := f.create(ours, object{"source": object{"lines": many(3)}, "change": object{"origin": "BD"}})
		f.must(second(f.service.Cancel(ctx, by(ours), c.ID)))
		var types []string
		f.must(f.store.View(ctx, ours, func(tx *store.Tx) error {
			events, err := tx.Events(audit.Query{Limit: 10})
			for _, e := range events {
				types = append(types, e.Type)
			}
			return err
		}))
		if fmt.Sprint(types) != "[whatif.cancelled whatif.created whatif.finished whatif.created]" {
			t.Errorf("events: %v", types)
		}
	})
}

// An organisation has a limited number of what-ifs that have not ended, of which one runs at a time.
func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		first := object{"source": object{"lines": many(1)}, "change": object{"origin": "BD"}}
		for range 20 {
			f.create(ours, first)
		}
		p, err := f.service.Prepare(ctx, ours, []byte(text(first)), f.now, nil)
		f.must(err)
		err = f.store.Update(ctx, ours, func(tx *store.Tx) error { _, err := f.service.Create(tx, by(ours), p); return err })
		if !apierr.Is(err, apierr.InvalidState) {
			t.Errorf("one more: %v", err)
		}
		f.create(theirs, first)
	})
}

// What makes a request meaningless is named, all at once.
func TestFaults(t *testing.T) {
	f := newFixture(t, sqliteBackend(t))
	for _, c := range []struct {
		request object
		fields  string
	}{
		{object{"source": object{}, "change": object{}}, "change source"},
		{object{"source": object{"lines": many(1), "date": "2026-02-30"}, "change": object{"date": "tomorrow"}}, "change.date source.date"},
		{object{"source": object{"lines": []object{{"date": "1", "commodityCode": "6109100010", "origin": "CN", "price": object{"amount": 1, "currency": "GBP"}}}}, "change": object{"cbam": true}},
			"source.lines[0].date"},
		{object{"source": object{"lines": many(1), "products": true}, "change": object{"cbam": true}}, "source"},
		{object{"source": object{"lines": many(1), "edition": 77, "rateTable": "9"}, "change": object{"edition": 78}}, "source.edition source.rateTable change.edition"},
		{object{"source": object{"declarations": object{"from": "2026-02-01", "to": "2026-01-01"}, "date": "2026-01-01", "incoterm": "CIF"}, "change": object{"origin": "BD"}},
			"source.date source.declarations.to source.incoterm"},
		{object{"source": object{"lines": []object{line("6109100010", "CN", 1), line("", "GB", 1), {"price": object{"amount": 1, "currency": "GBP"}, "productId": string(ours)}}},
			"change": object{"origin": "BD"}, "groupBy": []string{"chapter", "chapter"}}, "groupBy[1]"},
		{object{"source": object{"lines": []object{line("6109100010", "CN", 1), line("", "GB", 1), {"price": object{"amount": 1, "currency": "GBP"}, "productId": string(ours)}}},
			"change": object{"origin": "BD"}}, "source.lines[1].commodityCode source.lines[1].dispatchCountry source.lines[2].productId"},
	} {
		_, err := f.service.Prepare(ctx, ours, []byte(text(c.request)), f.now, nil)
		var e *apierr.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.fields, err)
			continue
		}
		var fields []string
		for _, d := range e.Details {
			fields = append(fields, d.Field)
		}
		if strings.Join(fields, " ") != c.fields {
			t.Errorf("%v, not %s", fields, c.fields)
		}
	}
}

// The edition and the rates are fixed when the what-if is made; the changed case may have another edition.
func TestEditions(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		lines := object{"lines": []object{line("6109100010", "CN", 100)}}
		j := f.create(ours, object{"source": lines, "change": object{"origin": "BD"}})
		f.edition(map[string]float64{"6109100010": 10})
		f.run()
		if sum, _ := f.result(j.ID); sum.Base.Total.String() != "34.4" {
			t.Errorf("edition of the creation: %s", text(sum))
		}
		sum, rows := f.computed(object{"source": lines, "change": object{"edition": 1}})
		if sum.Difference.Total.String() != "2.4" || !strings.Contains(text(rows[0].Reasons), "A00 is £12.00 (12.00 %) instead of £10.00 (10.00 %).") {
			t.Errorf("edition 1: %s %s", text(sum), text(rows))
		}
	})
}

// The CSV has the rows in their order.
func TestCSV(t *testing.T) {
	f := newFixture(t, sqliteBackend(t))
	j := f.create(ours, object{"source": object{"lines": many(1200)}, "change": object{"origin": "BD"}})
	f.run()
	var out bytes.Buffer
	f.must(f.service.WriteCSV(ctx, ours, j.ID, &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\r\n")
	if len(lines) != 1201 || !strings.HasPrefix(lines[0], "ref,commodityCode,baseGbp") || !strings.HasPrefix(lines[1], "96,6109100010,377.02,219.20,-157.82,") {
		t.Errorf("%d lines: %q", len(lines), lines[:2])
	}
}
