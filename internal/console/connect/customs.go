package connect

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// The paths of the connection to customs. HMRC redirects the browser to CallbackPath.
const (
	customsPath  = "/customs/consent"
	CallbackPath = customsPath + "/callback"
	confirmPath  = customsPath + "/confirm"
	endPath      = customsPath + "/end"
)

// customsRoutes are for the organisation's consent at customs.
func (s *Connect) customsRoutes() []page.Route {
	return []page.Route{
		page.Get(customsPath, page.ForViewer, s.customsPage),
		page.Post(customsPath, page.ForOwner, s.begin).WithRecentProof(),
		page.Get(CallbackPath, page.ForOwner, s.confirmPage),
		page.Post(confirmPath, page.ForOwner, s.confirm),
		page.Get(endPath, page.ForOwner, s.confirmEnd),
		page.Post(endPath, page.ForOwner, s.end).WithRecentProof(),
	}
}

// customsView is the data of the page of the connection to customs.
type customsView struct {
	consent.View
	Enabled    bool
	EORI       string
	Given, End time.Time // zero if consent was never given
	Address    string    // at HMRC; empty if no consent was begun here
	Until      time.Time
}

func (s *Connect) customsPage(c *page.Context) error { return s.showCustoms(c, customsView{}) }

func (s *Connect) showCustoms(c *page.Context, shown customsView) error {
	shown.Enabled = s.Consents.IsEnabled()
	err := c.View(func(tx page.Tx) (err error) {
		if shown.View, err = s.Consents.Current(tx); err != nil {
			return err
		}
		shown.Given, _ = time.Parse(time.RFC3339, shown.Record.GrantedAt)
		shown.End, _ = time.Parse(time.RFC3339, shown.Record.ExpiresAt)
		var org access.Organisation
		org, err = tx.Organisation()
		shown.EORI = org.Profile.EORI
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("connect-customs", "Connection to customs", shown)
}

// begin shows a link to HMRC. It does not redirect, because the content security policy forbids forms to redirect to
// other hosts.
func (s *Connect) begin(c *page.Context) error {
	var shown customsView
	err := c.Update(func(tx page.Tx) (err error) {
		shown.Address, shown.Until, err = s.Consents.Begin(tx, c.Call(), c.Session.ID)
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return s.customsPage(c) })
	}
	return s.showCustoms(c, shown)
}

// redirectOf returns the parameters of HMRC's redirect, with the session of the request.
func redirectOf(c *page.Context) consent.Redirect {
	return consent.Redirect{State: c.R.FormValue("state"), Code: c.R.FormValue("code"), SessionID: c.Session.ID}
}

// confirmView is the data of the page that confirms a connection.
type confirmView struct {
	Organisation, EORI, State, Code string
	ByKey                           bool // whether the consent was begun with an API key
}

// confirmPage asks the user who comes back from HMRC to confirm which organisation is being connected; nothing is stored
// before.
func (s *Connect) confirmPage(c *page.Context) error {
	back := redirectOf(c)
	if c.R.FormValue("error") != "" || back.Code == "" {
		err := c.Update(func(tx page.Tx) error { return s.Consents.Decline(tx, back) })
		if err == nil {
			err = apierr.New(apierr.InvalidState, "You did not give consent at HMRC.")
		}
		return c.NotConnected(err, "connect-customs-back", "Not connected to customs")
	}
	var r consent.Request
	if err := c.View(func(tx page.Tx) (err error) { r, err = s.Consents.Pending(tx, back); return err }); err != nil {
		return c.NotConnected(err, "connect-customs-back", "Not connected to customs")
	}
	return c.Show("connect-customs-confirm", "Connect to customs?", confirmView{
		Organisation: c.Session.Organisation, EORI: r.Identifier, State: back.State, Code: back.Code, ByKey: r.KeyID != "",
	})
}

// confirm stores the consent.
func (s *Connect) confirm(c *page.Context) error {
	if err := s.Consents.Complete(c.R.Context(), c.Call(), redirectOf(c)); err != nil {
		return c.NotConnected(err, "connect-customs-back", "Not connected to customs")
	}
	return c.RedirectWithNotice(customsPath, "customs-connected")
}

func (s *Connect) confirmEnd(c *page.Context) error {
	return c.Confirm(page.Confirmation{
		Title: "End the connection to customs?", Text: []string{
			"The tokens are deleted immediately. Declarations that customs has already are not affected, and their messages still arrive.",
			"Without a connection, no declaration can be submitted to HMRC.",
		}, Action: endPath, Button: "End connection", Back: customsPath,
	})
}

func (s *Connect) end(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return s.Consents.Remove(tx, c.Call()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice(customsPath, "customs-ended")
}
