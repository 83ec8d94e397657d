package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const signOnPath = "/settings/sign-on"

// signOnRoutes are for the organisation's identity providers, its email domains, and whether users can
// still sign in with passwords.
func (s *Settings) signOnRoutes() []page.Route {
	return []page.Route{
		page.Get(signOnPath, page.ForOwner, s.signOnPage),
		page.Post(signOnPath+"/providers", page.ForOwner, s.saveProvider).WithRecentProof(),
		page.Get(signOnPath+"/providers/{id}", page.ForOwner, s.providerPage),
		page.Post(signOnPath+"/providers/{id}", page.ForOwner, s.saveProvider).WithRecentProof(),
		page.Post(signOnPath+"/providers/{id}/remove", page.ForOwner, s.removeProvider).WithRecentProof(),
		page.Post(signOnPath+"/domains", page.ForOwner, s.addDomain).WithRecentProof(),
		page.Post(signOnPath+"/domains/check", page.ForOwner, s.checkDomain),
		page.Post(signOnPath+"/domains/remove", page.ForOwner, s.removeDomain).WithRecentProof(),
		page.Post(signOnPath+"/passwords", page.ForOwner, s.savePasswords).WithRecentProof(),
	}
}

// signOnView is the data of the single sign-on page.
type signOnView struct {
	Providers []oidc.Provider
	Domains   []oidc.Domain
	Owners    []access.Member
	Policy    access.Policy
	Callback  string
	Full      bool // no further provider can be added
}

func (s *Settings) signOnPage(c *page.Context) error {
	shown := signOnView{Callback: s.Identity.CallbackURL()}
	err := s.viewIdentity(c, func(tx oidc.Tx) (err error) {
		if shown.Providers, err = tx.Providers(); err != nil {
			return err
		}
		if shown.Domains, err = tx.Domains(); err != nil {
			return err
		}
		org, err := tx.Organisation()
		shown.Policy = org.Policy
		return err
	})
	if err != nil {
		return err
	}
	members, err := s.Accounts.Store.Members(c.R.Context(), c.Session.Org)
	if err != nil {
		return err
	}
	shown.Owners = slices.DeleteFunc(members, func(m access.Member) bool { return m.Role != tenant.Owner })
	shown.Full = len(shown.Providers) >= oidc.MaxProviders
	return c.Show("settings-sign-on", "Single sign-on", shown)
}

// viewIdentity reads the organisation's identity settings.
func (s *Settings) viewIdentity(c *page.Context, fn func(oidc.Tx) error) error {
	return s.Identity.Store.ViewIdentity(c.R.Context(), c.Session.Org, fn)
}

// updateIdentity changes the organisation's identity settings.
func (s *Settings) updateIdentity(c *page.Context, fn func(oidc.Tx) error) error {
	return s.Identity.Store.UpdateIdentity(c.R.Context(), c.Session.Org, fn)
}

// providerView is the data of the form of a provider.
type providerView struct {
	oidc.Provider
	Groups string // lines of the form group = ROLE
}

func (s *Settings) providerPage(c *page.Context) error {
	var shown providerView
	err := s.viewIdentity(c, func(tx oidc.Tx) error {
		p, found, err := tx.Provider(c.ID())
		if err == nil && !found {
			err = apierr.Missing()
		}
		shown.Provider = p
		return err
	})
	if err != nil {
		return err
	}
	for _, group := range slices.Sorted(maps.Keys(shown.Roles)) {
		shown.Groups += fmt.Sprintf("%s = %s\n", group, shown.Roles[group])
	}
	return c.Show("settings-provider", shown.Name, shown)
}

func (s *Settings) saveProvider(c *page.Context) error {
	roles, err := readRoles(c.Value("roles"))
	if err == nil {
		settings := oidc.Settings{
			Name: c.Value("name"), Issuer: c.Value("issuer"), ClientID: c.Value("clientId"), GroupsClaim: c.Value("groupsClaim"), Roles: roles,
			JustInTime: c.Value("justInTime") != "", DefaultRole: tenant.Role(c.Value("defaultRole")),
		}
		err = s.updateIdentity(c, func(tx oidc.Tx) error {
			_, err := s.Identity.Save(tx, c.Call(), c.ID(), settings, c.Secret("secret"))
			return err
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error {
			if c.ID() != "" {
				return s.providerPage(c)
			}
			return s.signOnPage(c)
		})
	}
	return c.RedirectWithNotice(signOnPath, "provider-saved")
}

// readRoles reads lines of the form group = ROLE.
func readRoles(text string) (map[string]tenant.Role, error) {
	roles := map[string]tenant.Role{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		at := strings.LastIndexByte(line, '=')
		if at < 1 {
			return nil, apierr.Invalid(apierr.Detail{Field: "roles", Message: "must have lines of the form group = OWNER, MEMBER or VIEWER"})
		}
		roles[strings.TrimSpace(line[:at])] = tenant.Role(strings.ToUpper(strings.TrimSpace(line[at+1:])))
	}
	return roles, nil
}

func (s *Settings) removeProvider(c *page.Context) error {
	if err := s.updateIdentity(c, func(tx oidc.Tx) error { return s.Identity.Remove(tx, c.Call(), c.ID()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice(signOnPath, "provider-removed")
}

func (s *Settings) addDomain(c *page.Context) error {
	err := s.updateIdentity(c, func(tx oidc.Tx) error {
		_, err := s.Identity.AddDomain(tx, c.Call(), c.Value("domain"))
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return s.signOnPage(c) })
	}
	return c.RedirectWithNotice(signOnPath, "domain-added")
}

func (s *Settings) checkDomain(c *page.Context) error {
	if err := s.Identity.CheckDomain(c.R.Context(), c.Call(), c.Value("domain")); err != nil {
		return c.Redisplay(err, func() error { return s.signOnPage(c) })
	}
	return c.RedirectWithNotice(signOnPath, "domain-verified")
}

func (s *Settings) removeDomain(c *page.Context) error {
	if err := s.updateIdentity(c, func(tx oidc.Tx) error { return s.Identity.RemoveDomain(tx, c.Call(), c.Value("domain")) }); err != nil {
		return err
	}
	return c.RedirectWithNotice(signOnPath, "domain-removed")
}

func (s *Settings) savePasswords(c *page.Context) error {
	err := s.updateIdentity(c, func(tx oidc.Tx) error {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		policy := org.Policy
		policy.PasswordSignInOff, policy.EmergencyOwnerID = c.Value("passwordSignInOff") != "", c.Value("emergencyOwnerId")
		_, err = s.Access.UpdatePolicy(tx, c.Call(), policy)
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return s.signOnPage(c) })
	}
	return c.RedirectWithNotice(signOnPath, "passwords-saved")
}
