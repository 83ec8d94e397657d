package console

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
)

// Whoever has the link of an invitation comes here, with an account or without.
func (c *Console) invitedRoutes() []Route {
	return []Route{
		{"GET", "/invitations/{token}", ForAnybody, 0, c.invitationPage},
		{"POST", "/invitations/{token}/join", ForAnybody, 0, c.join},
		{"POST", "/invitations/{token}/accept", ForUser, 0, c.accept},
	}
}

// invited is what the page of an invitation shows.
type invited struct {
	access.Invitation
	Token   string
	Account bool   // whether the address has an account
	Yours   bool   // whether it is the address of who has signed in
	Single  string // name of the sign-on service
}

func (c *Console) invitationPage(v *visit) error {
	token := v.r.PathValue("token")
	i, err := c.Accounts.Invitation(v.r.Context(), token)
	if err != nil {
		return err
	}
	shown := invited{Invitation: i, Token: token, Yours: v.signedIn && v.guest.User.Email == i.Email}
	if shown.Account, err = c.Accounts.HasAccount(v.r.Context(), i); err != nil {
		return err
	}
	if c.provider != nil {
		shown.Single = c.provider.name()
	}
	return v.show("invitation", "Join "+i.Organisation, shown)
}

func (c *Console) join(v *visit) error {
	session, err := c.Accounts.Join(v.r.Context(), v.visitor, v.r.PathValue("token"), v.value("name"), v.secret("password"))
	if err != nil {
		return v.again(err, func() error { return c.invitationPage(v) })
	}
	if err := v.enter(session); err != nil {
		return err
	}
	return v.done("/", "joined")
}

func (c *Console) accept(v *visit) error {
	if err := c.Accounts.Accept(v.r.Context(), v.visitor, v.guest, v.r.PathValue("token")); err != nil {
		return err
	}
	return v.done("/", "joined")
}
