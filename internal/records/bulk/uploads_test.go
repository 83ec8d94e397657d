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

func (d *fixture) uploads() *bulk.Uploads {
	guess := func(_ context.Context, columns []mapping.Column) ([]mapping.Guess, error) {
		return mapping.Map(columns), nil
	}
	return &bulk.Uploads{Importer: d.importer(), Mapper: guess, IDs: d.ids, Semaphore: bulk.NewSemaphore(1, 1)}
}

func (d *fixture) take(file string) bulk.Upload {
	d.Helper()
	up, err := d.uploads().Add(ctx, by(ours), `C:\\lists\\clients.csv`, []byte(file))
	d.must(err)
	return up
}

func (d *fixture) start(id string) error {
	return d.store.Update(ctx, ours, func(tx *store.Tx) error { return d.uploads().Start(tx, by(ours), id) })
}

// lease leases the job that stores the rows.
func (d *fixture) lease() jobs.Job {
	d.Helper()
	jobs, err := d.store.LeaseJobs(ctx, bulk.ImportQueue, 1, time.Minute)
	d.must(err)
	if len(jobs) != 1 {
		d.Fatalf("%d jobs", len(jobs))
	}
	return jobs[0]
}

func (d *fixture) upload(id string) (up bulk.Upload, notes []bulk.Note, fileGone bool) {
	d.Helper()
	d.must(d.store.View(ctx, ours, func(tx *store.Tx) (err error) {
		if up, err = tx.Upload(id); err != nil {
			return err
		}
		_, noFile := tx.UploadFile(id)
		fileGone = apierr.Is(noFile, apierr.NotFound)
		notes, err = tx.UploadNotes(id)
		return err
	}))
	return up, notes, fileGone
}

const mixed = "Company;Land;Memo\nA Ltd;GB;one\n;GB;two\nB Ltd;Germany;\nA Ltd;GB;three\nOld Ltd;FR;\n"

// An upload is stored with a mapping, checked without storing rows, and imported by a job with the
// same counts. Its notes stay, its file is deleted, and the import has an audit event.
func TestUpload(t *testing.T) {
	each(t, func(d *fixture) {
		d.client(ours, `{"name":"OLD LTD"}`)
		up := d.take(mixed)
		if up.Name != "clients.csv" || up.Rows != 5 || up.Columns[0].Field != "name" || up.Columns[1].Field != "country" || up.Columns[2].Field != "" ||
			!reflect.DeepEqual(up.Columns[2].Examples, []string{"one", "two", "three"}) {
			d.Errorf("stored as %+v", up)
		}
		checked, err := d.uploads().Check(ctx, by(ours), up.ID, up.Mapping)
		d.must(err)
		want := []bulk.Note{
			{RowError: bulk.RowError{Row: 2, Field: "name", Message: "is required"}, Value: ""},
			{RowError: bulk.RowError{Row: 3, Field: "country", Message: "is too long"}, Value: "Germany"},
			{RowError: bulk.RowError{Row: 4, Field: "name", Message: "is the same as in an earlier row"}, Value: "A Ltd", Skipped: true},
			{RowError: bulk.RowError{Row: 5, Field: "name", Message: "is the same as of an existing client"}, Value: "Old Ltd", Skipped: true},
		}
		if _, notes, _ := d.upload(up.ID); checked.Created != 1 || checked.Skipped != 2 || checked.Failed != 2 || !reflect.DeepEqual(notes, want) {
			d.Errorf("checked: %+v %+v", checked, notes)
		}
		if len(d.bodies(ours)) != 1 {
			d.Error("a check stores clients")
		}
		d.must(d.start(up.ID))
		d.must(d.uploads().Run(ctx, d.lease()))
		done, notes, fileGone := d.upload(up.ID)
		if done.State != bulk.Finished || done.Done != 5 || done.Created != 1 || done.Skipped != 2 || done.Failed != 2 || len(notes) != 4 || !fileGone {
			d.Errorf("done: %+v %+v %v", done, notes, fileGone)
		}
		if got := d.bodies(ours); len(got) != 2 || got[1] != `{"name":"A Ltd","country":"GB"}` {
			d.Errorf("stored %s", got)
		}
		if events := d.events(ours); events[len(events)-1] != `import.clients u {"created":1,"failed":2,"rows":5,"skipped":2}` {
			d.Errorf("events %q", events)
		}
		if jobs, err := d.store.LeaseJobs(ctx, bulk.ImportQueue, 1, time.Minute); err != nil || len(jobs) != 0 {
			d.Errorf("remaining jobs: %v %v", jobs, err)
		}
	})
}

// An interrupted job continues where it stopped and reaches the same counts. An instance that has lost
// the job stores nothing.
func TestUploadContinues(t *testing.T) {
	each(t, func(d *fixture) {
		const count = 1700
		var file strings.Builder
		file.WriteString("Company,EORI\n")
		for n := range count {
			fmt.Fprintf(&file, "Trader %d,GB%012d\n", n, n)
		}
		up := d.take(file.String())
		_, err := d.uploads().Check(ctx, by(ours), up.ID, up.Mapping)
		d.must(err)
		d.must(d.start(up.ID))
		job := d.lease()
		cancelled, cancel := context.WithCancel(ctx)
		u := d.uploads()
		u.Store = &cancellingStore{fixture: d, after: 2, breaks: cancel}
		if err := u.Run(cancelled, job); !errors.Is(err, context.Canceled) {
			d.Fatalf("got %v", err)
		}
		half, _, _ := d.upload(up.ID)
		if half.State != bulk.Running || half.Done != 1000 || half.Created != 1000 || len(d.bodies(ours)) != 1000 {
			d.Fatalf("half: %+v, %d clients", half, len(d.bodies(ours)))
		}
		d.must(d.uploads().Run(ctx, job))
		if done, _, _ := d.upload(up.ID); done.Created != count || done.Skipped != 0 || len(d.bodies(ours)) != count {
			d.Errorf("done: %+v", done)
		}
		err = d.store.Update(ctx, ours, func(tx *store.Tx) error { return tx.AdvanceUpload(half, half.Done, nil) })
		if !errors.Is(err, jobs.ErrLeaseLost) {
			d.Errorf("progress of the instance that lost the job: %v", err)
		}
	})
}

// An import whose job has failed too often says so, and continues when it is started again.
func TestUploadJobFails(t *testing.T) {
	each(t, func(d *fixture) {
		up := d.take(mixed)
		_, err := d.uploads().Check(ctx, by(ours), up.ID, up.Mapping)
		d.must(err)
		d.must(d.start(up.ID))
		job := d.lease()
		if now, _, _ := d.upload(up.ID); now.GivenUp || now.State != bulk.Running {
			d.Errorf("running: %+v", now)
		}
		if err := d.start(up.ID); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("started twice: %v", err)
		}
		d.must(d.store.GiveUp(ctx, job, "no more"))
		d.must(d.store.View(ctx, ours, func(tx *store.Tx) error {
			all, err := tx.Uploads(5)
			if len(all) != 1 || !all[0].GivenUp || all[0].State != bulk.Running {
				d.Errorf("listed as %+v", all)
			}
			return err
		}))
		d.must(d.start(up.ID))
		d.must(d.uploads().Run(ctx, d.lease()))
		if done, _, fileGone := d.upload(up.ID); done.State != bulk.Finished || done.GivenUp || done.Done != 5 || done.Created != 2 || !fileGone {
			d.Errorf("done: %+v", done)
		}
		again := d.take(mixed)
		_, err = d.uploads().Check(ctx, by(ours), again.ID, again.Mapping)
		d.must(err)
		d.must(d.start(again.ID))
		d.must(d.store.GiveUp(ctx, d.lease(), "no more"))
		d.must(d.store.Update(ctx, ours, func(tx *store.Tx) error { return d.uploads().Discard(tx, again.ID) }))
	})
}

// Steps are possible in order only, a mapping is checked against the columns, and the number and life
// of unfinished uploads is limited.
func TestUploadSteps(t *testing.T) {
	each(t, func(d *fixture) {
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
		if _, err := d.uploads().Add(ctx, by(ours), "x", []byte(mixed)); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("one upload over the limit: %v", err)
		}
		if _, err := d.uploads().Check(ctx, by(theirs), up.ID, up.Mapping); !apierr.Is(err, apierr.NotFound) {
			d.Errorf("of another organisation: %v", err)
		}
		d.now = nine.Add(25 * time.Hour)
		d.take(mixed)
		d.must(d.store.Update(ctx, ours, func(tx *store.Tx) error {
			if all, err := tx.Uploads(100); len(all) != 1 || err != nil {
				d.Errorf("%d uploads after a day: %v", len(all), err)
			}
			all, _ := tx.Uploads(1)
			return d.uploads().Discard(tx, all[0].ID)
		}))
		d.must(d.store.View(ctx, ours, func(tx *store.Tx) error {
			if all, err := tx.Uploads(100); len(all) != 0 || err != nil {
				d.Errorf("%d uploads after discarding: %v", len(all), err)
			}
			return nil
		}))
	})
}
