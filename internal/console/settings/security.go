package settings

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// How people sign in to the organisation, and the sessions that are open in it.
func (s *Settings) securityRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/security", page.ForOwner, s.securityPage),
		page.Post("/settings/security", page.ForOwner, s.saveSecurity).Freshly(),
		page.Post("/settings/sessions/{id}/end", page.ForOwner, s.endSession).Freshly(),
	}
}

// securitySettings is what the page of the security settings shows.
type securitySettings struct {
	Policy   access.Policy
	Sessions []access.MemberSession
	This     string // id of the session that asks
}

func (s *Settings) securityPage(v *page.Visit) error {
	shown := securitySettings{This: v.Session.ID}
	err := v.View(func(tx page.Tx) error {
		org, err := tx.Organisation()
		shown.Policy = org.Policy
		return err
	})
	if err != nil {
		return err
	}
	if shown.Sessions, err = s.Accounts.MemberSessions(v.R.Context(), v.Session.Org); err != nil {
		return err
	}
	return v.Show("settings-security", "Security", shown)
}

func (s *Settings) saveSecurity(v *page.Visit) error {
	err := v.Update(func(tx page.Tx) error {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		policy := org.Policy
		policy.SecondFactorRequired = v.Value("secondFactorRequired") != ""
		_, err = s.Access.UpdatePolicy(tx, v.Call(), policy)
		return err
	})
	if err != nil {
		return v.Again(err, func() error { return s.securityPage(v) })
	}
	return v.Done("/settings/security", "security-saved")
}

func (s *Settings) endSession(v *page.Visit) error {
	if err := s.Accounts.EndMemberSession(v.R.Context(), v.Visitor, v.Session, v.ID()); err != nil {
		return err
	}
	return v.Done("/settings/security", "member-session-ended")
}
