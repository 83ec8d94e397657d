package store

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
)

// AddFeed stores the feed of a user who has none.
func (t *Tx) AddFeed(f access.Feed) error {
	_, err := t.exec("INSERT INTO feeds (org_id, id, user_id, hash, hint, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
		f.ID, f.UserID, f.Hash, f.Hint, instant(f.CreatedAt))
	return err
}

// Feed reads the feed of a user.
func (t *Tx) Feed(userID string) (f access.Feed, found bool, err error) {
	f.UserID = userID
	found, err = t.row("SELECT id, hash, hint, created_at FROM feeds WHERE org_id = $1 AND user_id = $2", []any{userID},
		&f.ID, &f.Hash, &f.Hint, (*instant)(&f.CreatedAt))
	return f, found, err
}

// RemoveFeed deletes the feed of a user and reports whether there was one.
func (t *Tx) RemoveFeed(userID string) (bool, error) {
	n, err := t.exec("DELETE FROM feeds WHERE org_id = $1 AND user_id = $2", userID)
	return n == 1, err
}
