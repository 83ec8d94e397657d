package store

import "github.com/tidewaiter/tidewaiter/internal/audit"

// EventsBy reads events that a user caused, in the order of Hub, type and sequence, which is that of an index.
// It begins behind an event; behind the zero event for the first page.
func (t *Tx) EventsBy(userID string, after audit.Event, limit int) (page []audit.Event, err error) {
	err = t.eachOf("SELECT "+eventColumns+" FROM events WHERE org_id = $1 AND actor_user_id = $2 AND (hub, type, sequence) > ($3, $4, $5) "+
		"ORDER BY hub, type, sequence LIMIT $6"+computed,
		[]any{userID, after.Hub, after.Type, after.Sequence, limit}, func(e audit.Event) { page = append(page, e) })
	return page, explained("events of a user", err)
}

// SavePersonal stores what is left of the personal values beside an event. The database refuses anything but to
// erase some of them.
func (t *Tx) SavePersonal(e *audit.Event) error {
	_, err := t.exec("UPDATE events SET personal = $3 WHERE org_id = $1 AND sequence = $2", e.Sequence, string(e.AppendPersonal(nil)))
	return explained("erase personal values", err)
}
