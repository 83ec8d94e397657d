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
		page.Post("/settings/keys", page.ForOwner, s.makeKey).Freshly(),
		page.Get("/settings/keys/{id}/rotate", page.ForOwner, s.askToRotateKey),
		page.Post("/settings/keys/{id}/rotate", page.ForOwner, s.rotateKey).Freshly(),
		page.Get("/settings/keys/{id}/revoke", page.ForOwner, s.askToRevokeKey),
		page.Post("/settings/keys/{id}/revoke", page.ForOwner, s.revokeKey).Freshly(),
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

func (s *Settings) keysPage(v *page.Visit) error { return s.showKeys(v, keysView{}) }

func (s *Settings) showKeys(v *page.Visit, shown keysView) error {
	members, err := s.Accounts.Register.Members(v.R.Context(), v.Session.Org)
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
			shown.Keys = append(shown.Keys, keyRow{k, names[k.UserID], k.State(tx.Now()), k.ExpiresSoon(tx.Now())})
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(shown.Keys, func(a, b keyRow) int { return keyRank(a.State) - keyRank(b.State) })
	shown.API, shown.Days = v.PublicURL+"/api", keyDays
	var ticked []string
	if shown.Secret == "" {
		ticked = v.R.PostForm["scope"]
	}
	for _, h := range append([]Hub{{ID: access.AllHubs, Name: "All"}}, s.Hubs...) {
		shown.Parts = append(shown.Parts, keyPart{h.Name, []keyBox{scopeBox(h, "Read", ticked), scopeBox(h, "Write", ticked)}})
	}
	return v.Show("settings-keys", "API keys", shown)
}

// keyRank puts the keys that are good before the others.
func keyRank(state access.KeyState) int {
	return slices.Index([]access.KeyState{access.ActiveKey, access.ExpiredKey, access.RevokedKey}, state)
}

func (s *Settings) makeKey(v *page.Visit) error {
	wanted, err := s.readKey(v)
	shown := keysView{}
	if err == nil {
		err = v.Update(func(tx page.Tx) (err error) {
			shown.Made, shown.Secret, err = s.Access.IssueKeyForAYear(tx, v.Call(), wanted)
			return err
		})
	}
	if err != nil {
		return v.Again(err, func() error { return s.keysPage(v) })
	}
	return s.showKeys(v, shown)
}

// readKey reads the form of a new key.
func (s *Settings) readKey(v *page.Visit) (access.NewKey, error) {
	wanted := access.NewKey{Name: v.Value("name"), NeverExpires: v.Value("neverExpires") != ""}
	var err error
	if wanted.Role, err = tenant.ParseRole(v.Value("role")); err != nil {
		return wanted, apierr.Invalid(apierr.Detail{Field: "role", Message: "must be one of the choices"})
	}
	if wanted.ExpiresAt, err = keyEnd(v, wanted.NeverExpires); err != nil {
		return wanted, err
	}
	ids := make([]string, len(s.Hubs))
	for i, h := range s.Hubs {
		ids[i] = h.ID
	}
	if wanted.Scopes, err = access.ParseScopes(v.R.PostForm["scope"], ids); err != nil {
		return wanted, err
	}
	wanted.Addresses, err = access.ParseAddresses(strings.Fields(v.Value("addresses")))
	return wanted, err
}

// keyEnd reads when a key ends: zero for the usual end, or for never.
func keyEnd(v *page.Visit, never bool) (time.Time, error) {
	text := v.Value("days")
	if text == "" || never {
		return time.Time{}, nil
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > maxKeyDays {
		return time.Time{}, apierr.Invalid(apierr.Detail{Field: "days", Message: "must be a number of days from 1 to " + strconv.Itoa(maxKeyDays) + ", or empty"})
	}
	return v.Now().AddDate(0, 0, days), nil
}

// liveKey reads the key of the path, unless it has been revoked.
func liveKey(v *page.Visit) (k access.Key, err error) {
	err = v.View(func(tx page.Tx) (err error) { k, err = access.LiveKey(tx, v.ID()); return err })
	return k, err
}

func (s *Settings) askToRotateKey(v *page.Visit) error {
	k, err := liveKey(v)
	if err != nil {
		return err
	}
	return v.Ask(page.Question{
		Title: "Rotate the key “" + k.Name + "”?",
		Text: []string{
			"You get a new secret, which is shown once. The secret that ends in " + k.Hint + " works for another 24 hours; a secret from an earlier rotation stops at once.",
		},
		Action: "/settings/keys/" + k.ID + "/rotate", Button: "Rotate key", Back: "/settings/keys",
	})
}

func (s *Settings) rotateKey(v *page.Visit) error {
	shown := keysView{Rotated: true}
	err := v.Update(func(tx page.Tx) (err error) {
		shown.Made, shown.Secret, err = s.Access.RotateKey(tx, v.Call(), v.ID())
		return err
	})
	if err != nil {
		return err
	}
	return s.showKeys(v, shown)
}

func (s *Settings) askToRevokeKey(v *page.Visit) error {
	k, err := liveKey(v)
	if err != nil {
		return err
	}
	return v.Ask(page.Question{
		Title: "Revoke the key “" + k.Name + "”?",
		Text: []string{
			"Whatever uses svc_…" + k.Hint + " is refused from that moment on. This cannot be undone; make a new key first if a program still needs one.",
		},
		Action: "/settings/keys/" + k.ID + "/revoke", Button: "Revoke key", Back: "/settings/keys",
	})
}

func (s *Settings) revokeKey(v *page.Visit) error {
	if err := v.Update(func(tx page.Tx) error { return s.Access.RevokeKey(tx, v.Call(), v.ID()) }); err != nil {
		return err
	}
	return v.Done("/settings/keys", "key-revoked")
}
