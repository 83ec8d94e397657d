package signin

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// Whoever has the link of an invitation comes here, with an account or without.
func (s *SignIn) invitedRoutes() []page.Route {
	return []page.Route{
		page.Get("/invitations/{token}", page.ForEveryone, s.invitationPage),
		page.Post("/invitations/{token}/join", page.ForEveryone, s.join),
		page.Post("/invitations/{token}/accept", page.ForUser, s.accept),
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

func (s *SignIn) invitationPage(c *page.Context) error {
	token := c.R.PathValue("token")
	i, err := s.Accounts.Invitation(c.R.Context(), token)
	if err != nil {
		return err
	}
	shown := invited{Invitation: i, Token: token, Yours: c.SignedIn && c.Session.User.Email == i.Email}
	if shown.Account, err = s.Accounts.HasAccount(c.R.Context(), i); err != nil {
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
