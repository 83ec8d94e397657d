package store

// The methods of this file are for transactions of tenant.Operator.

// RecordBrowser stores that a user has signed in with the browser that holds a token, and
// reports whether the browser was known for the user and how many others are.
func (t *Tx) RecordBrowser(userID, hash string) (known bool, others int64, err error) {
	n, err := t.exec("UPDATE known_browsers SET seen_at = $4 WHERE org_id = $1 AND hash = $2 AND user_id = $3", hash, userID, instant(t.real))
	if err != nil || n == 1 {
		return n == 1, 0, err
	}
	if _, err := t.row("SELECT count(*) FROM known_browsers WHERE org_id = $1 AND user_id = $2", []any{userID}, &others); err != nil {
		return false, 0, err
	}
	_, err = t.exec("INSERT INTO known_browsers (org_id, hash, user_id, created_at, seen_at) "+
		"VALUES ($1, $2, $3, $4, $4) ON CONFLICT DO NOTHING", hash, userID, instant(t.real))
	return false, others, err
}

// KnowsBrowser reports whether a user has signed in before with the browser that holds a token.
func (t *Tx) KnowsBrowser(userID, hash string) (bool, error) {
	return t.exists("SELECT 1 FROM known_browsers WHERE org_id = $1 AND hash = $2 AND user_id = $3", hash, userID)
}

// ForgetBrowsers removes the known browsers of a user.
func (t *Tx) ForgetBrowsers(userID string) error {
	_, err := t.exec("DELETE FROM known_browsers WHERE org_id = $1 AND user_id = $2", userID)
	return err
}
