package store

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// SavedViews returns the saved views of a user, by name.
func (t *Tx) SavedViews(userID string) (all []search.View, err error) {
	err = t.rows("SELECT id, name, query FROM saved_views WHERE org_id = $1 AND user_id = $2 ORDER BY name, id", []any{userID}, func(r engine.Row) error {
		var v search.View
		err := r.Scan(&v.ID, &v.Name, &v.Query)
		all = append(all, v)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: saved views: %w", err)
	}
	return all, nil
}

// SaveView stores a view of a user, replacing one of the same name.
func (t *Tx) SaveView(userID string, v search.View) error {
	_, err := t.exec("INSERT INTO saved_views (org_id, id, user_id, name, query, created_at) VALUES ($1, $2, $3, $4, $5, $6) "+
		"ON CONFLICT (org_id, user_id, name) DO UPDATE SET query = excluded.query", v.ID, userID, v.Name, v.Query, instant(t.now))
	if err != nil {
		return fmt.Errorf("store: save view: %w", err)
	}
	return nil
}

// RenameView gives a view of a user another name.
func (t *Tx) RenameView(userID, id, name string) error {
	n, err := t.exec("UPDATE saved_views SET name = $4 WHERE org_id = $1 AND user_id = $2 AND id = $3", userID, id, name)
	return onlyOne(n, err)
}

// DropView deletes a view of a user.
func (t *Tx) DropView(userID, id string) error {
	n, err := t.exec("DELETE FROM saved_views WHERE org_id = $1 AND user_id = $2 AND id = $3", userID, id)
	return onlyOne(n, err)
}

func onlyOne(n int64, err error) error {
	if err == nil && n == 0 {
		return apierr.Missing()
	}
	if err != nil {
		return fmt.Errorf("store: saved view: %w", err)
	}
	return nil
}
