package store

import (
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Worksheet reads a worksheet that a user is filling in.
func (t *Tx) Worksheet(userID, id string) (s worksheet.Worksheet, err error) {
	var body []byte
	found, err := t.row("SELECT body FROM worksheets WHERE org_id = $1 AND user_id = $2 AND id = $3", []any{userID, id}, &body)
	switch {
	case err != nil:
		return s, err
	case !found:
		return s, apierr.Missing()
	}
	s, err = worksheet.Decode(body)
	s.ID = id
	return s, err
}

// Worksheets lists the worksheets that a user is filling in, the last changed first.
func (t *Tx) Worksheets(userID string) (all []worksheet.Entry, err error) {
	err = t.rows("SELECT id, purpose, title, updated_at FROM worksheets WHERE org_id = $1 AND user_id = $2 ORDER BY updated_at DESC, id DESC",
		[]any{userID}, func(r engine.Row) error {
			var e worksheet.Entry
			err := r.Scan(&e.ID, (*string)(&e.Purpose), &e.Title, (*instant)(&e.UpdatedAt))
			all = append(all, e)
			return err
		})
	return all, err
}

// SaveWorksheet stores a worksheet, replacing the former one.
func (t *Tx) SaveWorksheet(userID string, s *worksheet.Worksheet) error {
	body, err := s.Encode()
	if err != nil {
		return err
	}
	n, err := t.exec("UPDATE worksheets SET title = $2, body = $3, updated_at = $4 WHERE org_id = $1 AND user_id = $5 AND id = $6",
		s.Title(), body, instant(t.now), userID, s.ID)
	if err != nil || n == 1 {
		return err
	}
	return t.addWorksheet(userID, s, body)
}

func (t *Tx) addWorksheet(userID string, s *worksheet.Worksheet, body []byte) error {
	all, err := t.Worksheets(userID)
	if err != nil {
		return err
	}
	if len(all) >= worksheet.MaxPerUser {
		return worksheet.ErrTooMany()
	}
	_, err = t.exec("INSERT INTO worksheets (org_id, user_id, id, purpose, title, body, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		userID, s.ID, string(s.Purpose()), s.Title(), body, instant(t.now))
	return err
}

// DropWorksheet deletes a worksheet with its files, and reports whether there was one. The files of a correction belong to
// its declaration, and stay.
func (t *Tx) DropWorksheet(userID, id string) (bool, error) {
	const files = " AND EXISTS (SELECT 1 FROM worksheets w WHERE w.org_id = $1 AND w.user_id = $2 AND w.id = $3 AND w.purpose = 'new')"
	for _, statement := range []string{
		"DELETE FROM attachment_chunks WHERE org_id = $1 AND id IN (SELECT a.id FROM attachments a WHERE a.org_id = $1 AND a.record_id = $3)" + files,
		"DELETE FROM attachments WHERE org_id = $1 AND record_id = $3" + files,
	} {
		if _, err := t.exec(statement, userID, id); err != nil {
			return false, wrapError("drop the files of a worksheet", err)
		}
	}
	n, err := t.exec("DELETE FROM worksheets WHERE org_id = $1 AND user_id = $2 AND id = $3", userID, id)
	return n == 1, err
}
