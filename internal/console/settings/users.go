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

// The users of the organisation, and those who are asked in.
func (s *Settings) userRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/users", page.ForOwner, s.usersPage),
		page.Post("/settings/users/invite", page.ForOwner, s.invite).Freshly(),
		page.Post("/settings/invitations/{id}/withdraw", page.ForOwner, s.withdrawInvitation).Freshly(),
		page.Post("/settings/users/{id}/role", page.ForOwner, s.changeRole).Freshly(),
		page.Get("/settings/users/{id}/remove", page.ForOwner, s.askToRemoveUser),
		page.Post("/settings/users/{id}/remove", page.ForOwner, s.removeUser).Freshly(),
		page.Post("/settings/users/{id}/reset-link", page.ForOwner, s.resetLink).Freshly(),
		page.Get("/settings/users/{id}/erase", page.ForOwner, s.askToErase),
		page.Post("/settings/users/{id}/erase", page.ForOwner, s.eraseFormer).Freshly(),
	}
}

// usersView is what the page of the users shows.
type usersView struct {
	Members     []access.Member
	Former      []access.Member // who have left and were not erased
	Invitations []access.Invitation
	Link        string // of an invitation that was just made
	For         string
	Days        int
	Reset       string // link by which a member sets a new password
	Mailed      string // address that a link was sent to
}

func (s *Settings) usersPage(v *page.Visit) error { return s.showUsers(v, usersView{}) }

func (s *Settings) showUsers(v *page.Visit, shown usersView) (err error) {
	if shown.Members, err = s.Accounts.Register.Members(v.R.Context(), v.Session.Org); err != nil {
		return err
	}
	if err := v.View(func(tx page.Tx) (err error) { shown.Invitations, err = tx.Invitations(); return err }); err != nil {
		return err
	}
	if shown.Former, err = s.Erasure.FormerMembers(v.R.Context(), v.Session.Org); err != nil {
		return err
	}
	shown.Days = access.DefaultInvitationDays
	return v.Show("settings-users", "Users", shown)
}

func (s *Settings) invite(v *page.Visit) error {
	days, _ := strconv.Atoi(v.Value("days"))
	var i access.Invitation
	var token string
	err := v.Update(func(tx page.Tx) (err error) {
		if i, token, err = s.Access.Invite(tx, v.Call(), v.Value("email"), tenant.Role(v.Value("role")), days); err != nil {
			return err
		}
		return s.Accounts.MailInvitation(tx, i, v.Session.Organisation, token)
	})
	if err != nil {
		return v.Again(err, func() error { return s.usersPage(v) })
	}
	if s.Accounts.Mails.On {
		return s.showUsers(v, usersView{Mailed: i.Email})
	}
	return s.showUsers(v, usersView{Link: strings.TrimRight(v.PublicURL, "/") + "/invitations/" + token, For: i.Email})
}

func (s *Settings) withdrawInvitation(v *page.Visit) error {
	if err := v.Update(func(tx page.Tx) error { return s.Access.WithdrawInvitation(tx, v.Call(), v.ID()) }); err != nil {
		return err
	}
	return v.Done("/settings/users", "invitation-withdrawn")
}

func (s *Settings) changeRole(v *page.Visit) error {
	role := tenant.Role(v.Value("role"))
	err := v.Update(func(tx page.Tx) error { return s.Access.ChangeRole(tx, v.Call(), v.ID(), role) })
	if err != nil {
		return v.Again(err, func() error { return s.usersPage(v) })
	}
	if v.ID() == v.Session.UserID && role != tenant.Owner {
		return v.Done("/", "role-changed")
	}
	return v.Done("/settings/users", "role-changed")
}

func (s *Settings) member(v *page.Visit) (access.Member, error) {
	members, err := s.Accounts.Register.Members(v.R.Context(), v.Session.Org)
	if err != nil {
		return access.Member{}, err
	}
	at := slices.IndexFunc(members, func(m access.Member) bool { return m.ID == v.ID() })
	if at < 0 {
		return access.Member{}, apierr.Missing()
	}
	return members[at], nil
}

func (s *Settings) askToRemoveUser(v *page.Visit) error {
	m, err := s.member(v)
	if err != nil {
		return err
	}
	return v.Ask(page.Question{
		Title: "Remove " + m.Name + "?",
		Text: []string{
			m.Name + " will no longer see anything of " + v.Session.Organisation + ".",
			"The API keys that " + m.Name + " has made here are revoked at once. What was filed stays, and so does its trail.",
		},
		Action: "/settings/users/" + m.ID + "/remove", Button: "Remove user", Back: "/settings/users",
	})
}

func (s *Settings) removeUser(v *page.Visit) error {
	err := v.Update(func(tx page.Tx) error { return s.Access.RemoveMember(tx, v.Call(), v.ID()) })
	if err != nil {
		return v.Again(err, func() error { return s.usersPage(v) })
	}
	if v.ID() == v.Session.UserID {
		return v.Done("/", "")
	}
	return v.Done("/settings/users", "user-removed")
}

func (s *Settings) askToErase(v *page.Visit) error {
	former, err := s.Erasure.Former(v.R.Context(), v.Session.Org, v.ID())
	if err != nil {
		return err
	}
	found, err := s.Erasure.PreviewHere(v.R.Context(), v.Session.Org, former)
	if err != nil {
		return err
	}
	return v.Ask(page.Question{
		Title:  "Erase the personal data of " + former.Name + "?",
		Text:   append([]string{"This cannot be undone. The name is no longer shown in " + v.Session.Organisation + "; the person's account stays the person's own."}, found.Sentences()...),
		Action: "/settings/users/" + v.ID() + "/erase", Button: "Erase", Back: "/settings/users",
	})
}

func (s *Settings) eraseFormer(v *page.Visit) error {
	if err := s.Erasure.FormerMember(v.R.Context(), v.Session.Principal(), v.ID()); err != nil {
		return err
	}
	return v.Done("/settings/users", "user-erased")
}

func (s *Settings) resetLink(v *page.Visit) error {
	m, err := s.member(v)
	if err != nil {
		return err
	}
	token, err := s.Accounts.MemberResetLink(v.R.Context(), v.Visitor, v.Session, m.ID)
	switch {
	case err != nil:
		return v.Again(err, func() error { return s.usersPage(v) })
	case token == "":
		return s.showUsers(v, usersView{Mailed: m.Email})
	}
	return s.showUsers(v, usersView{Reset: strings.TrimRight(v.PublicURL, "/") + "/reset/" + token, For: m.Name})
}
