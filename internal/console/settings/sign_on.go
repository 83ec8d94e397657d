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

// Single sign-on: the organisation's identity providers, its mail domains, and whether passwords
// still open it.
func (s *Settings) signOnRoutes() []page.Route {
	return []page.Route{
		page.Get(signOnPath, page.ForOwner, s.signOnPage),
		page.Post(signOnPath+"/providers", page.ForOwner, s.saveProvider).Freshly(),
		page.Get(signOnPath+"/providers/{id}", page.ForOwner, s.providerPage),
		page.Post(signOnPath+"/providers/{id}", page.ForOwner, s.saveProvider).Freshly(),
		page.Post(signOnPath+"/providers/{id}/remove", page.ForOwner, s.removeProvider).Freshly(),
		page.Post(signOnPath+"/domains", page.ForOwner, s.addDomain).Freshly(),
		page.Post(signOnPath+"/domains/check", page.ForOwner, s.checkDomain),
		page.Post(signOnPath+"/domains/remove", page.ForOwner, s.removeDomain).Freshly(),
		page.Post(signOnPath+"/passwords", page.ForOwner, s.savePasswords).Freshly(),
	}
}

// signOnView is what the page of single sign-on shows.
type signOnView struct {
	Providers []oidc.Provider
	Domains   []oidc.Domain
	Owners    []access.Member
	Policy    access.Policy
	Callback  string
	Full      bool // no further provider
}

func (s *Settings) signOnPage(v *page.Visit) error {
	shown := signOnView{Callback: s.Identity.Callback()}
	err := s.identity(v, func(tx oidc.Tx) (err error) {
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
	members, err := s.Accounts.Register.Members(v.R.Context(), v.Session.Org)
	if err != nil {
		return err
	}
	shown.Owners = slices.DeleteFunc(members, func(m access.Member) bool { return m.Role != tenant.Owner })
	shown.Full = len(shown.Providers) >= oidc.MaxProviders
	return v.Show("settings-sign-on", "Single sign-on", shown)
}

// identity reads the organisation's identity settings.
func (s *Settings) identity(v *page.Visit, fn func(oidc.Tx) error) error {
	return s.Identity.Store.ViewIdentity(v.R.Context(), v.Session.Org, fn)
}

// setIdentity changes them.
func (s *Settings) setIdentity(v *page.Visit, fn func(oidc.Tx) error) error {
	return s.Identity.Store.UpdateIdentity(v.R.Context(), v.Session.Org, fn)
}

// providerView is a provider as its form shows it.
type providerView struct {
	oidc.Provider
	Groups string // lines of the form group = ROLE
}

func (s *Settings) providerPage(v *page.Visit) error {
	var shown providerView
	err := s.identity(v, func(tx oidc.Tx) error {
		p, found, err := tx.Provider(v.ID())
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
	return v.Show("settings-provider", shown.Name, shown)
}

func (s *Settings) saveProvider(v *page.Visit) error {
	roles, err := readRoles(v.Value("roles"))
	if err == nil {
		settings := oidc.Settings{
			Name: v.Value("name"), Issuer: v.Value("issuer"), ClientID: v.Value("clientId"), GroupsClaim: v.Value("groupsClaim"), Roles: roles,
			JustInTime: v.Value("justInTime") != "", DefaultRole: tenant.Role(v.Value("defaultRole")),
		}
		err = s.setIdentity(v, func(tx oidc.Tx) error {
			_, err := s.Identity.Save(tx, v.Call(), v.ID(), settings, v.Secret("secret"))
			return err
		})
	}
	if err != nil {
		return v.Again(err, func() error {
			if v.ID() != "" {
				return s.providerPage(v)
			}
			return s.signOnPage(v)
		})
	}
	return v.Done(signOnPath, "provider-saved")
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

func (s *Settings) removeProvider(v *page.Visit) error {
	if err := s.setIdentity(v, func(tx oidc.Tx) error { return s.Identity.Remove(tx, v.Call(), v.ID()) }); err != nil {
		return err
	}
	return v.Done(signOnPath, "provider-removed")
}

func (s *Settings) addDomain(v *page.Visit) error {
	err := s.setIdentity(v, func(tx oidc.Tx) error {
		_, err := s.Identity.AddDomain(tx, v.Call(), v.Value("domain"))
		return err
	})
	if err != nil {
		return v.Again(err, func() error { return s.signOnPage(v) })
	}
	return v.Done(signOnPath, "domain-added")
}

func (s *Settings) checkDomain(v *page.Visit) error {
	if err := s.Identity.CheckDomain(v.R.Context(), v.Call(), v.Value("domain")); err != nil {
		return v.Again(err, func() error { return s.signOnPage(v) })
	}
	return v.Done(signOnPath, "domain-verified")
}

func (s *Settings) removeDomain(v *page.Visit) error {
	if err := s.setIdentity(v, func(tx oidc.Tx) error { return s.Identity.RemoveDomain(tx, v.Call(), v.Value("domain")) }); err != nil {
		return err
	}
	return v.Done(signOnPath, "domain-removed")
}

func (s *Settings) savePasswords(v *page.Visit) error {
	err := s.setIdentity(v, func(tx oidc.Tx) error {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		policy := org.Policy
		policy.PasswordSignInOff, policy.EmergencyOwnerID = v.Value("passwordSignInOff") != "", v.Value("emergencyOwnerId")
		_, err = s.Access.UpdatePolicy(tx, v.Call(), policy)
		return err
	})
	if err != nil {
		return v.Again(err, func() error { return s.signOnPage(v) })
	}
	return v.Done(signOnPath, "passwords-saved")
}
