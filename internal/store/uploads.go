package store

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// importGivenUp reports whether the job of an upload has failed for good.
const importGivenUp = "state = 'RUNNING' AND EXISTS (SELECT 1 FROM jobs WHERE jobs.org_id = $1 AND jobs.queue = '" + bulk.ImportQueue +
	"' AND jobs.subject = CAST(uploads.id AS TEXT) AND jobs.state = 'dead')"

const uploadColumns = "id, name, state, total, headings, mapping, done, created, skipped, failed, sender, created_at, updated_at"

// AddUpload stores an uploaded table.
func (t *Tx) AddUpload(u bulk.Upload, file []byte) error {
	columns, mapping, by, err := uploadParts(u)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO uploads (org_id, "+uploadColumns+", notes, file) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, '', $15)",
		u.ID, u.Name, string(u.State), u.Rows, columns, mapping, u.Done, u.Created, u.Skipped, u.Failed, by, instant(u.CreatedAt), instant(u.UpdatedAt), file)
	if err != nil {
		return fmt.Errorf("store: add upload: %w", err)
	}
	return nil
}

func uploadParts(u bulk.Upload) (columns, mapping, by string, err error) {
	var parts [3][]byte
	for i, part := range []any{u.Columns, u.Mapping, u.Call} {
		if parts[i], err = json.Marshal(part); err != nil {
			return "", "", "", fmt.Errorf("store: upload: %w", err)
		}
	}
	return string(parts[0]), string(parts[1]), string(parts[2]), nil
}

// SaveUpload stores a changed upload.
func (t *Tx) SaveUpload(u bulk.Upload, notes []bulk.Note) error {
	_, mapping, by, err := uploadParts(u)
	if err != nil {
		return err
	}
	lines, err := noteLines(notes)
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE uploads SET state = $3, mapping = $4, done = $5, created = $6, skipped = $7, failed = $8, sender = $9, notes = $10, updated_at = $11 "+
		"WHERE org_id = $1 AND id = $2", u.ID, string(u.State), mapping, u.Done, u.Created, u.Skipped, u.Failed, by, lines, instant(u.UpdatedAt))
	if err != nil {
		return fmt.Errorf("store: save upload: %w", err)
	}
	return nil
}

// AdvanceUpload stores the progress of an upload. The last step deletes the file.
func (t *Tx) AdvanceUpload(u bulk.Upload, behind int, notes []bulk.Note) error {
	lines, err := noteLines(notes)
	if err != nil {
		return err
	}
	file := "file"
	if u.State == bulk.Finished {
		file = "NULL"
	}
	n, err := t.exec("UPDATE uploads SET state = $3, done = $4, created = $5, skipped = $6, failed = $7, notes = notes || $8, updated_at = $9, file = "+file+
		" WHERE org_id = $1 AND id = $2 AND done = $10 AND state = 'RUNNING'",
		u.ID, string(u.State), u.Done, u.Created, u.Skipped, u.Failed, lines, instant(u.UpdatedAt), behind)
	if err != nil {
		return fmt.Errorf("store: advance upload: %w", err)
	}
	if n != 1 {
		return jobs.ErrLeaseLost
	}
	return nil
}

// noteLines returns notes as JSON, one per line.
func noteLines(notes []bulk.Note) (string, error) {
	var out strings.Builder
	e := json.NewEncoder(&out)
	for _, n := range notes {
		if err := e.Encode(n); err != nil {
			return "", fmt.Errorf("store: notes: %w", err)
		}
	}
	return out.String(), nil
}

// Uploads lists the uploads, newest first.
func (t *Tx) Uploads(limit int) ([]bulk.Upload, error) {
	return t.uploads("SELECT "+uploadColumns+", "+importGivenUp+" FROM uploads WHERE org_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2"+computed, limit)
}

// Upload reads an upload.
func (t *Tx) Upload(id string) (bulk.Upload, error) {
	found, err := t.uploads("SELECT "+uploadColumns+", "+importGivenUp+" FROM uploads WHERE org_id = $1 AND id = $2", id)
	if err == nil && len(found) == 0 {
		err = apierr.Missing()
	}
	if err != nil {
		return bulk.Upload{}, err
	}
	return found[0], nil
}

func (t *Tx) uploads(query string, args ...any) (all []bulk.Upload, err error) {
	err = t.rows(query, args, func(r engine.Row) error {
		u, err := scanUpload(r)
		all = append(all, u)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: uploads: %w", err)
	}
	return all, nil
}

func scanUpload(r engine.Row) (u bulk.Upload, err error) {
	var columns, mapping, by string
	err = r.Scan(&u.ID, &u.Name, &u.State, &u.Rows, &columns, &mapping, &u.Done, &u.Created, &u.Skipped, &u.Failed, &by,
		(*instant)(&u.CreatedAt), (*instant)(&u.UpdatedAt), &u.GivenUp)
	for _, part := range []struct {
		text string
		into any
	}{{columns, &u.Columns}, {mapping, &u.Mapping}, {by, &u.Call}} {
		if err == nil {
			err = json.Unmarshal([]byte(part.text), part.into)
		}
	}
	return u, err
}

// UploadFile reads the compressed file of an upload.
func (t *Tx) UploadFile(id string) (file []byte, err error) {
	found, err := t.row("SELECT file FROM uploads WHERE org_id = $1 AND id = $2 AND file IS NOT NULL", []any{id}, &file)
	if err == nil && !found {
		err = apierr.Missing()
	}
	return file, err
}

// UploadNotes reads the notes on the rows of an upload.
func (t *Tx) UploadNotes(id string) (notes []bulk.Note, err error) {
	var lines string
	if _, err := t.row("SELECT notes FROM uploads WHERE org_id = $1 AND id = $2", []any{id}, &lines); err != nil {
		return nil, fmt.Errorf("store: notes: %w", err)
	}
	for line := range strings.Lines(lines) {
		var n bulk.Note
		if err := json.Unmarshal([]byte(line), &n); err != nil {
			return nil, fmt.Errorf("store: notes: %w", err)
		}
		notes = append(notes, n)
	}
	return notes, nil
}

// DropUploads removes uploads.
func (t *Tx) DropUploads(ids ...string) error {
	for _, id := range ids {
		if _, err := t.exec("DELETE FROM uploads WHERE org_id = $1 AND id = $2", id); err != nil {
			return fmt.Errorf("store: drop upload: %w", err)
		}
	}
	return nil
}

// DocumentBytes returns the size of the files that are stored for the organisation.
func (t *Tx) DocumentBytes() (size int64, err error) {
	_, err = t.row("SELECT CAST(COALESCE(sum(length(file)), 0) + (SELECT COALESCE(sum(a.size), 0) FROM attachments a WHERE a.org_id = $1) AS BIGINT) FROM uploads WHERE org_id = $1", nil, &size)
	return size, wrapError("document bytes", err)
}
