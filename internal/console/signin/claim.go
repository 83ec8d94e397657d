package signin

import (
	"cmp"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// claimRoutes are the page behind the link of a sandbox without an account.
func (s *SignIn) claimRoutes() []page.Route {
	return []page.Route{
		page.Get(access.ClaimPath+"{token}", page.ForOwner, s.claimPage),
		page.Post(access.ClaimPath+"{token}", page.ForOwner, s.claim),
	}
}

// claimView is the data of the claim page.
type claimView struct {
	Token     string
	ExpiresAt time.Time
	Refusal   string // why the organisation cannot claim a sandbox; empty if it can
}

func (s *SignIn) claimPage(c *page.Context) error {
	shown := claimView{Token: c.R.PathValue("token")}
	var err error
	if _, shown.ExpiresAt, err = c.Sandboxes.Claimable(c.R.Context(), shown.Token); err != nil {
		return err
	}
	refusal := c.Sandboxes.CheckClaim(c.R.Context(), cmp.Or(c.Session.Live, c.Session.Org))
	if e, ok := apierr.As(refusal); ok {
		shown.Refusal = e.Message
	} else if refusal != nil {
		return refusal
	}
	return c.Show("claim", "Claim a sandbox", shown)
}

// claim makes the sandbox the test organisation of the session's organisation, and opens it.
func (s *SignIn) claim(c *page.Context) error {
	if err := c.Sandboxes.Claim(c.R.Context(), c.Call(), cmp.Or(c.Session.Live, c.Session.Org), c.R.PathValue("token")); err != nil {
		return err
	}
	if err := s.Accounts.OpenTest(c.R.Context(), c.Visitor, c.Session, c.Sandboxes); err != nil {
		return err
	}
	return c.RedirectWithNotice("/", "claimed")
}
