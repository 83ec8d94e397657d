package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// API keys: made, shown once, rotated and revoked.
func (s *Settings) keyRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/keys", page.ForOwner, s.keysPage),
		page.Post("/settings/keys", page.ForOwner, s.makeKey).WithRecentProof(),
		page.Get("/settings/keys/{id}/rotate", page.ForOwner, s.askToRotateKey),
		page.Post("/settings/keys/{id}/rotate", page.ForOwner, s.rotateKey).WithRecentProof(),
		page.Get("/settings/keys/{id}/revoke", page.ForOwner, s.askToRevokeKey),
		page.Post("/settings/keys/{id}/revoke", page.ForOwner, s.revokeKey).WithRecentProof(),
	}
}

const (
	maxKeyDays = 3650 // the longest life of a key with an end
	keyDays    = 365  // the usual one
)

// keysView is what the page of the keys shows.
type keysView struct {
	Keys    []keyRow
	Secret  string // of a key that was just made or rotated; never shown again
	Made    access.Key
	Rotated bool
	API     string
	Parts   []keyPart
	Days    int // until a key expires unless the form says otherwise
}

// keyRow is a key with the name of who made it.
type keyRow struct {
	access.Key
	Maker   string
	State   access.KeyState
	Expires bool // within access.ExpiryWarning
}

// keyPart is a row of the table of scopes: a Hub, with a box to read and one to write.
type keyPart struct {
	Name  string
	Boxes []keyBox
}

type keyBox struct {
	Scope, Verb, Label string
	Ticked             bool
}

func scopeBox(h Hub, verb string, ticked []string) keyBox {
	scope := h.ID + ":" + strings.ToLower(verb)
	return keyBox{scope, verb, verb + " " + h.Name, slices.Contains(ticked, scope)}
}

func (s *Settings) keysPage(c *page.Context) error { return s.showKeys(c, keysView{}) }

func (s *Settings) showKeys(c *page.Context, shown keysView) error {
	members, err := s.Accounts.Register.Members(c.R.Context(), c.Session.Org)
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
	slices.SortStableFunc(shown.Keys, func(a, b keyRow) int { return keyRank(a.State) - keyRank(b.State) })
	shown.API, shown.Days = c.PublicURL+"/api", keyDays
	var ticked []string
	if shown.Secret == "" {
		ticked = c.R.PostForm["scope"]
	}
	for _, h := range append([]Hub{{ID: access.AllHubs, Name: "All"}}, s.Hubs...) {
		shown.Parts = append(shown.Parts, keyPart{h.Name, []keyBox{scopeBox(h, "Read", ticked), scopeBox(h, "Write", ticked)}})
	}
	return c.Show("settings-keys", "API keys", shown)
}

// keyRank puts the keys that are good before the others.
func keyRank(state access.KeyState) int {
	return slices.Index([]access.KeyState{access.ActiveKey, access.ExpiredKey, access.RevokedKey}, state)
}

func (s *Settings) makeKey(c *page.Context) error {
	wanted, err := s.readKey(c)
	shown := keysView{}
	if err == nil {
		err = c.Update(func(tx page.Tx) (err error) {
			shown.Made, shown.Secret, err = s.Access.IssueKeyForAYear(tx, c.Call(), wanted)
			return err
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error { return s.keysPage(c) })
	}
	return s.showKeys(c, shown)
}

// readKey reads the form of a new key.
func (s *Settings) readKey(c *page.Context) (access.NewKey, error) {
	wanted := access.NewKey{Name: c.Value("name"), NeverExpires: c.Value("neverExpires") != ""}
	var err error
	if wanted.Role, err = tenant.ParseRole(c.Value("role")); err != nil {
		return wanted, apierr.Invalid(apierr.Detail{Field: "role", Message: "must be one of the choices"})
	}
	if wanted.ExpiresAt, err = keyEnd(c, wanted.NeverExpires); err != nil {
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

// keyEnd reads when a key ends: zero for the usual end, or for never.
func keyEnd(c *page.Context, never bool) (time.Time, error) {
	text := c.Value("days")
	if text == "" || never {
		return time.Time{}, nil
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > maxKeyDays {
		return time.Time{}, apierr.Invalid(apierr.Detail{Field: "days", Message: "must be a number of days from 1 to " + strconv.Itoa(maxKeyDays) + ", or empty"})
	}
	return c.Now().AddDate(0, 0, days), nil
}

// liveKey reads the key of the path, unless it has been revoked.
func liveKey(c *page.Context) (k access.Key, err error) {
	err = c.View(func(tx page.Tx) (err error) { k, err = access.LiveKey(tx, c.ID()); return err })
	return k, err
}

func (s *Settings) askToRotateKey(c *page.Context) error {
	k, err := liveKey(c)
	if err != nil {
		return err
	}
	return c.Confirm(page.Confirmation{
		Title: "Rotate the key “" + k.Name + "”?",
		Text: []string{
			"You get a new secret, which is shown once. The secret that ends in " + k.Hint + " works for another 24 hours; a secret from an earlier rotation stops at once.",
		},
		Action: "/settings/keys/" + k.ID + "/rotate", Button: "Rotate key", Back: "/settings/keys",
	})
}

func (s *Settings) rotateKey(c *page.Context) error {
	shown := keysView{Rotated: true}
	err := c.Update(func(tx page.Tx) (err error) {
		shown.Made, shown.Secret, err = s.Access.RotateKey(tx, c.Call(), c.ID())
		return err
	})
	if err != nil {
		return err
	}
	return s.showKeys(c, shown)
}

func (s *Settings) askToRevokeKey(c *page.Context) error {
	k, err := liveKey(c)
	if err != nil {
		return err
	}
	return c.Confirm(page.Confirmation{
		Title: "Revoke the key “" + k.Name + "”?",
		Text: []string{
			"Whatever uses svc_…" + k.Hint + " is refused from that moment on. This cannot be undone; make a new key first if a program still needs one.",
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
