package statements

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// CallbackPath is the path to which HMRC redirects the browser. It is below /api because
// services are registered at HMRC with this path.
const CallbackPath = "/api/tax/connection/callback"

// connectionRoutes are for the connection to HMRC's Making Tax Digital.
func (s *Statements) connectionRoutes() []page.Route {
	return []page.Route{
		page.Get("/vat/connection", page.ForViewer, s.connectionPage),
		page.Post("/vat/connection", page.ForOwner, s.beginConnection).WithRecentProof(),
		page.Get(CallbackPath, page.ForOwner, s.confirmPage),
		page.Post("/vat/connection/confirm", page.ForOwner, s.confirm),
		page.Get("/vat/connection/end", page.ForOwner, s.confirmDisconnect),
		page.Post("/vat/connection/end", page.ForOwner, s.disconnect),
	}
}

// connectionView is the data of the page of the connection to HMRC.
type connectionView struct {
	submission.Connection
	VATNumber string
	Enabled   bool
	Consent   string // URL at HMRC for giving consent; empty if none was started
	Expires   time.Time
}

func (s *Statements) connectionPage(c *page.Context) error {
	return s.showConnection(c, connectionView{})
}

func (s *Statements) showConnection(c *page.Context, shown connectionView) error {
	shown.Enabled = c.Session.Hubs.Has(tax.HubID)
	err := c.View(func(tx page.Tx) (err error) {
		if shown.Connection, err = s.VAT.CurrentConnection(tx); err != nil {
			return err
		}
		var org access.Organisation
		org, err = tx.Organisation()
		shown.VATNumber = org.Profile.VATNumber
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("statements-vat-connection", "Connection to HMRC", shown)
}

// beginConnection shows a link to HMRC. It does not redirect, because the content security
// policy forbids forms to redirect to other hosts.
func (s *Statements) beginConnection(c *page.Context) error {
	if !c.Session.Hubs.Has(tax.HubID) {
		return apierr.New(apierr.HubNotEnabled, "The VAT Hub is not enabled. Enable it in the settings under Hubs.")
	}
	var shown connectionView
	err := c.Update(func(tx page.Tx) (err error) {
		shown.Consent, shown.Expires, err = s.VAT.Begin(tx, c.Call(), c.Session.ID, s.origin(c))
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return s.connectionPage(c) })
	}
	return s.showConnection(c, shown)
}

// redirectOf returns the parameters of HMRC's redirect, with the session of the request.
func redirectOf(c *page.Context) submission.Redirect {
	return submission.Redirect{State: c.R.FormValue("state"), Code: c.R.FormValue("code"), SessionID: c.Session.ID}
}

// confirmView is the data of the page that confirms a connection.
type confirmView struct {
	Organisation, State, Code string
	VATNumber                 string
	ByKey                     bool // whether the consent was started with an API key
}

// confirmPage asks the user who comes back from HMRC to confirm the connection; nothing is stored
// before. Without consent it shows that the organisation is not connected.
func (s *Statements) confirmPage(c *page.Context) error {
	back := redirectOf(c)
	if c.R.FormValue("error") != "" || back.Code == "" {
		return s.declined(c, back)
	}
	var consent submission.Consent
	err := c.View(func(tx page.Tx) (err error) { consent, err = s.VAT.Pending(tx, back); return err })
	if err != nil {
		return c.NotConnected(err, "statements-vat-back", "Not connected to HMRC")
	}
	return c.Show("statements-vat-confirm", "Connect to HMRC?", confirmView{
		Organisation: c.Session.Organisation, State: back.State, Code: back.Code, VATNumber: consent.Identifier, ByKey: consent.KeyID != "",
	})
}

func (s *Statements) declined(c *page.Context, back submission.Redirect) error {
	err := c.Update(func(tx page.Tx) error { return s.VAT.Decline(tx, c.Call(), back) })
	if err == nil {
		err = apierr.New(apierr.InvalidState, "You did not give consent at HMRC.")
	}
	return c.NotConnected(err, "statements-vat-back", "Not connected to HMRC")
}

// confirm stores the connection.
func (s *Statements) confirm(c *page.Context) error {
	if err := s.VAT.Complete(c.R.Context(), c.Call(), redirectOf(c)); err != nil {
		return c.NotConnected(err, "statements-vat-back", "Not connected to HMRC")
	}
	return c.RedirectWithNotice("/vat/connection", "hmrc-connected")
}

func (s *Statements) confirmDisconnect(c *page.Context) error {
	return c.Confirm(page.Confirmation{
		Title: "End the connection to HMRC?", Text: []string{
			"The tokens are deleted immediately. Data from HMRC stays, and returns that are being sent are not stopped.",
			"Without a connection, submitted returns are not sent to HMRC.",
		}, Action: "/vat/connection/end", Button: "End connection", Back: "/vat/connection",
	})
}

func (s *Statements) disconnect(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return s.VAT.Disconnect(tx, c.Call()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/vat/connection", "hmrc-ended")
}
