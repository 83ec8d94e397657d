package store

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

const commentColumns = "id, kind, resource_id, author_id, key_id, text, mentions, created_at"

// AddComment stores a comment.
func (t *Tx) AddComment(c comment.Comment) error {
	mentions, err := json.Marshal(c.Mentions)
	if err != nil {
		return fmt.Errorf("store: add comment: %w", err)
	}
	return wrapError("add comment", t.execDeferred("INSERT INTO comments (org_id, "+commentColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
		c.ID, c.Kind, c.RecordID, c.AuthorID, c.KeyID, c.Text, string(mentions), instant(c.CreatedAt)))
}

// RemoveComment deletes a comment.
func (t *Tx) RemoveComment(id string) error {
	_, err := t.exec("DELETE FROM comments WHERE org_id = $1 AND id = $2", id)
	return wrapError("remove comment", err)
}

// Comment reads a comment.
func (t *Tx) Comment(id string) (comment.Comment, error) {
	found, err := t.comments("SELECT "+commentColumns+" FROM comments WHERE org_id = $1 AND id = $2", id)
	if err == nil && len(found) == 0 {
		err = apierr.Missing()
	}
	if err != nil {
		return comment.Comment{}, err
	}
	return found[0], nil
}

// Comments reads a page of comments, newest first.
func (t *Tx) Comments(q comment.Query) ([]comment.Comment, error) {
	query, args := "SELECT "+commentColumns+" FROM comments WHERE org_id = $1", []any{}
	if q.RecordID != "" {
		args = append(args, q.RecordID)
		query += " AND resource_id = $2"
	}
	if q.After.ID != "" {
		args = append(args, instant(q.After.CreatedAt), q.After.ID)
		query += fmt.Sprintf(" AND (created_at, id) < ($%d, $%d)", len(args), len(args)+1)
	}
	args = append(args, q.Limit)
	return t.comments(query+fmt.Sprintf(" ORDER BY created_at DESC, id DESC LIMIT $%d"+computed, len(args)+1), args...)
}

func (t *Tx) comments(query string, args ...any) (all []comment.Comment, err error) {
	err = t.rows(query, args, func(r engine.Row) error {
		var c comment.Comment
		var mentions string
		err := r.Scan(&c.ID, &c.Kind, &c.RecordID, &c.AuthorID, &c.KeyID, &c.Text, &mentions, (*instant)(&c.CreatedAt))
		if err == nil {
			err = json.Unmarshal([]byte(mentions), &c.Mentions)
		}
		all = append(all, c)
		return err
	})
	return all, wrapError("comments", err)
}

// CountComments counts the comments about a record.
func (t *Tx) CountComments(recordID string) (n int, err error) {
	_, err = t.row("SELECT count(*) FROM comments WHERE org_id = $1 AND resource_id = $2", []any{recordID}, &n)
	return n, wrapError("count comments", err)
}
