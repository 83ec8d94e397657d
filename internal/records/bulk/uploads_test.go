package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

func (d *desk) uploads() *bulk.Uploads {
	guess := func(_ context.Context, columns []mapping.Column) ([]mapping.Guess, error) {
		return mapping.Map(columns), nil
	}
	return &bulk.Uploads{Importer: d.importer(), Mapper: guess, IDs: d.ids, Turns: bulk.NewTurns(1, 1)}
}

func (d *desk) take(file string) bulk.Upload {
	d.Helper()
	up, err := d.uploads().Take(ctx, by(ours), `C:\\lists\\clients.csv`, []byte(file))
	d.must(err)
	return up
}

func (d *desk) start(id string) error {
	return d.store.Update(ctx, ours, func(tx *store.Tx) error { return d.uploads().Start(tx, by(ours), id) })
}

// lease takes the job that stores the rows.
func (d *desk) lease() jobs.Job {
	d.Helper()
	jobs, err := d.store.LeaseJobs(ctx, bulk.ImportQueue, 1, time.Minute)
	d.must(err)
	if len(jobs) != 1 {
		d.Fatalf("%d jobs", len(jobs))
	}
	return jobs[0]
}

func (d *desk) upload(id string) (up bulk.Upload, notes []bulk.Note, fileGone bool) {
	d.Helper()
	d.must(d.store.View(ctx, ours, func(tx *store.Tx) (err error) {
		if up, err = tx.Upload(id); err != nil {
			return err
		}
		_, gone := tx.UploadFile(id)
		fileGone = apierr.Is(gone, apierr.NotFound)
		notes, err = tx.UploadNotes(id)
		return err
	}))
	return up, notes, fileGone
}

const mixed = "Company;Land;Memo\nA Ltd;GB;one\n;GB;two\nB Ltd;Germany;\nA Ltd;GB;three\nOld Ltd;FR;\n"

// A table is taken with what its columns hold, judged without anything being stored,
// and stored by a job to the same counts; what is said of its rows stays, its file
// does not, and the trail tells of it.
func TestUpload(t *testing.T) {
	each(t, func(d *desk) {
		d.client(ours, `{"name":"OLD LTD"}`)
		up := d.take(mixed)
		if up.Name != "clients.csv" || up.Rows != 5 || up.Columns[0].Field != "name" || up.Columns[1].Field != "country" || up.Columns[2].Field != "" ||
			!reflect.DeepEqual(up.Columns[2].Examples, []string{"one", "two", "three"}) {
			d.Errorf("taken as %+v", up)
		}
		checked, err := d.uploads().Check(ctx, by(ours), up.ID, up.Mapping)
		d.must(err)
		want := []bulk.Note{
			{RowError: bulk.RowError{Row: 2, Field: "name", Message: "is required"}, Value: ""},
			{RowError: bulk.RowError{Row: 3, Field: "country", Message: "is too long"}, Value: "Germany"},
			{RowError: bulk.RowError{Row: 4, Field: "name", Message: "is that of an earlier row"}, Value: "A Ltd", Skipped: true},
			{RowError: bulk.RowError{Row: 5, Field: "name", Message: "is that of a client who is there already"}, Value: "Old Ltd", Skipped: true},
		}
		if _, notes, _ := d.upload(up.ID); checked.Created != 1 || checked.Skipped != 2 || checked.Failed != 2 || !reflect.DeepEqual(notes, want) {
			d.Errorf("checked: %+v %+v", checked, notes)
		}
		if len(d.bodies(ours)) != 1 {
			d.Error("a check stores clients")
		}
		d.must(d.start(up.ID))
		d.must(d.uploads().Run(ctx, d.lease()))
		done, notes, gone := d.upload(up.ID)
		if done.State != bulk.Finished || done.Done != 5 || done.Created != 1 || done.Skipped != 2 || done.Failed != 2 || len(notes) != 4 || !gone {
			d.Errorf("done: %+v %+v %v", done, notes, gone)
		}
		if got := d.bodies(ours); len(got) != 2 || got[1] != `{"name":"A Ltd","country":"GB"}` {
			d.Errorf("stored %s", got)
		}
		if events := d.events(ours); events[len(events)-1] != `import.clients u {"created":1,"failed":2,"rows":5,"skipped":2}` {
			d.Errorf("events %q", events)
		}
		if jobs, err := d.store.LeaseJobs(ctx, bulk.ImportQueue, 1, time.Minute); err != nil || len(jobs) != 0 {
			d.Errorf("jobs are left: %v %v", jobs, err)
		}
	})
}

// A job that broke off goes on where it was, and the counts are those of one that did
// not; one that was taken over stores nothing more.
func TestUploadGoesOn(t *testing.T) {
	each(t, func(d *desk) {
		const many = 1700
		var file strings.Builder
		file.WriteString("Company,EORI\n")
		for n := range many {
			fmt.Fprintf(&file, "Trader %d,GB%012d\n", n, n)
		}
		up := d.take(file.String())
		_, err := d.uploads().Check(ctx, by(ours), up.ID, up.Mapping)
		d.must(err)
		d.must(d.start(up.ID))
		job := d.lease()
		gone, leave := context.WithCancel(ctx)
		u := d.uploads()
		u.Store = &breaking{desk: d, after: 2, breaks: leave}
		if err := u.Run(gone, job); !errors.Is(err, context.Canceled) {
			d.Fatalf("got %v", err)
		}
		half, _, _ := d.upload(up.ID)
		if half.State != bulk.Running || half.Done != 1000 || half.Created != 1000 || len(d.bodies(ours)) != 1000 {
			d.Fatalf("half: %+v, %d clients", half, len(d.bodies(ours)))
		}
		d.must(d.uploads().Run(ctx, job))
		if done, _, _ := d.upload(up.ID); done.Created != many || done.Skipped != 0 || len(d.bodies(ours)) != many {
			d.Errorf("done: %+v", done)
		}
		err = d.store.Update(ctx, ours, func(tx *store.Tx) error { return tx.AdvanceUpload(half, half.Done, nil) })
		if !errors.Is(err, jobs.ErrLeaseLost) {
			d.Errorf("who was overtaken: %v", err)
		}
	})
}

// An import whose job was given up says so, cannot be taken for one that is under way,
// and goes on where it was when somebody starts it again.
func TestUploadGivenUp(t *testing.T) {
	each(t, func(d *desk) {
		up := d.take(mixed)
		_, err := d.uploads().Check(ctx, by(ours), up.ID, up.Mapping)
		d.must(err)
		d.must(d.start(up.ID))
		job := d.lease()
		if now, _, _ := d.upload(up.ID); now.GivenUp || now.State != bulk.Running {
			d.Errorf("under way: %+v", now)
		}
		if err := d.start(up.ID); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("started twice: %v", err)
		}
		d.must(d.store.Bury(ctx, job, "no more"))
		d.must(d.store.View(ctx, ours, func(tx *store.Tx) error {
			all, err := tx.Uploads(5)
			if len(all) != 1 || !all[0].GivenUp || all[0].State != bulk.Running {
				d.Errorf("listed as %+v", all)
			}
			return err
		}))
		d.must(d.start(up.ID))
		d.must(d.uploads().Run(ctx, d.lease()))
		if done, _, gone := d.upload(up.ID); done.State != bulk.Finished || done.GivenUp || done.Done != 5 || done.Created != 2 || !gone {
			d.Errorf("done: %+v", done)
		}
		again := d.take(mixed)
		_, err = d.uploads().Check(ctx, by(ours), again.ID, again.Mapping)
		d.must(err)
		d.must(d.start(again.ID))
		d.must(d.store.Bury(ctx, d.lease(), "no more"))
		d.must(d.store.Update(ctx, ours, func(tx *store.Tx) error { return d.uploads().Discard(tx, again.ID) }))
	})
}

// Steps come in their order, a mapping is held to the columns, and uploads that
// nobody finishes are few and go after a day.
func TestUploadSteps(t *testing.T) {
	each(t, func(d *desk) {
		up := d.take(mixed)
		if err := d.start(up.ID); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("started unchecked: %v", err)
		}
		memo, none := "Memo", "None"
		for field, m := range map[string]bulk.Mapping{
			"name": {"name": nil}, "eori": {"name": &memo, "eori": &memo}, "city": {"name": &memo, "city": &none},
		} {
			_, err := d.uploads().Check(ctx, by(ours), up.ID, m)
			if f, ok := apierr.As(err); !ok || len(f.Details) != 1 || f.Details[0].Field != field {
				d.Errorf("%s: %v", field, err)
			}
		}
		for range bulk.MaxOpen - 1 {
			d.take(mixed)
		}
		if _, err := d.uploads().Take(ctx, by(ours), "x", []byte(mixed)); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("one too many: %v", err)
		}
		if _, err := d.uploads().Check(ctx, by(theirs), up.ID, up.Mapping); !apierr.Is(err, apierr.NotFound) {
			d.Errorf("of another organisation: %v", err)
		}
		d.now = nine.Add(25 * time.Hour)
		d.take(mixed)
		d.must(d.store.Update(ctx, ours, func(tx *store.Tx) error {
			if all, err := tx.Uploads(100); len(all) != 1 || err != nil {
				d.Errorf("%d are there after a day: %v", len(all), err)
			}
			all, _ := tx.Uploads(1)
			return d.uploads().Discard(tx, all[0].ID)
		}))
		d.must(d.store.View(ctx, ours, func(tx *store.Tx) error {
			if all, err := tx.Uploads(100); len(all) != 0 || err != nil {
				d.Errorf("%d are there when discarded: %v", len(all), err)
			}
			return nil
		}))
	})
}
