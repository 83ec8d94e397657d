package store

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
)

// closingColumns are the columns about the closing of an organisation o; closingFields are their
// scan destinations.
const closingColumns = "o.closed_at, o.delete_after, o.deletion IS NOT NULL, o.deleted_at"

func closingFields(c *access.Closing) []any {
	return []any{(*instant)(&c.At), (*instant)(&c.DeleteAfter), &c.Begun, (*instant)(&c.DeletedAt)}
}

// CloseOrganisation closes the organisation and reports whether it was open.
func (t *Tx) CloseOrganisation(deleteAfter time.Time) (bool, error) {
	n, err := t.exec("UPDATE organisations SET closed_at = $2, delete_after = $3 WHERE org_id = $1 AND closed_at IS NULL", instant(t.real), instant(deleteAfter))
	return n == 1, wrapError("close organisation", err)
}

// RestoreOrganisation opens the organisation again and reports whether it did: not if its
// deletion has begun.
func (t *Tx) RestoreOrganisation() (bool, error) {
	n, err := t.exec("UPDATE organisations SET closed_at = NULL, delete_after = NULL WHERE org_id = $1 AND closed_at IS NOT NULL AND deletion IS NULL")
	return n == 1, wrapError("restore organisation", err)
}

// RemoveFeeds ends all calendar feeds of the organisation.
func (t *Tx) RemoveFeeds() (int64, error) {
	n, err := t.exec("DELETE FROM feeds WHERE org_id = $1")
	return n, wrapError("remove feeds", err)
}

// RemoveSCIMToken ends the organisation's SCIM token.
func (t *Tx) RemoveSCIMToken() (int64, error) {
	n, err := t.exec("DELETE FROM scim_tokens WHERE org_id = $1")
	return n, wrapError("remove scim token", err)
}

// RemoveMails deletes the organisation's mails that wait to be sent; their jobs then do nothing.
func (t *Tx) RemoveMails() (int64, error) {
	n, err := t.exec("DELETE FROM mails WHERE org_id = $1")
	return n, wrapError("remove mails", err)
}

// RemoveConsents deletes the consents at authorities that were begun, also those of the release before.
func (t *Tx) RemoveConsents() (int64, error) {
	former, err := t.exec("DELETE FROM mtd_consents WHERE org_id = $1")
	if err != nil {
		return former, wrapError("remove former consents", err)
	}
	n, err := t.exec("DELETE FROM consent_requests WHERE org_id = $1")
	return former + n, wrapError("remove consents", err)
}
