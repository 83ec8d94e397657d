package console

import (
	"slices"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// API keys: made, shown once, and revoked.
func (c *Console) keyRoutes() []Route {
	return []Route{
		{"GET", "/settings/keys", ForOwner, 0, c.keysPage},
		{"POST", "/settings/keys", ForOwner, 0, c.makeKey},
		{"GET", "/settings/keys/{id}/revoke", ForOwner, 0, c.askToRevokeKey},
		{"POST", "/settings/keys/{id}/revoke", ForOwner, 0, c.revokeKey},
	}
}

// maxKeyDays is the longest that a key with an end is good.
const maxKeyDays = 3650

// keysView is what the page of the keys shows.
type keysView struct {
	Keys   []keyRow
	Secret string // of a key that was just made; never again
	Made   access.Key
	API    string
}

// keyRow is a key with the name of who made it.
type keyRow struct {
	access.Key
	Maker string
	State string
}

// What becomes of a key.
const (
	keyActive  = "Active"
	keyExpired = "Expired"
	keyRevoked = "Revoked"
)

func keyState(k access.Key, now time.Time) string {
	switch {
	case !k.RevokedAt.IsZero():
		return keyRevoked
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return keyExpired
	}
	return keyActive
}

func (c *Console) keysPage(v *visit) error { return c.showKeys(v, keysView{}) }

func (c *Console) showKeys(v *visit, shown keysView) error {
	members, err := c.Accounts.Register.Members(v.r.Context(), v.guest.Org)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, m := range members {
		names[m.ID] = m.Name
	}
	err = v.view(func(tx Tx) error {
		keys, err := tx.Keys()
		for _, k := range keys {
			shown.Keys = append(shown.Keys, keyRow{k, names[k.UserID], keyState(k, tx.Now())})
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(shown.Keys, func(a, b keyRow) int { return keyRank(a.State) - keyRank(b.State) })
	shown.API = c.PublicURL + "/api"
	return v.show("settings-keys", "API keys", shown)
}

// keyRank puts the keys that are good before the others.
func keyRank(state string) int {
	return slices.Index([]string{keyActive, keyExpired, keyRevoked}, state)
}

func (c *Console) makeKey(v *visit) error {
	role, err := tenant.ParseRole(v.value("role"))
	days := 0
	if text := v.value("days"); err == nil && text != "" {
		if days, err = strconv.Atoi(text); err != nil || days < 1 || days > maxKeyDays {
			err = fault.Invalid(fault.Detail{Field: "days", Message: "must be a number of days from 1 to " + strconv.Itoa(maxKeyDays) + ", or empty"})
		}
	} else if err != nil {
		err = fault.Invalid(fault.Detail{Field: "role", Message: "must be one of the choices"})
	}
	shown := keysView{}
	if err == nil {
		err = v.update(func(tx Tx) (err error) {
			var expires time.Time
			if days > 0 {
				expires = tx.Now().AddDate(0, 0, days)
			}
			shown.Made, shown.Secret, err = c.Access.IssueKey(tx, v.call(), v.guest.UserID, role, v.value("name"), expires)
			return err
		})
	}
	if err != nil {
		return v.again(err, func() error { return c.keysPage(v) })
	}
	return c.showKeys(v, shown)
}

func (c *Console) askToRevokeKey(v *visit) error {
	var keys []access.Key
	if err := v.view(func(tx Tx) (err error) { keys, err = tx.Keys(); return err }); err != nil {
		return err
	}
	at := slices.IndexFunc(keys, func(k access.Key) bool { return k.ID == v.id() && k.RevokedAt.IsZero() })
	if at < 0 {
		return fault.Missing()
	}
	return v.ask(question{
		Title: "Revoke the key “" + keys[at].Name + "”?",
		Text: []string{
			"Whatever uses svc_…" + keys[at].Hint + " is refused from that moment on. This cannot be undone; make a new key first if a program still needs one.",
		},
		Action: "/settings/keys/" + keys[at].ID + "/revoke", Button: "Revoke key", Back: "/settings/keys",
	})
}

func (c *Console) revokeKey(v *visit) error {
	if err := v.update(func(tx Tx) error { return c.Access.RevokeKey(tx, v.call(), v.id()) }); err != nil {
		return err
	}
	return v.done("/settings/keys", "key-revoked")
}
