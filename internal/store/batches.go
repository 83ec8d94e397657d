package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

const batchColumns = "id, kind, status, total, done, failed, sender, attempt, created_at, finished_at"

// AddBatch stores a batch with its rows.
func (t *Tx) AddBatch(b batch.Batch, rows []batch.Row) error {
	sender, err := json.Marshal(b.Sender)
	if err != nil {
		return fmt.Errorf("store: add batch: %w", err)
	}
	err = t.execDeferred("INSERT INTO batches (org_id, "+batchColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
		b.ID, b.Kind, b.Status, b.Total, b.Done, b.Failed, string(sender), b.Attempt, instant(b.CreatedAt), instant(b.FinishedAt))
	for err == nil && len(rows) >= rowsPerInsert {
		err = t.addBatchRows(insertBatchRows, b.ID, rows[:rowsPerInsert])
		rows = rows[rowsPerInsert:]
	}
	for i := 0; err == nil && i < len(rows); i++ {
		err = t.addBatchRows(insertBatchRow, b.ID, rows[i:i+1])
	}
	return wrapError("add batch", err)
}

// rowsPerInsert is the number of rows that one statement adds to a batch.
const rowsPerInsert = 50

// The statements that add one or many rows to a batch.
var insertBatchRow, insertBatchRows = insertRows(1), insertRows(rowsPerInsert)

func insertRows(count int) string {
	values := make([]string, count)
	for i := range values {
		values[i] = "($1, $2, " + marks(3+4*i, 4) + ", '', '')"
	}
	return "INSERT INTO batch_rows (org_id, batch_id, position, reference, operation, waits_for, record_id, answer) VALUES " + strings.Join(values, ", ")
}

func (t *Tx) addBatchRows(statement, id string, rows []batch.Row) error {
	args := append(make([]any, 0, 1+4*len(rows)), id)
	for i := range rows {
		r := &rows[i]
		operation, err := json.Marshal(r.Operation)
		if err != nil {
			return err
		}
		waitsFor, err := json.Marshal(r.WaitsFor)
		if err != nil {
			return err
		}
		args = append(args, r.Index, r.Reference, string(operation), string(waitsFor))
	}
	return t.execDeferred(statement, args...)
}

// Batch reads a batch.
func (t *Tx) Batch(id string) (b batch.Batch, err error) {
	var sender string
	found, err := t.row("SELECT "+batchColumns+" FROM batches WHERE org_id = $1 AND id = $2", []any{id}, &b.ID, &b.Kind, &b.Status, &b.Total, &b.Done, &b.Failed,
		&sender, &b.Attempt, (*instant)(&b.CreatedAt), (*instant)(&b.FinishedAt))
	if err == nil && !found {
		return b, apierr.Missing()
	}
	if err == nil {
		err = json.Unmarshal([]byte(sender), &b.Sender)
	}
	return b, wrapError("batch", err)
}

// BatchesIn counts the batches with one of two statuses, except one batch.
func (t *Tx) BatchesIn(status, other, except string) (n int, err error) {
	_, err = t.row("SELECT count(*) FROM batches WHERE org_id = $1 AND status IN ($2, $3) AND id <> $4", []any{status, other, except}, &n)
	return n, wrapError("count batches", err)
}

// LeaseBatch stores the fencing token of a run.
func (t *Tx) LeaseBatch(id string, attempt int64) error {
	n, err := t.exec("UPDATE batches SET status = 'RUNNING', attempt = $3 WHERE org_id = $1 AND id = $2 AND attempt < $3 AND status IN ('QUEUED', 'RUNNING')", id, attempt)
	if err == nil && n != 1 {
		return jobs.ErrLeaseLost
	}
	return wrapError("lease batch", err)
}

// AdvanceBatch stores results of rows, unless a later run of the batch has begun.
func (t *Tx) AdvanceBatch(id string, attempt int64, results []batch.Result) error {
	done, failed := 0, 0
	for _, r := range results {
		if r.Succeeded() {
			done++
		} else {
			failed++
		}
	}
	n, err := t.exec("UPDATE batches SET done = done + $4, failed = failed + $5 WHERE org_id = $1 AND id = $2 AND attempt = $3", id, attempt, done, failed)
	if err == nil && n != 1 {
		return jobs.ErrLeaseLost
	}
	for _, r := range results {
		if err == nil && !r.Stored {
			err = t.execDeferred(storeResult, resultArgs(id, r)...)
		}
	}
	return wrapError("advance batch", err)
}

const storeResult = "UPDATE batch_rows SET status = $4, record_id = $5, answer = $6, operation = '' WHERE org_id = $1 AND batch_id = $2 AND position = $3 AND status IS NULL"

func resultArgs(id string, r batch.Result) []any {
	return []any{id, r.Index, r.Status, r.RecordID, string(r.Body)}
}

// StoreResult stores the result of a row that has none.
func (t *Tx) StoreResult(id string, r batch.Result) error {
	n, err := t.exec(storeResult, resultArgs(id, r)...)
	if err == nil && n != 1 {
		return batch.ErrRan
	}
	return wrapError("store result of a row", err)
}

// CountBatch counts the stored results of a batch.
func (t *Tx) CountBatch(id string) error {
	return wrapError("count results", t.execDeferred("UPDATE batches SET "+
		"done = (SELECT count(*) FROM batch_rows r WHERE r.org_id = $1 AND r.batch_id = $2 AND r.status < 300), "+
		"failed = (SELECT count(*) FROM batch_rows r WHERE r.org_id = $1 AND r.batch_id = $2 AND r.status >= 300) WHERE org_id = $1 AND id = $2", id))
}

// EndBatch ends a batch that has not ended.
func (t *Tx) EndBatch(id, status string) (ended bool, err error) {
	n, err := t.exec("UPDATE batches SET status = $3, finished_at = $4 WHERE org_id = $1 AND id = $2 AND status IN ('QUEUED', 'RUNNING')", id, status, instant(t.now))
	return n == 1, wrapError("end batch", err)
}

// BatchStates reads how far the rows of a batch are, in order.
func (t *Tx) BatchStates(id string) (all []batch.State, err error) {
	err = t.rows("SELECT position, reference, waits_for, COALESCE(status, 0), record_id FROM batch_rows WHERE org_id = $1 AND batch_id = $2 ORDER BY position", []any{id},
		func(r engine.Row) error {
			var s batch.State
			var waitsFor string
			if err := r.Scan(&s.Index, &s.Reference, &waitsFor, &s.Status, &s.RecordID); err != nil {
				return err
			}
			all = append(all, s)
			return json.Unmarshal([]byte(waitsFor), &all[len(all)-1].WaitsFor)
		})
	return all, wrapError("rows of a batch", err)
}

// BatchOperations reads operations of rows that have not run, in order.
func (t *Tx) BatchOperations(id string, from, limit, maxBytes int) (all []batch.Waiting, err error) {
	size := 0
	err = t.rows("SELECT position, operation FROM batch_rows WHERE org_id = $1 AND batch_id = $2 AND position >= $3 AND status IS NULL ORDER BY position LIMIT $4"+computed,
		[]any{id, from, limit}, func(r engine.Row) error {
			var one batch.Waiting
			if err := r.Scan(&one.Index, &one.Operation); err != nil {
				return err
			}
			if size > maxBytes {
				return errEnough
			}
			size += len(one.Operation)
			all = append(all, one)
			return nil
		})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return all, wrapError("operations of a batch", err)
}

// BatchResults reads the results of rows that ran, in order.
func (t *Tx) BatchResults(id string, after, limit, maxBytes int) (all []batch.Result, err error) {
	size := 0
	err = t.rows("SELECT position, reference, record_id, status, answer FROM batch_rows WHERE org_id = $1 AND batch_id = $2 AND position > $3 AND status IS NOT NULL "+
		"ORDER BY position LIMIT $4"+computed, []any{id, after, limit}, func(r engine.Row) error {
		var one batch.Result
		var answer string
		if err := r.Scan(&one.Index, &one.Reference, &one.RecordID, &one.Status, &answer); err != nil {
			return err
		}
		if size > maxBytes {
			return errEnough
		}
		one.Body = []byte(answer)
		size += len(one.Body)
		all = append(all, one)
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return all, wrapError("results of a batch", err)
}
