package store

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// AddWhatIfUpload stores lines for what-ifs.
func (t *Tx) AddWhatIfUpload(u whatif.Upload) error {
	return wrapError("add upload", t.execDeferred("INSERT INTO what_if_uploads (org_id, id, lines, content, created_at) VALUES ($1, $2, $3, $4, $5)",
		u.ID, u.Lines, u.Content, instant(u.CreatedAt)))
}

// WhatIfUpload reads lines for what-ifs.
func (t *Tx) WhatIfUpload(id string) (u whatif.Upload, err error) {
	found, err := t.row("SELECT id, lines, content, created_at FROM what_if_uploads WHERE org_id = $1 AND id = $2", []any{id}, &u.ID, &u.Lines, &u.Content, (*instant)(&u.CreatedAt))
	if err == nil && !found {
		err = apierr.Missing()
	}
	return u, wrapError("upload", err)
}

// WhatIfUploads counts the uploads for what-ifs.
func (t *Tx) WhatIfUploads() (count int, err error) {
	_, err = t.row("SELECT count(*) FROM what_if_uploads WHERE org_id = $1", nil, &count)
	return count, wrapError("uploads", err)
}

const whatIfColumns = "id, status, settings, total, done, failed, problem, summary, sender, attempt, place, gathered, created_at, finished_at"

// AddWhatIf stores a what-if without lines.
func (t *Tx) AddWhatIf(j whatif.Job) error {
	settings, err := json.Marshal(j.Settings)
	if err != nil {
		return fmt.Errorf("store: add what-if: %w", err)
	}
	sender, err := json.Marshal(j.Sender)
	if err != nil {
		return fmt.Errorf("store: add what-if: %w", err)
	}
	return wrapError("add what-if", t.execDeferred("INSERT INTO what_ifs (org_id, "+whatIfColumns+") VALUES ($1, $2, $3, $4, 0, 0, 0, '', '', $5, $6, '', $7, $8, NULL)",
		j.ID, j.Status, string(settings), string(sender), j.Attempt, j.Gathered, instant(j.CreatedAt)))
}

// WhatIf reads a what-if.
func (t *Tx) WhatIf(id string) (whatif.Job, error) {
	found, err := t.whatIfs("SELECT "+whatIfColumns+" FROM what_ifs WHERE org_id = $1 AND id = $2", id)
	if err == nil && len(found) == 0 {
		err = apierr.Missing()
	}
	if err != nil {
		return whatif.Job{}, err
	}
	return found[0], nil
}

// WhatIfs lists the newest what-ifs.
func (t *Tx) WhatIfs(limit int) ([]whatif.Job, error) {
	return t.whatIfs("SELECT "+whatIfColumns+" FROM what_ifs WHERE org_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2"+computed, limit)
}

func (t *Tx) whatIfs(query string, args ...any) (all []whatif.Job, err error) {
	err = t.rows(query, args, func(r engine.Row) error {
		var j whatif.Job
		var settings, summary, sender string
		err := r.Scan(&j.ID, &j.Status, &settings, &j.Total, &j.Done, &j.Failed, &j.Problem, &summary, &sender, &j.Attempt, &j.Cursor, &j.Gathered,
			(*instant)(&j.CreatedAt), (*instant)(&j.FinishedAt))
		for text, into := range map[string]any{settings: &j.Settings, summary: &j.Summary, sender: &j.Sender} {
			if err == nil && text != "" {
				err = json.Unmarshal([]byte(text), into)
			}
		}
		all = append(all, j)
		return err
	})
	return all, wrapError("what-ifs", err)
}

// WhatIfsIn counts the what-ifs with one of two statuses, except one of them.
func (t *Tx) WhatIfsIn(status, other, except string) (n int, err error) {
	_, err = t.row("SELECT count(*) FROM what_ifs WHERE org_id = $1 AND status IN ($2, $3) AND id <> $4", []any{status, other, except}, &n)
	return n, wrapError("count what-ifs", err)
}

// LeaseWhatIf stores the fencing token of a run.
func (t *Tx) LeaseWhatIf(id string, attempt int64) error {
	n, err := t.exec("UPDATE what_ifs SET status = 'RUNNING', attempt = $3 WHERE org_id = $1 AND id = $2 AND attempt < $3 AND status IN ('QUEUED', 'RUNNING')", id, attempt)
	return changedWhatIf("lease what-if", n, err)
}

// changedWhatIf returns jobs.ErrLeaseLost if a statement changed no what-if.
func changedWhatIf(what string, n int64, err error) error {
	if err == nil && n != 1 {
		return jobs.ErrLeaseLost
	}
	return wrapError(what, err)
}

// GatherWhatIf stores pieces of lines, and how far they were gathered.
func (t *Tx) GatherWhatIf(j whatif.Job, pieces []whatif.Piece) error {
	n, err := t.exec("UPDATE what_ifs SET total = $4, place = $5, gathered = $6 WHERE org_id = $1 AND id = $2 AND attempt = $3 AND status IN ('QUEUED', 'RUNNING')",
		j.ID, j.Attempt, j.Total, j.Cursor, j.Gathered)
	err = changedWhatIf("gather lines of a what-if", n, err)
	for i := range pieces {
		if err != nil {
			break
		}
		err = t.execDeferred("INSERT INTO what_if_pieces (org_id, what_if_id, position, lines, input) VALUES ($1, $2, $3, $4, $5)",
			j.ID, pieces[i].Number, pieces[i].Lines, pieces[i].Input)
	}
	return err
}

// NextWhatIfPiece reads the first piece that is not computed.
func (t *Tx) NextWhatIfPiece(id string) (p whatif.Piece, found bool, err error) {
	found, err = t.row("SELECT position, lines, input FROM what_if_pieces WHERE org_id = $1 AND what_if_id = $2 AND output IS NULL ORDER BY position LIMIT 1"+computed,
		[]any{id}, &p.Number, &p.Lines, &p.Input)
	return p, found, wrapError("piece of a what-if", err)
}

// AdvanceWhatIf stores the output of a piece, unless a later run has begun or the what-if has ended.
func (t *Tx) AdvanceWhatIf(id string, attempt int64, p whatif.Piece, done, failed int) error {
	n, err := t.exec("UPDATE what_ifs SET done = done + $4, failed = failed + $5 WHERE org_id = $1 AND id = $2 AND attempt = $3 AND status = 'RUNNING'", id, attempt, done, failed)
	if err := changedWhatIf("advance what-if", n, err); err != nil {
		return err
	}
	n, err = t.exec("UPDATE what_if_pieces SET input = NULL, output = $4 WHERE org_id = $1 AND what_if_id = $2 AND position = $3 AND output IS NULL", id, p.Number, p.Output)
	return changedWhatIf("store output of a what-if", n, err)
}

// WhatIfOutputs reads the outputs of all pieces.
func (t *Tx) WhatIfOutputs(id string) (all [][]byte, err error) {
	err = t.rows("SELECT output FROM what_if_pieces WHERE org_id = $1 AND what_if_id = $2 AND output IS NOT NULL ORDER BY position", []any{id}, func(r engine.Row) error {
		var output []byte
		err := r.Scan(&output)
		all = append(all, output)
		return err
	})
	return all, wrapError("outputs of a what-if", err)
}

// EndWhatIf ends a what-if that has not ended, with the pages of its result.
func (t *Tx) EndWhatIf(j whatif.Job, pages [][]byte) (ended bool, err error) {
	summary, err := json.Marshal(j.Summary)
	if err != nil {
		return false, fmt.Errorf("store: end what-if: %w", err)
	}
	n, err := t.exec("UPDATE what_ifs SET status = $3, problem = $4, summary = $5, finished_at = $6 WHERE org_id = $1 AND id = $2 AND status IN ('QUEUED', 'RUNNING')",
		j.ID, j.Status, j.Problem, string(summary), instant(j.FinishedAt))
	if err != nil || n != 1 {
		return false, wrapError("end what-if", err)
	}
	err = t.execDeferred("DELETE FROM what_if_pieces WHERE org_id = $1 AND what_if_id = $2", j.ID)
	for i := range pages {
		if err == nil {
			err = t.execDeferred("INSERT INTO what_if_pages (org_id, what_if_id, position, content) VALUES ($1, $2, $3, $4)", j.ID, i, pages[i])
		}
	}
	return true, wrapError("end what-if", err)
}

// WhatIfPage reads a page of a result.
func (t *Tx) WhatIfPage(id string, number int) (packed []byte, err error) {
	_, err = t.row("SELECT content FROM what_if_pages WHERE org_id = $1 AND what_if_id = $2 AND position = $3", []any{id, number}, &packed)
	return packed, wrapError("page of a what-if", err)
}
