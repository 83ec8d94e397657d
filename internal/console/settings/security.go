package settings

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// securityRoutes are for the second factor policy and the open sessions.
func (s *Settings) securityRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/security", page.ForOwner, s.securityPage),
		page.Post("/settings/security", page.ForOwner, s.saveSecurity).WithRecentProof(),
		page.Post("/settings/sessions/{id}/end", page.ForOwner, s.endSession).WithRecentProof(),
	}
}

// securityView is the data of the security page.
type securityView struct {
	Policy    access.Policy
	Sessions  []access.MemberSession
	CurrentID string // id of the session of this request
}

func (s *Settings) securityPage(c *page.Context) error {
	shown := securityView{CurrentID: c.Session.ID}
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
