package bulk

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ImportQueue is the queue of the jobs that store the rows of uploads.
const ImportQueue = "bulk.import"

// Uploads imports tables step by step: a file is uploaded, its columns are confirmed, its rows are
// checked, and a job stores them.
type Uploads struct {
	*Importer
	Mapper    Mapper
	IDs       *ident.Source
	Semaphore *Semaphore // limit of simultaneous imports
}

// Add reads a table and stores it with a proposed mapping.
func (u *Uploads) Add(ctx context.Context, call tenant.Call, name string, file []byte) (Upload, error) {
	end, err := u.Semaphore.Acquire(ctx, call.Org)
	if err != nil {
		return Upload{}, err
	}
	defer end()
	sheet, err := ReadTable(ctx, file)
	if err != nil {
		return Upload{}, err
	}
	columns := sheet.Columns()
	guesses, err := u.Mapper(ctx, columns)
	if err != nil {
		return Upload{}, err
	}
	up := Upload{ID: u.IDs.UUID(), Name: cleanName(name), State: Read, Mapping: sheet.Mapping(guesses), Call: call}
	for range sheet.Rows() {
		up.Rows++
	}
	for i, c := range columns {
		up.Columns = append(up.Columns, Column{c.Header, guesses[i].Field, guesses[i].Confidence, guesses[i].Reason, firstExamples(c.Values)})
	}
	packed, err := compress(file)
	if err != nil {
		return Upload{}, err
	}
	err = u.Store.UpdateBulk(ctx, call.Org, func(tx Tx) error {
		if err := removeExpired(tx); err != nil {
			return err
		}
		up.CreatedAt, up.UpdatedAt = tx.Now(), tx.Now()
		return tx.AddUpload(up, packed)
	})
	return up, err
}

// removeExpired deletes expired uploads, and returns an error if there are too many unfinished ones.
func removeExpired(tx Tx) error {
	all, err := tx.Uploads(MaxUploads + 1)
	if err != nil {
		return err
	}
	var stale []string
	open := 0
	for i := range all {
		if all[i].expired(tx.Now()) || i >= MaxUploads-1 && all[i].State == Finished {
			stale = append(stale, all[i].ID)
		} else if all[i].open() {
			open++
		}
	}
	if open >= MaxOpen {
		return stateError("There are %d unfinished imports. Finish or discard one of them.", open)
	}
	return tx.DropUploads(stale...)
}

// Check checks every row with a mapping and stores the result.
func (u *Uploads) Check(ctx context.Context, call tenant.Call, id string, m Mapping) (Upload, error) {
	end, err := u.Semaphore.Acquire(ctx, call.Org)
	if err != nil {
		return Upload{}, err
	}
	defer end()
	up, sheet, err := u.load(ctx, call.Org, id)
	if err != nil {
		return up, err
	}
	if !up.open() {
		return up, stateError("This table has already been imported.")
	}
	c, err := sheet.Commit(m, u.Type.Fields())
	if err != nil {
		return up, err
	}
	up.State, up.Mapping, up.Created, up.Skipped, up.Failed = Checked, m, 0, 0, 0
	notes, err := u.checkAll(ctx, call.Org, c, &up)
	if err != nil {
		return up, err
	}
	err = u.Store.UpdateBulk(ctx, call.Org, func(tx Tx) error {
		now, err := tx.Upload(id)
		if err == nil && !now.open() {
			err = stateError("This table has already been imported.")
		}
		if err != nil {
			return err
		}
		up.UpdatedAt = tx.Now()
		return tx.SaveUpload(up, notes)
	})
	return up, err
}

func (u *Uploads) checkAll(ctx context.Context, org tenant.ID, c *Commit, up *Upload) (notes []Note, err error) {
	seen := map[filing.Key]bool{}
	var room noteLimiter
	err = u.eachBatch(ctx, c, 0, func(rows []checkedRow) error {
		var p batchResult
		err := u.Store.ScanBulk(ctx, org, func(tx Tx) (err error) {
			p, err = createRows(tx, rows, seen, func(filing.Input) error { return nil })
			return err
		})
		up.count(p)
		notes = append(notes, room.accept(p.notes)...)
		return err
	})
	return notes, err
}

// Start enqueues the job that stores the rows of a checked upload. A job that had failed continues
// where it stopped.
func (u *Uploads) Start(tx Tx, call tenant.Call, id string) error {
	up, err := tx.Upload(id)
	switch {
	case err != nil:
		return err
	case up.GivenUp:
		return tx.ReviveJob(ImportQueue, id)
	case up.State == Read:
		return stateError("Check the table first.")
	case up.State != Checked:
		return stateError("This table has already been imported.")
	}
	up.State, up.Call, up.Done, up.Created, up.Skipped, up.Failed, up.UpdatedAt = Running, call, 0, 0, 0, 0, tx.Now()
	if err := tx.SaveUpload(up, nil); err != nil {
		return err
	}
	return tx.Enqueue(jobs.Job{ID: u.IDs.UUID(), Queue: ImportQueue, Subject: id})
}

// Discard deletes an upload that is not being imported.
func (u *Uploads) Discard(tx Tx, id string) error {
	up, err := tx.Upload(id)
	if err == nil && up.State == Running && !up.GivenUp {
		err = stateError("This table is being imported.")
	}
	if err != nil {
		return err
	}
	return tx.DropUploads(id)
}

// load reads an upload and its table.
func (u *Uploads) load(ctx context.Context, org tenant.ID, id string) (up Upload, sheet *Sheet, err error) {
	var packed []byte
	err = u.Store.ScanBulk(ctx, org, func(tx Tx) (err error) {
		if up, err = tx.Upload(id); err == nil && up.State != Finished {
			packed, err = tx.UploadFile(id)
		}
		return err
	})
	if err != nil || up.State == Finished {
		return up, &Sheet{}, err
	}
	file, err := decompress(packed)
	if err != nil {
		return up, nil, err
	}
	sheet, err = ReadTable(ctx, file)
	return up, sheet, err
}

func compress(file []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(file); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func decompress(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("bulk: unpack: %w", err)
	}
	return io.ReadAll(io.LimitReader(r, MaxFile))
}

// cleanName returns a file name without its folders, shortened.
func cleanName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	return truncate(name, maxName)
}

// firstExamples returns the first values of a column that are not empty.
func firstExamples(values []string) (shown []string) {
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" && len(shown) < examples {
			shown = append(shown, truncate(v, maxExample))
		}
	}
	return shown
}

// truncate shortens a text to most bytes without splitting a character.
func truncate(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
