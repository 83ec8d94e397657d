package bulk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const named = `{"mapping":{"name":"N","eori":"E","city":"C","country":"L","phone":"P"},"rows":[{"N":"","E":"","C":"","L":"","P":""},`

// Valid rows become clients, each with its audit event. Surrounding spaces and empty values are
// removed; numbers stay as they are written.
func TestImport(t *testing.T) {
	each(t, func(d *fixture) {
		out := d.commit(ours, named+`{"N":" A & B ","E":"GB123456789000","C":"=1+1","L":"","P":1394555000,"X":[1]},{"C":"","N":"Bé \"x\"","P":null}]}`)
		if want := (bulk.Outcome{Created: 2, Failed: 1, Errors: []bulk.RowError{{Row: 1, Field: "name", Message: "is required"}}}); !reflect.DeepEqual(out, want) {
			t.Errorf("got %+v", out)
		}
		want := []string{`{"name":"A & B","eori":"GB123456789000","phone":"1394555000","city":"=1+1"}`, `{"name":"Bé \"x\""}`}
		if got := d.bodies(ours); !reflect.DeepEqual(got, want) {
			d.Errorf("got %s", got)
		}
		if got := d.events(ours); len(got) != 2 || !strings.HasPrefix(got[0], "client.created u ") {
			d.Errorf("events %q", got)
		}
	})
}

// A row is skipped if an existing client or an earlier row has its EORI, or, without an EORI, its
// name; spelling differences are ignored. Clients of other organisations and invalid rows do not
// count.
func TestSkipped(t *testing.T) {
	each(t, func(d *fixture) {
		d.client(ours, `{"name":"Old Ltd","eori":"GB000000000001"}`)
		d.client(theirs, `{"name":"Theirs Ltd","eori":"GB000000000009"}`)
		out := d.commit(ours, named+strings.Join([]string{
			`{"N":"Another","E":"gb 0000 0000 0001"}`,            // 2: an existing client's EORI
			`{"N":" OLD  ltd"}`,                                  // 3: name of an existing client
			`{"N":"Old Ltd","E":"GB000000000002"}`,               // 4: the same name, but a different EORI
			`{"N":"Theirs Ltd","E":"GB000000000009"}`,            // 5: only in another organisation
			`{"N":"New","E":"GB000000000003","L":"Atlantis"}`,    // 6: invalid
			`{"N":"New","E":"GB000000000003"}`,                   // 7: the same, valid
			`{"N":"new","E":"GB000000000003 "}`,                  // 8: an earlier row's EORI
			`{"N":"NEW"}`,                                        // 9: an earlier row's name
			`{"N":true,"E":{"x":1},"C":["y"]}`,                   // 10: not text
			`{"N":"Müller"}`, `{"N":"MÜLLER"}`, `{"N":"Muller"}`, // 11, 12, 13
		}, ",")+"]}")
		want := bulk.Outcome{Created: 5, Skipped: 5, Failed: 3, Errors: []bulk.RowError{
			{Row: 1, Field: "name", Message: "is required"}, {Row: 6, Field: "country", Message: "is too long"},
			{Row: 10, Field: "name", Message: "must be text"}, {Row: 10, Field: "eori", Message: "must be text"}, {Row: 10, Field: "city", Message: "must be text"},
		}}
		if !reflect.DeepEqual(out, want) {
			d.Errorf("got %+v", out)
		}
		if got := d.bodies(theirs); len(got) != 1 {
			d.Errorf("theirs: %s", got)
		}
	})
}

// Corrections of a client change the names by which it is recognised.
func TestSkippedAfterCorrection(t *testing.T) {
	each(t, func(d *fixture) {
		f := d.client(ours, `{"name":"Old","eori":"GB000000000001"}`)
		d.correct(ours, f.ID, `{"name":"Renamed","eori":"GB000000000002"}`)
		d.correct(ours, f.ID, `{"name":"Renamed","eori":"GB000000000002","city":"Hull"}`)
		out := d.commit(ours, `{"mapping":{"name":"N","eori":"E"},"rows":[{"N":"x","E":"GB000000000002"},{"N":"Renamed"},{"N":"y","E":"GB000000000001"},{"N":"Old"}]}`)
		if out.Created != 2 || out.Skipped != 2 {
			d.Errorf("got %+v", out)
		}
	})
}

// An import in several transactions stores each row once, in order. Repeating it stores nothing.
func TestImportAgain(t *testing.T) {
	each(t, func(d *fixture) {
		const count = 1234
		body := rowsNamed(count)
		if out := d.commit(ours, body); out.Created != count {
			d.Errorf("got %+v", out)
		}
		if out := d.commit(ours, body); out.Skipped != count || out.Created != 0 {
			d.Errorf("again: %+v", out)
		}
		bodies := d.bodies(ours)
		if len(bodies) != count || bodies[count-1] != fmt.Sprintf(`{"name":"Trader %d","eori":"GB%012d"}`, count-1, count-1) {
			d.Errorf("%d clients, the last %s", len(bodies), bodies[len(bodies)-1])
		}
		if got := len(d.events(ours)); got != count {
			d.Errorf("%d events", got)
		}
	})
}

func rowsNamed(count int) string {
	var body strings.Builder
	body.WriteString(`{"mapping":{"name":"Company","eori":"EORI"},"rows":[`)
	for n := range count {
		if n > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"Company":"Trader %d","EORI":"GB%012d"}`, n, n)
	}
	body.WriteString("]}")
	return body.String()
}

// Two simultaneous imports of the same rows store each row once.
func TestImportTwiceAtOnce(t *testing.T) {
	each(t, func(d *fixture) {
		const count = 2000
		c, err := bulk.ReadCommit([]byte(rowsNamed(count)), d.clients.Fields())
		d.must(err)
		outcomes := make(chan bulk.Outcome, 2)
		for range cap(outcomes) {
			go func() {
				out, err := d.importer().Import(ctx, by(ours), c)
				if err != nil {
					d.Error(err)
				}
				outcomes <- out
			}()
		}
		a, b := <-outcomes, <-outcomes
		if a.Created+b.Created != count || a.Skipped+b.Skipped != count || len(d.bodies(ours)) != count {
			d.Errorf("got %+v and %+v, %d clients", a, b, len(d.bodies(ours)))
		}
	})
}

// An interrupted import returns an error, keeps complete transactions, and can be repeated.
func TestImportInterrupted(t *testing.T) {
	each(t, func(d *fixture) {
		const count = 2000
		c, err := bulk.ReadCommit([]byte(rowsNamed(count)), d.clients.Fields())
		d.must(err)
		cancelled, cancel := context.WithCancel(ctx)
		breaking := &cancellingStore{fixture: d, after: 2, breaks: cancel}
		i := d.importer()
		i.Store = breaking
		if _, err := i.Import(cancelled, by(ours), c); !errors.Is(err, context.Canceled) {
			d.Errorf("got %v", err)
		}
		kept := len(d.bodies(ours))
		if kept == 0 || kept == count || kept%500 != 0 {
			d.Errorf("%d rows are stored", kept)
		}
		out, err := d.importer().Import(ctx, by(ours), c)
		d.must(err)
		if out.Created != count-kept || out.Skipped != kept {
			d.Errorf("got %+v after %d", out, kept)
		}
	})
}

// cancellingStore is a store whose caller's context ends after some transactions.
type cancellingStore struct {
	*fixture
	after  int
	breaks func()
}

func (b *cancellingStore) UpdateBulk(ctx context.Context, org tenant.ID, fn func(bulk.Tx) error) error {
	if b.after--; b.after < 0 {
		b.breaks()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.fixture.UpdateBulk(ctx, org, fn)
}

// A panic while a row is checked ends the import with an error and not the process.
func TestImportPanics(t *testing.T) {
	d := newFixture(t, storetest.SQLite(t))
	c, err := bulk.ReadCommit([]byte(rowsNamed(3)), d.clients.Fields())
	d.must(err)
	i := d.importer()
	i.CheckRow = func(json.RawMessage) (filing.Input, error) { panic("internal error") }
	if _, err := i.Import(ctx, by(ours), c); err == nil || !strings.Contains(err.Error(), "internal error") {
		t.Errorf("got %v", err)
	}
}

// At most 10,000 errors are reported; all are counted.
func TestImportErrorsAreCapped(t *testing.T) {
	d := newFixture(t, storetest.SQLite(t))
	rows := strings.Repeat(`,{"N":"","L":"long"}`, 6000)
	out := d.commit(ours, `{"mapping":{"name":"N","country":"L"},"rows":[`+rows[1:]+`]}`)
	if out.Failed != 6000 || len(out.Errors) != 10_000 || out.Errors[9999].Row != 5000 {
		t.Errorf("%d failed, %d errors", out.Failed, len(out.Errors))
	}
}

// Batches come in order; iteration ends after the last batch, with an error, or when the context ends.
func TestAhead(t *testing.T) {
	count := func(until int, failure error) func(context.Context) ([]int, error) {
		n := 0
		return func(context.Context) ([]int, error) {
			if n++; n > until {
				return nil, failure
			}
			return []int{n}, nil
		}
	}
	collect := func(ctx context.Context, next func(context.Context) ([]int, error)) (got []int, err error) {
		for portion, failed := range bulk.Prefetch(ctx, next) {
			if failed != nil {
				return got, failed
			}
			got = append(got, portion...)
		}
		return got, nil
	}
	broken := errors.New("broken")
	if got, err := collect(ctx, count(3, nil)); err != nil || !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := collect(ctx, count(2, broken)); err != broken || !slices.Equal(got, []int{1, 2}) {
		t.Errorf("got %v, %v", got, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if got, err := collect(cancelled, count(1_000_000, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %d, %v", len(got), err)
	}
	for portion := range bulk.Prefetch(ctx, count(1_000_000, nil)) {
		if portion[0] == 5 {
			break
		}
	}
}
