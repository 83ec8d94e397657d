package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const scimPath = "/settings/scim"

// SCIM: the token with which an identity provider manages the members, and what its groups mean.
func (s *Settings) scimRoutes() []page.Route {
	return []page.Route{
		page.Get(scimPath, page.ForOwner, s.scimPage),
		page.Post(scimPath, page.ForOwner, s.makeSCIMToken).Freshly(),
		page.Post(scimPath+"/roles", page.ForOwner, s.saveSCIMRoles).Freshly(),
	}
}

// scimView is what the page of SCIM shows.
type scimView struct {
	scim.Token
	Made   bool   // whether there is a token
	Secret string // a token that was just made; never again
	URL    string
	Roles  string // lines of the form group = ROLE
	Groups []scim.Group
}

func (s *Settings) scimPage(v *page.Visit) error { return s.showSCIM(v, "") }

func (s *Settings) showSCIM(v *page.Visit, secret string) error {
	shown := scimView{Secret: secret, URL: strings.TrimRight(v.PublicURL, "/") + "/api/scim/v2"}
	err := s.SCIM.Store.ViewSCIM(v.R.Context(), v.Session.Org, func(tx scim.Tx) (err error) {
		if shown.Token, shown.Made, err = tx.SCIMToken(); err != nil {
			return err
		}
		shown.Groups, err = tx.SCIMGroups()
		return err
	})
	if err != nil {
		return err
	}
	for _, group := range slices.Sorted(maps.Keys(shown.Settings.Roles)) {
		shown.Roles += fmt.Sprintf("%s = %s\n", group, shown.Settings.Roles[group])
	}
	return v.Show("settings-scim", "SCIM", shown)
}

func (s *Settings) makeSCIMToken(v *page.Visit) error {
	var token string
	err := s.SCIM.Store.UpdateSCIM(v.R.Context(), v.Session.Org, func(tx scim.Tx) (err error) {
		token, err = s.SCIM.NewToken(tx, v.Call())
		return err
	})
	if err != nil {
		return err
	}
	return s.showSCIM(v, token)
}

func (s *Settings) saveSCIMRoles(v *page.Visit) error {
	roles, err := readRoles(v.Value("roles"))
	if err == nil {
		err = s.SCIM.Store.UpdateSCIM(v.R.Context(), v.Session.Org, func(tx scim.Tx) error {
			return s.SCIM.SaveSettings(tx, v.Call(), scim.Settings{Roles: roles, DefaultRole: tenant.Role(v.Value("defaultRole"))})
		})
	}
	if err != nil {
		return v.Again(err, func() error { return s.scimPage(v) })
	}
	return v.Done(scimPath, "scim-saved")
}
