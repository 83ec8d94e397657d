package settings

import (
	"slices"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// API keys: made, shown once, and revoked.
func (s *Settings) keyRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/keys", page.ForOwner, s.keysPage),
		page.Post("/settings/keys", page.ForOwner, s.makeKey).Freshly(),
		page.Get("/settings/keys/{id}/revoke", page.ForOwner, s.askToRevokeKey),
		page.Post("/settings/keys/{id}/revoke", page.ForOwner, s.revokeKey).Freshly(),
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
	State access.KeyState
}

func (s *Settings) keysPage(v *page.Visit) error { return s.showKeys(v, keysView{}) }

func (s *Settings) showKeys(v *page.Visit, shown keysView) error {
	members, err := s.Accounts.Register.Members(v.R.Context(), v.Guest.Org)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, m := range members {
		names[m.ID] = m.Name
	}
	err = v.View(func(tx page.Tx) error {
		keys, err := tx.Keys()
		for _, k := range keys {
			shown.Keys = append(shown.Keys, keyRow{k, names[k.UserID], k.State(tx.Now())})
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(shown.Keys, func(a, b keyRow) int { return keyRank(a.State) - keyRank(b.State) })
	shown.API = v.PublicURL + "/api"
	return v.Show("settings-keys", "API keys", shown)
}

// keyRank puts the keys that are good before the others.
func keyRank(state access.KeyState) int {
	return slices.Index([]access.KeyState{access.ActiveKey, access.ExpiredKey, access.RevokedKey}, state)
}

func (s *Settings) makeKey(v *page.Visit) error {
	role, err := tenant.ParseRole(v.Value("role"))
	days := 0
	if text := v.Value("days"); err == nil && text != "" {
		if days, err = strconv.Atoi(text); err != nil || days < 1 || days > maxKeyDays {
			err = fault.Invalid(fault.Detail{Field: "days", Message: "must be a number of days from 1 to " + strconv.Itoa(maxKeyDays) + ", or empty"})
		}
	} else if err != nil {
		err = fault.Invalid(fault.Detail{Field: "role", Message: "must be one of the choices"})
	}
	shown := keysView{}
	if err == nil {
		err = v.Update(func(tx page.Tx) (err error) {
			var expires time.Time
			if days > 0 {
				expires = tx.Now().AddDate(0, 0, days)
			}
			shown.Made, shown.Secret, err = s.Access.IssueKey(tx, v.Call(), v.Guest.UserID, role, v.Value("name"), expires)
			return err
		})
	}
	if err != nil {
		return v.Again(err, func() error { return s.keysPage(v) })
	}
	return s.showKeys(v, shown)
}

func (s *Settings) askToRevokeKey(v *page.Visit) error {
	var keys []access.Key
	if err := v.View(func(tx page.Tx) (err error) { keys, err = tx.Keys(); return err }); err != nil {
		return err
	}
	at := slices.IndexFunc(keys, func(k access.Key) bool { return k.ID == v.ID() && k.RevokedAt.IsZero() })
	if at < 0 {
		return fault.Missing()
	}
	return v.Ask(page.Question{
		Title: "Revoke the key “" + keys[at].Name + "”?",
		Text: []string{
			"Whatever uses svc_…" + keys[at].Hint + " is refused from that moment on. This cannot be undone; make a new key first if a program still needs one.",
		},
		Action: "/settings/keys/" + keys[at].ID + "/revoke", Button: "Revoke key", Back: "/settings/keys",
	})
}

func (s *Settings) revokeKey(v *page.Visit) error {
	if err := v.Update(func(tx page.Tx) error { return s.Access.RevokeKey(tx, v.Call(), v.ID()) }); err != nil {
		return err
	}
	return v.Done("/settings/keys", "key-revoked")
}
