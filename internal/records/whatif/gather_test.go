package whatif_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// linesOfRecord is how many lines each record has.
const linesOfRecord = 200

// records creates records, one an hour, each of which has many lines.
func (f *fixture) records(n int) whatif.Records {
	f.Helper()
	kind := customs.Clients.Type()
	filings := &filing.Service{IDs: ident.NewSource(rand.NewChaCha8([32]byte{2}), func() time.Time { return f.now })}
	for i := range n {
		in, err := kind.Parse(json.RawMessage(fmt.Sprintf(`{"name": "Client %d"}`, i)), f.now)
		f.must(err)
		f.must(f.store.Update(ctx, ours, func(tx *store.Tx) error { _, err := filings.Create(tx, by(ours), kind, in); return err }))
		f.now = f.now.Add(time.Hour)
	}
	return whatif.Records{Kind: kind.Kind, Page: 3, Lines: func(r *filing.Filing) ([]whatif.Goods, error) {
		all := make([]whatif.Goods, linesOfRecord)
		for i := range all {
			if err := json.Unmarshal([]byte(text(line("6109100010", "CN", float64(100+i)))), &all[i]); err != nil {
				return nil, err
			}
			if all[i].Ref = fmt.Sprintf("%s/%d", r.ID, i); i == 0 {
				all[i].SuspendedBy = "Customs warehousing (procedure 71)"
			}
		}
		return all, nil
	}}
}

// Lines of records are gathered once, also if the run is interrupted meanwhile, and of the chosen days only. Records that change or
// come later do not matter.
func TestGather(t *testing.T) {
	each(t, func(t *testing.T, f *fixture) {
		f.service.Declarations = f.records(20) // 15 of them before midnight in London
		request := object{"source": object{"declarations": object{"from": "2026-11-26", "to": "2026-11-26"}}, "change": object{"origin": "BD"}}
		whole, rows := f.computed(request)
		if whole.Lines != 15*linesOfRecord {
			t.Fatalf("%d lines", whole.Lines)
		}
		suspended := 0
		for _, row := range rows {
			if strings.Contains(text(row), `"SUSPENDED","message":"Customs warehousing (procedure 71) suspends charges`) {
				suspended++
			}
		}
		if suspended != 15 {
			t.Errorf("%d rows say that their charges are suspended", suspended)
		}
		j := f.create(ours, request)
		service := *f.service
		for _, changes := range []int{2, 3, 3} {
			service.Store = &interrupted{f.service.Store, changes}
			if err := service.Run(ctx, f.lease()); !errors.Is(err, errKilled) {
				t.Fatalf("run: %v", err)
			}
		}
		f.run()
		again, rowsAgain := f.result(j.ID)
		if text(again) != text(whole) || text(rowsAgain) != text(rows) {
			t.Errorf("resumed: %s, not %s", text(again), text(whole))
		}
		later := object{"source": object{"declarations": object{"from": "2026-11-27", "to": "2026-11-27", "status": "ACTIVE"}}, "change": object{"origin": "BD"}}
		if sum, _ := f.computed(later); sum.Lines != 5*linesOfRecord {
			t.Errorf("the next day: %d lines", sum.Lines)
		}
		later["source"].(object)["declarations"].(object)["status"] = "DRAFT"
		if sum, rows := f.computed(later); sum.Lines != 0 || len(rows) != 0 {
			t.Errorf("no status: %d lines", sum.Lines)
		}
	})
}

// A what-if that cannot go on fails with the reason, and its job is finished.
func TestFailure(t *testing.T) {
	f := newFixture(t, sqliteBackend(t))
	f.service.Declarations = f.records(1)
	read := f.service.Declarations.Lines
	f.service.Declarations.Lines = func(r *filing.Filing) ([]whatif.Goods, error) {
		lines, err := read(r)
		for len(lines) <= whatif.MaxLines {
			lines = append(lines, lines...)
		}
		return lines, err
	}
	j := f.create(ours, object{"source": object{"declarations": object{"from": "2026-11-26", "to": "2026-11-26"}}, "change": object{"origin": "BD"}})
	f.run()
	_, err := f.service.Result(ctx, ours, j.ID)
	var e *apierr.Error
	if !errors.As(err, &e) || e.Message != "The what-if failed: There are more than 100000 lines. Choose a shorter time." {
		t.Errorf("result: %v", err)
	}
	if n, err := f.store.LeaseJobs(ctx, whatif.Queue, 1, time.Second); err != nil || len(n) != 0 {
		t.Errorf("the job is left: %v %v", n, err)
	}
}
