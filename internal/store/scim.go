package store

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// SCIMToken reads the organisation's SCIM token.
func (t *Tx) SCIMToken() (s scim.Token, found bool, err error) {
	var settings string
	found, err = t.row("SELECT hash, hint, settings, created_at FROM scim_tokens WHERE org_id = $1", nil, &s.Hash, &s.Hint, &settings, (*instant)(&s.CreatedAt))
	if err == nil && found {
		s.Org = t.org
		err = json.Unmarshal([]byte(settings), &s.Settings)
	}
	return s, found, wrapError("scim token", err)
}

// PutSCIMToken stores the SCIM token, replacing the former.
func (t *Tx) PutSCIMToken(s scim.Token) error {
	if err := t.ownMembers(); err != nil {
		return err
	}
	settings, err := json.Marshal(s.Settings)
	if err != nil {
		return err
	}
	if _, err = t.exec("DELETE FROM scim_tokens WHERE org_id = $1"); err == nil {
		_, err = t.exec("INSERT INTO scim_tokens (org_id, hash, hint, settings, created_at) VALUES ($1, $2, $3, $4, $5)",
			s.Hash, s.Hint, string(settings), instant(s.CreatedAt))
	}
	return wrapError("put scim token", err)
}

// PutSCIMUser stores user name and external id of a user.
func (t *Tx) PutSCIMUser(u scim.User) error {
	if err := t.RemoveSCIMUser(u.ID); err != nil {
		return err
	}
	_, err := t.exec("INSERT INTO scim_users (org_id, user_id, user_name, external_id, updated_at) VALUES ($1, $2, $3, $4, $5)",
		u.ID, u.UserName, u.ExternalID, instant(u.UpdatedAt))
	return wrapError("put scim user", err)
}

// RemoveSCIMUser deletes the SCIM data of a user.
func (t *Tx) RemoveSCIMUser(id string) error {
	_, err := t.exec("DELETE FROM scim_users WHERE org_id = $1 AND user_id = $2", id)
	return wrapError("remove scim user", err)
}

// SCIMGroups lists the groups by name.
func (t *Tx) SCIMGroups() (all []scim.Group, err error) {
	err = t.rows("SELECT id, display_name, external_id, members, created_at, updated_at FROM scim_groups WHERE org_id = $1 ORDER BY display_name, id", nil, func(r engine.Row) error {
		var g scim.Group
		var members string
		if err := r.Scan(&g.ID, &g.Name, &g.ExternalID, &members, (*instant)(&g.CreatedAt), (*instant)(&g.UpdatedAt)); err != nil {
			return err
		}
		all = append(all, g)
		return json.Unmarshal([]byte(members), &all[len(all)-1].Members)
	})
	return all, wrapError("scim groups", err)
}

// PutSCIMGroup stores a group, replacing one with the same id.
func (t *Tx) PutSCIMGroup(g scim.Group) error {
	members, err := json.Marshal(g.Members)
	if err != nil {
		return err
	}
	if _, err := t.RemoveSCIMGroup(g.ID); err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO scim_groups (org_id, id, display_name, external_id, members, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		g.ID, g.Name, g.ExternalID, string(members), instant(g.CreatedAt), instant(g.UpdatedAt))
	return wrapError("put scim group", err)
}

// RemoveSCIMGroup removes a group and reports whether there was one.
func (t *Tx) RemoveSCIMGroup(id string) (bool, error) {
	n, err := t.exec("DELETE FROM scim_groups WHERE org_id = $1 AND id = $2", id)
	return n == 1, wrapError("remove scim group", err)
}
