package bulk

import (
	"context"
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/work"
)

// Run is the job that stores the rows of an upload. Its progress is stored with the
// rows, so that one which broke off goes on where it was.
func (u *Uploads) Run(ctx context.Context, j work.Job) error {
	up, sheet, err := u.load(ctx, j.Org, j.Subject)
	if fault.Is(err, fault.NotFound) || err == nil && up.State != Running {
		return u.Store.UpdateBulk(ctx, j.Org, func(tx Tx) error { return tx.FinishJob(j) })
	} else if err != nil {
		return err
	}
	c, err := sheet.Commit(up.Mapping, u.Type.Fields())
	if err != nil {
		return err
	}
	errors, skips, err := u.told(ctx, j)
	if err != nil {
		return err
	}
	err = u.each(ctx, c, up.Done, func(rows []judged) error {
		var next Upload
		p, err := u.store(ctx, up.By, rows, func(tx Tx, p part) error {
			next = up
			next.count(p)
			next.Done, next.UpdatedAt = up.Done+len(rows), tx.Now()
			return tx.AdvanceUpload(next, up.Done, p.notes(errors, skips))
		})
		up, errors, skips = next, errors+len(p.Errors), skips+len(p.skips)
		return err
	})
	if err != nil {
		return err
	}
	return u.finish(ctx, j, up)
}

// told counts what has been said of rows before.
func (u *Uploads) told(ctx context.Context, j work.Job) (errors, skips int, err error) {
	err = u.Store.ScanBulk(ctx, j.Org, func(tx Tx) error {
		notes, err := tx.UploadNotes(j.Subject)
		for _, n := range notes {
			if n.Skipped {
				skips++
			} else {
				errors++
			}
		}
		return err
	})
	return errors, skips, err
}

// finish drops the file, with an event that tells what became of the rows.
func (u *Uploads) finish(ctx context.Context, j work.Job, up Upload) error {
	return u.Store.UpdateBulk(ctx, j.Org, func(tx Tx) error {
		up.State, up.UpdatedAt = Finished, tx.Now()
		if err := tx.AdvanceUpload(up, up.Done, nil); err != nil {
			return err
		}
		if err := tx.Record(u.imported(up)); err != nil {
			return err
		}
		return tx.FinishJob(j)
	})
}

func (u *Uploads) imported(up Upload) audit.Event {
	data, _ := json.Marshal(map[string]int{"rows": up.Rows, "created": up.Created, "skipped": up.Skipped, "failed": up.Failed})
	return audit.By(up.By, audit.Event{
		ID: u.IDs.UUID(), Hub: u.Type.Hub, Type: "import." + u.Type.Many, ResourceType: u.Type.Kind, Data: data,
	})
}
