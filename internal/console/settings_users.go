package console

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// The users of the organisation, and those who are asked in.
func (c *Console) userRoutes() []Route {
	return []Route{
		{"GET", "/settings/users", ForOwner, 0, c.usersPage},
		{"POST", "/settings/users/invite", ForOwner, 0, c.invite},
		{"POST", "/settings/invitations/{id}/withdraw", ForOwner, 0, c.withdrawInvitation},
		{"POST", "/settings/users/{id}/role", ForOwner, 0, c.changeRole},
		{"GET", "/settings/users/{id}/remove", ForOwner, 0, c.askToRemoveUser},
		{"POST", "/settings/users/{id}/remove", ForOwner, 0, c.removeUser},
	}
}

// usersView is what the page of the users shows.
type usersView struct {
	Members     []access.Member
	Invitations []access.Invitation
	Link        string // of an invitation that was just made
	For         string
	Days        int
}

func (c *Console) usersPage(v *visit) error { return c.showUsers(v, usersView{}) }

func (c *Console) showUsers(v *visit, shown usersView) (err error) {
	if shown.Members, err = c.Accounts.Register.Members(v.r.Context(), v.guest.Org); err != nil {
		return err
	}
	if err := v.view(func(tx Tx) (err error) { shown.Invitations, err = tx.Invitations(); return err }); err != nil {
		return err
	}
	shown.Days = access.DefaultInvitationDays
	return v.show("settings-users", "Users", shown)
}

func (c *Console) invite(v *visit) error {
	days, _ := strconv.Atoi(v.value("days"))
	var i access.Invitation
	var token string
	err := v.update(func(tx Tx) (err error) {
		i, token, err = c.Access.Invite(tx, v.call(), v.value("email"), tenant.Role(v.value("role")), days)
		return err
	})
	if err != nil {
		return v.again(err, func() error { return c.usersPage(v) })
	}
	return c.showUsers(v, usersView{Link: strings.TrimRight(c.PublicURL, "/") + "/invitations/" + token, For: i.Email})
}

func (c *Console) withdrawInvitation(v *visit) error {
	if err := v.update(func(tx Tx) error { return c.Access.WithdrawInvitation(tx, v.call(), v.id()) }); err != nil {
		return err
	}
	return v.done("/settings/users", "invitation-withdrawn")
}

func (c *Console) changeRole(v *visit) error {
	role := tenant.Role(v.value("role"))
	err := v.update(func(tx Tx) error { return c.Access.ChangeRole(tx, v.call(), v.id(), role) })
	if err != nil {
		return v.again(err, func() error { return c.usersPage(v) })
	}
	if v.id() == v.guest.UserID && role != tenant.Owner {
		return v.done("/", "role-changed")
	}
	return v.done("/settings/users", "role-changed")
}

func (c *Console) member(v *visit) (access.Member, error) {
	members, err := c.Accounts.Register.Members(v.r.Context(), v.guest.Org)
	if err != nil {
		return access.Member{}, err
	}
	at := slices.IndexFunc(members, func(m access.Member) bool { return m.ID == v.id() })
	if at < 0 {
		return access.Member{}, fault.Missing()
	}
	return members[at], nil
}

func (c *Console) askToRemoveUser(v *visit) error {
	m, err := c.member(v)
	if err != nil {
		return err
	}
	return v.ask(question{
		Title: "Remove " + m.Name + "?",
		Text: []string{
			m.Name + " will no longer see anything of " + v.guest.Organisation + ".",
			"The API keys that " + m.Name + " has made here are revoked at once. What was filed stays, and so does its trail.",
		},
		Action: "/settings/users/" + m.ID + "/remove", Button: "Remove user", Back: "/settings/users",
	})
}

func (c *Console) removeUser(v *visit) error {
	err := v.update(func(tx Tx) error { return c.Access.RemoveMember(tx, v.call(), v.id()) })
	if err != nil {
		return v.again(err, func() error { return c.usersPage(v) })
	}
	if v.id() == v.guest.UserID {
		return v.done("/", "")
	}
	return v.done("/settings/users", "user-removed")
}
