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

// Rows become clients as they are, without the blanks around a value and without
// empty values, each with its event; numbers are kept as they are written.
func TestImport(t *testing.T) {
	each(t, func(d *desk) {
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

// A row is skipped when an existing client or an earlier row has its EORI, however it
// is typed, or, when it has no EORI, its name. Another organisation's clients count for
// nothing, and a faulty row takes no other's place.
func TestSkipped(t *testing.T) {
	each(t, func(d *desk) {
		d.client(ours, `{"name":"Old Ltd","eori":"GB000000000001"}`)
		d.client(theirs, `{"name":"Theirs Ltd","eori":"GB000000000009"}`)
		out := d.commit(ours, named+strings.Join([]string{
			`{"N":"Another","E":"gb 0000 0000 0001"}`,            // 2: an existing client's EORI
			`{"N":" OLD  ltd"}`,                                  // 3: an existing client's name
			`{"N":"Old Ltd","E":"GB000000000002"}`,               // 4: its name, but an EORI of its own
			`{"N":"Theirs Ltd","E":"GB000000000009"}`,            // 5: known elsewhere only
			`{"N":"New","E":"GB000000000003","L":"Atlantis"}`,    // 6: faulty
			`{"N":"New","E":"GB000000000003"}`,                   // 7: the same, sound
			`{"N":"new","E":"GB000000000003 "}`,                  // 8: an earlier row's EORI
			`{"N":"NEW"}`,                                        // 9: an earlier row's name
			`{"N":true,"E":{"x":1},"C":["y"]}`,                   // 10: no text
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

// What a client is found by follows its corrections.
func TestSkippedAfterCorrection(t *testing.T) {
	each(t, func(d *desk) {
		f := d.client(ours, `{"name":"Old","eori":"GB000000000001"}`)
		d.correct(ours, f.ID, `{"name":"Renamed","eori":"GB000000000002"}`)
		d.correct(ours, f.ID, `{"name":"Renamed","eori":"GB000000000002","city":"Hull"}`)
		out := d.commit(ours, `{"mapping":{"name":"N","eori":"E"},"rows":[{"N":"x","E":"GB000000000002"},{"N":"Renamed"},{"N":"y","E":"GB000000000001"},{"N":"Old"}]}`)
		if out.Created != 2 || out.Skipped != 2 {
			d.Errorf("got %+v", out)
		}
	})
}

// An import of many rows, more than one transaction's, stores each once and in order;
// sent again, it stores nothing more.
func TestImportAgain(t *testing.T) {
	each(t, func(d *desk) {
		const many = 1234
		body := rowsNamed(many)
		if out := d.commit(ours, body); out.Created != many {
			d.Errorf("got %+v", out)
		}
		if out := d.commit(ours, body); out.Skipped != many || out.Created != 0 {
			d.Errorf("again: %+v", out)
		}
		bodies := d.bodies(ours)
		if len(bodies) != many || bodies[many-1] != fmt.Sprintf(`{"name":"Trader %d","eori":"GB%012d"}`, many-1, many-1) {
			d.Errorf("%d clients, the last %s", len(bodies), bodies[len(bodies)-1])
		}
		if got := len(d.events(ours)); got != many {
			d.Errorf("%d events", got)
		}
	})
}

func rowsNamed(many int) string {
	var body strings.Builder
	body.WriteString(`{"mapping":{"name":"Company","eori":"EORI"},"rows":[`)
	for n := range many {
		if n > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"Company":"Trader %d","EORI":"GB%012d"}`, n, n)
	}
	body.WriteString("]}")
	return body.String()
}

// Two imports of the same rows at once store each row once.
func TestImportTwiceAtOnce(t *testing.T) {
	each(t, func(d *desk) {
		const many = 2000
		c, err := bulk.ReadCommit([]byte(rowsNamed(many)), d.clients.Fields())
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
		if a.Created+b.Created != many || a.Skipped+b.Skipped != many || len(d.bodies(ours)) != many {
			d.Errorf("got %+v and %+v, %d clients", a, b, len(d.bodies(ours)))
		}
	})
}

// An import that breaks off, because its caller goes away or the database fails, says
// so, keeps whole transactions, and is finished by sending it again.
func TestImportBreaksOff(t *testing.T) {
	each(t, func(d *desk) {
		const many = 2000
		c, err := bulk.ReadCommit([]byte(rowsNamed(many)), d.clients.Fields())
		d.must(err)
		gone, leave := context.WithCancel(ctx)
		breaking := &breaking{desk: d, after: 2, breaks: leave}
		i := d.importer()
		i.Store = breaking
		if _, err := i.Import(gone, by(ours), c); !errors.Is(err, context.Canceled) {
			d.Errorf("got %v", err)
		}
		kept := len(d.bodies(ours))
		if kept == 0 || kept == many || kept%500 != 0 {
			d.Errorf("%d are kept", kept)
		}
		out, err := d.importer().Import(ctx, by(ours), c)
		d.must(err)
		if out.Created != many-kept || out.Skipped != kept {
			d.Errorf("got %+v after %d", out, kept)
		}
	})
}

// breaking is a store whose caller leaves after so many transactions.
type breaking struct {
	*desk
	after  int
	breaks func()
}

func (b *breaking) UpdateBulk(ctx context.Context, org tenant.ID, fn func(bulk.Tx) error) error {
	if b.after--; b.after < 0 {
		b.breaks()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.desk.UpdateBulk(ctx, org, fn)
}

// A fault of ours while a row is judged ends the import with an error, not the program.
func TestImportPanics(t *testing.T) {
	d := newDesk(t, storetest.SQLite(t))
	c, err := bulk.ReadCommit([]byte(rowsNamed(3)), d.clients.Fields())
	d.must(err)
	i := d.importer()
	i.Judge = func(json.RawMessage) (filing.Input, error) { panic("a fault of ours") }
	if _, err := i.Import(ctx, by(ours), c); err == nil || !strings.Contains(err.Error(), "a fault of ours") {
		t.Errorf("got %v", err)
	}
}

// Ten thousand faults are told, and all of them counted.
func TestImportFaultsEnd(t *testing.T) {
	d := newDesk(t, storetest.SQLite(t))
	rows := strings.Repeat(`,{"N":"","L":"long"}`, 6000)
	out := d.commit(ours, `{"mapping":{"name":"N","country":"L"},"rows":[`+rows[1:]+`]}`)
	if out.Failed != 6000 || len(out.Errors) != 10_000 || out.Errors[9999].Row != 5000 {
		t.Errorf("%d failed, %d told", out.Failed, len(out.Errors))
	}
}

// Portions come in order and end with an error, the caller's leaving, or the last.
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
		for portion, failed := range bulk.Ahead(ctx, next) {
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
	gone, leave := context.WithCancel(ctx)
	leave()
	if got, err := collect(gone, count(1_000_000, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %d, %v", len(got), err)
	}
	for portion := range bulk.Ahead(ctx, count(1_000_000, nil)) {
		if portion[0] == 5 {
			break
		}
	}
}
