package settings

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// How people sign in to the organisation, and the sessions that are open in it.
func (s *Settings) securityRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/security", page.ForOwner, s.securityPage),
		page.Post("/settings/security", page.ForOwner, s.saveSecurity).WithRecentProof(),
		page.Post("/settings/sessions/{id}/end", page.ForOwner, s.endSession).WithRecentProof(),
	}
}

// securitySettings is what the page of the security settings shows.
type securitySettings struct {
	Policy   access.Policy
	Sessions []access.MemberSession
	This     string // id of the session that asks
}

func (s *Settings) securityPage(c *page.Context) error {
	shown := securitySettings{This: c.Session.ID}
	err := c.View(func(tx page.Tx) error {
		org, err := tx.Organisation()
		shown.Policy = org.Policy
		return err
	})
	if err != nil {
		return err
	}
	if shown.Sessions, err = s.Accounts.MemberSessions(c.R.Context(), c.Session.Org); err != nil {
		return err
	}
	return c.Show("settings-security", "Security", shown)
}

func (s *Settings) saveSecurity(c *page.Context) error {
	err := c.Update(func(tx page.Tx) error {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		policy := org.Policy
		policy.SecondFactorRequired = c.Value("secondFactorRequired") != ""
		_, err = s.Access.UpdatePolicy(tx, c.Call(), policy)
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return s.securityPage(c) })
	}
	return c.RedirectWithNotice("/settings/security", "security-saved")
}

func (s *Settings) endSession(c *page.Context) error {
	if err := s.Accounts.EndMemberSession(c.R.Context(), c.Visitor, c.Session, c.ID()); err != nil {
		return err
	}
	return c.RedirectWithNotice("/settings/security", "member-session-ended")
}
