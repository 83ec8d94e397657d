package store

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

const portalLinkColumns = "id, hash, endpoint_ids, read_only, created_by, created_at, expires_at"

// AddPortalLink stores a new link to the webhook portal.
func (t *Tx) AddPortalLink(l portal.Link) error {
	ids, err := json.Marshal(append([]string{}, l.EndpointIDs...))
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO portal_links (org_id, "+portalLinkColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		l.ID, l.Hash, string(ids), l.ReadOnly, l.CreatedBy, instant(l.CreatedAt), instant(l.ExpiresAt))
	return wrapError("add portal link", err)
}

// PortalLink reads a link, also one that has ended.
func (t *Tx) PortalLink(id string) (l portal.Link, found bool, err error) {
	err = t.rows("SELECT "+portalLinkColumns+" FROM portal_links WHERE org_id = $1 AND id = $2", []any{id}, func(r engine.Row) (err error) {
		found = true
		l, err = scanPortalLink(r)
		return err
	})
	return l, found, wrapError("portal link", err)
}

// PortalLinks lists at most limit links that have not ended at a time, newest first.
func (t *Tx) PortalLinks(now time.Time, limit int) (all []portal.Link, err error) {
	err = t.rows("SELECT "+portalLinkColumns+" FROM portal_links WHERE org_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id DESC LIMIT $3"+computed,
		[]any{instant(now), limit}, func(r engine.Row) error {
			l, err := scanPortalLink(r)
			all = append(all, l)
			return err
		})
	return all, wrapError("portal links", err)
}

func scanPortalLink(r engine.Row) (l portal.Link, err error) {
	var ids string
	if err := r.Scan(&l.ID, &l.Hash, &ids, &l.ReadOnly, &l.CreatedBy, (*instant)(&l.CreatedAt), (*instant)(&l.ExpiresAt)); err != nil {
		return l, err
	}
	return l, json.Unmarshal([]byte(ids), &l.EndpointIDs)
}

// RemovePortalLink deletes a link, and reports whether there was one.
func (t *Tx) RemovePortalLink(id string) (bool, error) {
	n, err := t.exec("DELETE FROM portal_links WHERE org_id = $1 AND id = $2", id)
	return n == 1, wrapError("remove portal link", err)
}

// RemovePortalLinks deletes the links that a member made, or all of them if userID is empty.
func (t *Tx) RemovePortalLinks(userID string) (n int64, err error) {
	if userID == "" {
		n, err = t.exec("DELETE FROM portal_links WHERE org_id = $1")
	} else {
		n, err = t.exec("DELETE FROM portal_links WHERE org_id = $1 AND created_by = $2", userID)
	}
	return n, wrapError("remove portal links", err)
}

// DropEndedPortalLinks deletes the links that ended before a time.
func (t *Tx) DropEndedPortalLinks(before time.Time) error {
	_, err := t.exec("DELETE FROM portal_links WHERE org_id = $1 AND expires_at <= $2", instant(before))
	return wrapError("drop ended portal links", err)
}
