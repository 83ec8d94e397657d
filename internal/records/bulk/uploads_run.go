package bulk

import (
	"context"
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// Run is the job that stores the rows of an upload. Progress is stored with the rows, so that an
// interrupted job continues where it stopped.
func (u *Uploads) Run(ctx context.Context, j jobs.Job) error {
	up, sheet, err := u.load(ctx, j.Org, j.Subject)
	if apierr.Is(err, apierr.NotFound) || err == nil && up.State != Running {
		return u.Store.UpdateBulk(ctx, j.Org, func(tx Tx) error { return tx.FinishJob(j) })
	} else if err != nil {
		return err
	}
	c, err := sheet.Commit(up.Mapping, u.Type.Fields())
	if err != nil {
		return err
	}
	room, err := u.countNotes(ctx, j)
	if err != nil {
		return err
	}
	err = u.eachBatch(ctx, c, up.Done, func(rows []checkedRow) error {
		var next Upload
		var left noteLimiter
		_, err := u.store(ctx, up.Call, rows, func(tx Tx, p batchResult) error {
			next, left = up, room
			next.count(p)
			next.Done, next.UpdatedAt = up.Done+len(rows), tx.Now()
			return tx.AdvanceUpload(next, up.Done, left.accept(p.notes))
		})
		up, room = next, left
		return err
	})
	if err != nil {
		return err
	}
	return u.finish(ctx, j, up)
}

// countNotes counts the notes that are already stored.
func (u *Uploads) countNotes(ctx context.Context, j jobs.Job) (room noteLimiter, err error) {
	err = u.Store.ScanBulk(ctx, j.Org, func(tx Tx) error {
		notes, err := tx.UploadNotes(j.Subject)
		room = noteLimiter{}
		room.accept(notes)
		return err
	})
	return room, err
}

// finish deletes the file and writes the audit event with the result.
func (u *Uploads) finish(ctx context.Context, j jobs.Job, up Upload) error {
	return u.Store.UpdateBulk(ctx, j.Org, func(tx Tx) error {
		up.State, up.UpdatedAt = Finished, tx.Now()
		if err := tx.AdvanceUpload(up, up.Done, nil); err != nil {
			return err
		}
		if err := tx.Record(u.importEvent(up)); err != nil {
			return err
		}
		return tx.FinishJob(j)
	})
}

func (u *Uploads) importEvent(up Upload) audit.Event {
	data, _ := json.Marshal(map[string]int{"rows": up.Rows, "created": up.Created, "skipped": up.Skipped, "failed": up.Failed})
	return audit.By(up.Call, audit.Event{
		ID: u.IDs.UUID(), Hub: u.Type.Hub, Type: "import." + u.Type.Plural, ResourceType: u.Type.Kind, Data: data,
	})
}
