package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// userRoutes are for users and invitations.
func (s *Settings) userRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/users", page.ForOwner, s.usersPage),
		page.Post("/settings/users/invite", page.ForOwner, s.invite).WithRecentProof(),
		page.Post("/settings/invitations/{id}/withdraw", page.ForOwner, s.withdrawInvitation).WithRecentProof(),
		page.Post("/settings/users/{id}/role", page.ForOwner, s.changeRole).WithRecentProof(),
		page.Get("/settings/users/{id}/remove", page.ForOwner, s.confirmRemoveUser),
		page.Post("/settings/users/{id}/remove", page.ForOwner, s.removeUser).WithRecentProof(),
		page.Post("/settings/users/{id}/reset-link", page.ForOwner, s.resetLink).WithRecentProof(),
		page.Get("/settings/users/{id}/erase", page.ForOwner, s.confirmErase),
		page.Post("/settings/users/{id}/erase", page.ForOwner, s.eraseFormer).WithRecentProof(),
	}
}

// usersView is the data of the users page.
type usersView struct {
	Members       []access.Member
	Former        []access.Member // users who have left and whose data was not erased
	Invitations   []access.Invitation
	Link          string // of a new invitation, shown once
	RecipientName string
	Days          int
	Reset         string // link to set a new password, shown once
	Mailed        string // email address to which a link was sent
}

func (s *Settings) usersPage(c *page.Context) error { return s.showUsers(c, usersView{}) }

func (s *Settings) showUsers(c *page.Context, shown usersView) (err error) {
	if shown.Members, err = s.Accounts.Store.Members(c.R.Context(), c.Session.Org); err != nil {
		return err
	}
	if err := c.View(func(tx page.Tx) (err error) { shown.Invitations, err = tx.Invitations(); return err }); err != nil {
		return err
	}
	if shown.Former, err = s.Erasure.FormerMembers(c.R.Context(), c.Session.Org); err != nil {
		return err
	}
	shown.Days = access.DefaultInvitationDays
	return c.Show("settings-users", "Users", shown)
}

func (s *Settings) invite(c *page.Context) error {
	days, _ := strconv.Atoi(c.Value("days"))
	var i access.Invitation
	var token string
	err := c.Update(func(tx page.Tx) (err error) {
		if i, token, err = s.Access.Invite(tx, c.Call(), c.Value("email"), tenant.Role(c.Value("role")), days); err != nil {
			return err
		}
		return s.Accounts.MailInvitation(tx, i, c.Session.Organisation, token)
	})
	if err != nil {
		return c.Redisplay(err, func() error { return s.usersPage(c) })
	}
	if s.Accounts.Mails.On {
		return s.showUsers(c, usersView{Mailed: i.Email})
	}
	return s.showUsers(c, usersView{Link: strings.TrimRight(c.PublicURL, "/") + "/invitations/" + token, RecipientName: i.Email})
}

func (s *Settings) withdrawInvitation(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return s.Access.WithdrawInvitation(tx, c.Call(), c.ID()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/settings/users", "invitation-withdrawn")
}

func (s *Settings) changeRole(c *page.Context) error {
	role := tenant.Role(c.Value("role"))
	err := c.Update(func(tx page.Tx) error { return s.Access.ChangeRole(tx, c.Call(), c.ID(), role) })
	if err != nil {
		return c.Redisplay(err, func() error { return s.usersPage(c) })
	}
	if c.ID() == c.Session.UserID && role != tenant.Owner {
		return c.RedirectWithNotice("/", "role-changed")
	}
	return c.RedirectWithNotice("/settings/users", "role-changed")
}

func (s *Settings) member(c *page.Context) (access.Member, error) {
	members, err := s.Accounts.Store.Members(c.R.Context(), c.Session.Org)
	if err != nil {
		return access.Member{}, err
	}
	at := slices.IndexFunc(members, func(m access.Member) bool { return m.ID == c.ID() })
	if at < 0 {
		return access.Member{}, apierr.Missing()
	}
	return members[at], nil
}

func (s *Settings) confirmRemoveUser(c *page.Context) error {
	m, err := s.member(c)
	if err != nil {
		return err
	}
	return c.Confirm(page.Confirmation{
		Title: "Remove " + m.Name + "?",
		Text: []string{
			m.Name + " will no longer have access to " + c.Session.Organisation + ".",
			"The API keys that " + m.Name + " created in this organisation are revoked immediately. Filings and the audit trail stay.",
		},
		Action: "/settings/users/" + m.ID + "/remove", Button: "Remove user", Back: "/settings/users",
	})
}

func (s *Settings) removeUser(c *page.Context) error {
	err := c.Update(func(tx page.Tx) error { return s.Access.RemoveMember(tx, c.Call(), c.ID()) })
	if err != nil {
		return c.Redisplay(err, func() error { return s.usersPage(c) })
	}
	if c.ID() == c.Session.UserID {
		return c.Redirect("/")
	}
	return c.RedirectWithNotice("/settings/users", "user-removed")
}

func (s *Settings) confirmErase(c *page.Context) error {
	former, err := s.Erasure.Former(c.R.Context(), c.Session.Org, c.ID())
	if err != nil {
		return err
	}
	found, err := s.Erasure.PreviewHere(c.R.Context(), c.Session.Org, former)
	if err != nil {
		return err
	}
	return c.Confirm(page.Confirmation{
		Title:  "Erase the personal data of " + former.Name + "?",
		Text:   append([]string{"This cannot be undone. The name will no longer be shown in " + c.Session.Organisation + ". The person keeps their account."}, found.Sentences()...),
		Action: "/settings/users/" + c.ID() + "/erase", Button: "Erase", Back: "/settings/users",
	})
}

func (s *Settings) eraseFormer(c *page.Context) error {
	if err := s.Erasure.FormerMember(c.R.Context(), c.Session.Principal(), c.ID()); err != nil {
		return err
	}
	return c.RedirectWithNotice("/settings/users", "user-erased")
}

func (s *Settings) resetLink(c *page.Context) error {
	m, err := s.member(c)
	if err != nil {
		return err
	}
	token, err := s.Accounts.MemberResetLink(c.R.Context(), c.Visitor, c.Session, m.ID)
	switch {
	case err != nil:
		return c.Redisplay(err, func() error { return s.usersPage(c) })
	case token == "":
		return s.showUsers(c, usersView{Mailed: m.Email})
	}
	return s.showUsers(c, usersView{Reset: strings.TrimRight(c.PublicURL, "/") + "/reset/" + token, RecipientName: m.Name})
}
