package signin

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// invitationRoutes are the pages behind the link of an invitation, for people with and without an account.
func (s *SignIn) invitationRoutes() []page.Route {
	return []page.Route{
		page.Get("/invitations/{token}", page.ForEveryone, s.invitationPage),
		page.Post("/invitations/{token}/join", page.ForEveryone, s.join),
		page.Post("/invitations/{token}/accept", page.ForUser, s.accept),
	}
}

// invitationView is the data of the invitation page.
type invitationView struct {
	access.Invitation
	Token          string
	HasAccount     bool   // whether the address has an account
	ForCurrentUser bool   // whether the invitation is for the user who is signed in
	Single         string // name of the sign-on service
}

func (s *SignIn) invitationPage(c *page.Context) error {
	token := c.R.PathValue("token")
	i, err := s.Accounts.Invitation(c.R.Context(), token)
	if err != nil {
		return err
	}
	shown := invitationView{Invitation: i, Token: token, ForCurrentUser: c.SignedIn && c.Session.User.Email == i.Email}
	if shown.HasAccount, err = s.Accounts.HasAccount(c.R.Context(), i); err != nil {
		return err
	}
	if s.provider != nil {
		shown.Single = s.provider.name()
	}
	return c.Show("invitation", "Join "+i.Organisation, shown)
}

func (s *SignIn) join(c *page.Context) error {
	session, err := s.Accounts.Join(c.R.Context(), c.Visitor, c.R.PathValue("token"), c.Value("name"), c.Secret("password"))
	if err != nil {
		return c.Redisplay(err, func() error { return s.invitationPage(c) })
	}
	if err := c.StartSession(session); err != nil {
		return err
	}
	return c.RedirectWithNotice("/", "joined")
}

func (s *SignIn) accept(c *page.Context) error {
	if err := s.Accounts.Accept(c.R.Context(), c.Visitor, c.Session, c.R.PathValue("token")); err != nil {
		return err
	}
	return c.RedirectWithNotice("/", "joined")
}
