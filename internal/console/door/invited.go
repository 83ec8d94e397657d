package door

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// Whoever has the link of an invitation comes here, with an account or without.
func (d *Door) invitedRoutes() []page.Route {
	return []page.Route{
		page.Get("/invitations/{token}", page.ForAnybody, d.invitationPage),
		page.Post("/invitations/{token}/join", page.ForAnybody, d.join),
		page.Post("/invitations/{token}/accept", page.ForUser, d.accept),
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

func (d *Door) invitationPage(v *page.Visit) error {
	token := v.R.PathValue("token")
	i, err := d.Accounts.Invitation(v.R.Context(), token)
	if err != nil {
		return err
	}
	shown := invited{Invitation: i, Token: token, Yours: v.SignedIn && v.Session.User.Email == i.Email}
	if shown.Account, err = d.Accounts.HasAccount(v.R.Context(), i); err != nil {
		return err
	}
	if d.provider != nil {
		shown.Single = d.provider.name()
	}
	return v.Show("invitation", "Join "+i.Organisation, shown)
}

func (d *Door) join(v *page.Visit) error {
	session, err := d.Accounts.Join(v.R.Context(), v.Visitor, v.R.PathValue("token"), v.Value("name"), v.Secret("password"))
	if err != nil {
		return v.Again(err, func() error { return d.invitationPage(v) })
	}
	if err := v.Enter(session); err != nil {
		return err
	}
	return v.Done("/", "joined")
}

func (d *Door) accept(v *page.Visit) error {
	if err := d.Accounts.Accept(v.R.Context(), v.Visitor, v.Session, v.R.PathValue("token")); err != nil {
		return err
	}
	return v.Done("/", "joined")
}
