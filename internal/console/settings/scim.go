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

// scimRoutes are for the SCIM token, with which an identity provider manages members, and the roles of its groups.
func (s *Settings) scimRoutes() []page.Route {
	return []page.Route{
		page.Get(scimPath, page.ForOwner, s.scimPage),
		page.Post(scimPath, page.ForOwner, s.createSCIMToken).WithRecentProof(),
		page.Post(scimPath+"/roles", page.ForOwner, s.saveSCIMRoles).WithRecentProof(),
	}
}

// scimView is the data of the SCIM page.
type scimView struct {
	scim.Token
	Exists bool   // whether there is a token
	Secret string // new token, shown once
	URL    string
	Roles  string // lines of the form group = ROLE
	Groups []scim.Group
}

func (s *Settings) scimPage(c *page.Context) error { return s.showSCIM(c, "") }

func (s *Settings) showSCIM(c *page.Context, secret string) error {
	shown := scimView{Secret: secret, URL: strings.TrimRight(c.PublicURL, "/") + "/api/scim/v2"}
	err := s.SCIM.Store.ViewSCIM(c.R.Context(), c.Session.Org, func(tx scim.Tx) (err error) {
		if shown.Token, shown.Exists, err = tx.SCIMToken(); err != nil {
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
	return c.Show("settings-scim", "SCIM", shown)
}

func (s *Settings) createSCIMToken(c *page.Context) error {
	var token string
	err := s.SCIM.Store.UpdateSCIM(c.R.Context(), c.Session.Org, func(tx scim.Tx) (err error) {
		token, err = s.SCIM.NewToken(tx, c.Call())
		return err
	})
	if err != nil {
		return err
	}
	return s.showSCIM(c, token)
}

func (s *Settings) saveSCIMRoles(c *page.Context) error {
	roles, err := readRoles(c.Value("roles"))
	if err == nil {
		err = s.SCIM.Store.UpdateSCIM(c.R.Context(), c.Session.Org, func(tx scim.Tx) error {
			return s.SCIM.SaveSettings(tx, c.Call(), scim.Settings{Roles: roles, DefaultRole: tenant.Role(c.Value("defaultRole"))})
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error { return s.scimPage(c) })
	}
	return c.RedirectWithNotice(scimPath, "scim-saved")
}
