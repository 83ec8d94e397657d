package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// keyRoutes create, rotate and revoke API keys.
func (s *Settings) keyRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/keys", page.ForOwner, s.keysPage),
		page.Post("/settings/keys", page.ForOwner, s.createKey).WithRecentProof(),
		page.Get("/settings/keys/{id}/rotate", page.ForOwner, s.confirmRotateKey),
		page.Post("/settings/keys/{id}/rotate", page.ForOwner, s.rotateKey).WithRecentProof(),
		page.Get("/settings/keys/{id}/revoke", page.ForOwner, s.confirmRevokeKey),
		page.Post("/settings/keys/{id}/revoke", page.ForOwner, s.revokeKey).WithRecentProof(),
	}
}

const (
	maxKeyDays = 3650 // maximum number of days until a key expires
	keyDays    = 365  // default
)

// keysView is the data of the page of API keys.
type keysView struct {
	Keys    []keyRow
	Secret  string // of a new or rotated key, shown once
	Key     access.Key
	Rotated bool
	API     string
	Scopes  []scopeRow
	Days    int // default number of days until a key expires
}

// keyRow is a key with the name of the user who created it.
type keyRow struct {
	access.Key
	CreatedBy   string
	State       access.KeyState
	ExpiresSoon bool // within access.ExpiryWarning
}

// scopeRow is a row of the table of scopes: a Hub with a checkbox for each verb.
type scopeRow struct {
	Name  string
	Boxes []scopeBox
}

type scopeBox struct {
	Scope, Verb, Label string
	Checked            bool
}

func newScopeBox(h Hub, verb string, ticked []string) scopeBox {
	scope := h.ID + ":" + strings.ToLower(verb)
	return scopeBox{scope, verb, verb + " " + h.Name, slices.Contains(ticked, scope)}
}

func (s *Settings) keysPage(c *page.Context) error { return s.showKeys(c, keysView{}) }

func (s *Settings) showKeys(c *page.Context, shown keysView) error {
	members, err := s.Accounts.Store.Members(c.R.Context(), c.Session.Org)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, m := range members {
		names[m.ID] = m.Name
	}
	err = c.View(func(tx page.Tx) error {
		keys, err := tx.Keys()
		for _, k := range keys {
			shown.Keys = append(shown.Keys, keyRow{k, names[k.UserID], k.State(tx.Now()), k.ExpiresSoon(tx.Now())})
		}
		return err
	})
	if err != nil {
		return err
	}
	sorting.Stable(shown.Keys, func(a, b keyRow) int { return keyRank(a.State) - keyRank(b.State) })
	shown.API, shown.Days = c.PublicURL+"/api", keyDays
	var ticked []string
	if shown.Secret == "" {
		ticked = c.R.PostForm["scope"]
	}
	for _, h := range append([]Hub{{ID: access.AllHubs, Name: "All"}}, s.Hubs...) {
		shown.Scopes = append(shown.Scopes, scopeRow{h.Name, []scopeBox{newScopeBox(h, "Read", ticked), newScopeBox(h, "Write", ticked)}})
	}
	return c.Show("settings-keys", "API keys", shown)
}

// keyRank sorts active keys first.
func keyRank(state access.KeyState) int {
	return slices.Index([]access.KeyState{access.ActiveKey, access.ExpiredKey, access.RevokedKey}, state)
}

func (s *Settings) createKey(c *page.Context) error {
	wanted, err := s.readKey(c)
	shown := keysView{}
	if err == nil {
		err = c.Update(func(tx page.Tx) (err error) {
			shown.Key, shown.Secret, err = s.Access.IssueKeyForAYear(tx, c.Call(), wanted)
			return err
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error { return s.keysPage(c) })
	}
	return s.showKeys(c, shown)
}

// readKey reads the form for a new key.
func (s *Settings) readKey(c *page.Context) (access.NewKey, error) {
	wanted := access.NewKey{Name: c.Value("name"), NeverExpires: c.Value("neverExpires") != ""}
	var err error
	if wanted.Role, err = tenant.ParseRole(c.Value("role")); err != nil {
		return wanted, apierr.Invalid(apierr.Detail{Field: "role", Message: "must be one of the choices"})
	}
	if wanted.ExpiresAt, err = keyExpiry(c, wanted.NeverExpires); err != nil {
		return wanted, err
	}
	ids := make([]string, len(s.Hubs))
	for i, h := range s.Hubs {
		ids[i] = h.ID
	}
	if wanted.Scopes, err = access.ParseScopes(c.R.PostForm["scope"], ids); err != nil {
		return wanted, err
	}
	wanted.Addresses, err = access.ParseAddresses(strings.Fields(c.Value("addresses")))
	return wanted, err
}

// keyExpiry reads when a key expires; zero for the default, or for never.
func keyExpiry(c *page.Context, never bool) (time.Time, error) {
	text := c.Value("days")
	if text == "" || never {
		return time.Time{}, nil
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > maxKeyDays {
		return time.Time{}, apierr.Invalid(apierr.Detail{Field: "days", Message: "must be a number of days from 1 to " + strconv.Itoa(maxKeyDays) + ", or empty"})
	}
	return c.RealNow().AddDate(0, 0, days), nil
}

// activeKey reads the key in the path; it fails if the key is revoked.
func activeKey(c *page.Context) (k access.Key, err error) {
	err = c.View(func(tx page.Tx) (err error) { k, err = access.LiveKey(tx, c.ID()); return err })
	return k, err
}

func (s *Settings) confirmRotateKey(c *page.Context) error {
	k, err := activeKey(c)
	if err != nil {
		return err
	}
	return c.Confirm(page.Confirmation{
		Title: "Rotate the key “" + k.Name + "”?",
		Text: []string{
			"You get a new secret, which is shown once. The secret that ends in " + k.Hint + " works for another 24 hours. A secret from an earlier rotation stops working now.",
		},
		Action: "/settings/keys/" + k.ID + "/rotate", Button: "Rotate key", Back: "/settings/keys", Safe: true,
	})
}

func (s *Settings) rotateKey(c *page.Context) error {
	shown := keysView{Rotated: true}
	err := c.Update(func(tx page.Tx) (err error) {
		shown.Key, shown.Secret, err = s.Access.RotateKey(tx, c.Call(), c.ID())
		return err
	})
	if err != nil {
		return err
	}
	return s.showKeys(c, shown)
}

func (s *Settings) confirmRevokeKey(c *page.Context) error {
	k, err := activeKey(c)
	if err != nil {
		return err
	}
	return c.Confirm(page.Confirmation{
		Title: "Revoke the key “" + k.Name + "”?",
		Text: []string{
			"Requests with svc_…" + k.Hint + " will be refused immediately. This cannot be undone. If a program still needs a key, create a new one first.",
		},
		Action: "/settings/keys/" + k.ID + "/revoke", Button: "Revoke key", Back: "/settings/keys",
	})
}

func (s *Settings) revokeKey(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return s.Access.RevokeKey(tx, c.Call(), c.ID()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/settings/keys", "key-revoked")
}
