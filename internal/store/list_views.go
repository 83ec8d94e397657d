package store

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

const viewColumns = "id, user_id, kind, name, query, shared, place"

// ListViews returns the views of a kind that a user sees: the own and the shared ones, in their order.
func (t *Tx) ListViews(kind, userID string) (all []search.View, err error) {
	err = t.rows("SELECT "+viewColumns+" FROM list_views WHERE org_id = $1 AND kind = $2 AND CASE WHEN shared THEN $3 ELSE user_id END = $3 ORDER BY place, name, id",
		[]any{kind, userID}, func(r engine.Row) error {
			v, err := scanView(r)
			all = append(all, v)
			return err
		})
	return all, wrapError("list views", err)
}

// ListView returns a view that a user sees.
func (t *Tx) ListView(userID, id string) (v search.View, err error) {
	found := false
	err = t.rows("SELECT "+viewColumns+" FROM list_views WHERE org_id = $1 AND id = $2", []any{id}, func(r engine.Row) (err error) {
		v, err = scanView(r)
		found = v.Shared || v.UserID == userID
		return err
	})
	if err == nil && !found {
		return search.View{}, apierr.Missing()
	}
	return v, wrapError("list view", err)
}

func scanView(r engine.Row) (v search.View, err error) {
	err = r.Scan(&v.ID, &v.UserID, &v.Kind, &v.Name, &v.Query, &v.Shared, &v.Place)
	return v, err
}

// SaveListView stores a view, replacing the query of the user's view of the same kind and name.
func (t *Tx) SaveListView(v search.View) error {
	_, err := t.exec("INSERT INTO list_views (org_id, "+viewColumns+", created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) "+
		"ON CONFLICT (org_id, kind, user_id, name) DO UPDATE SET query = excluded.query, shared = excluded.shared",
		v.ID, v.UserID, v.Kind, v.Name, v.Query, v.Shared, v.Place, instant(t.now))
	return wrapError("save list view", err)
}

// ChangeListView stores name, sharing and place of a view.
func (t *Tx) ChangeListView(v search.View) error {
	n, err := t.exec("UPDATE list_views SET name = $3, shared = $4, place = $5 WHERE org_id = $1 AND id = $2", v.ID, v.Name, v.Shared, v.Place)
	return onlyOne(n, err)
}

// DropListView deletes a view.
func (t *Tx) DropListView(id string) error {
	n, err := t.exec("DELETE FROM list_views WHERE org_id = $1 AND id = $2", id)
	return onlyOne(n, err)
}

func onlyOne(n int64, err error) error {
	if err == nil && n == 0 {
		return apierr.Missing()
	}
	if err != nil {
		return fmt.Errorf("store: list view: %w", err)
	}
	return nil
}
