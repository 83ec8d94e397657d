package statements

import (
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// CallbackPath is where HMRC sends a person's browser back to. The path is the API's,
// as it is the one that a service is registered with; browsers get this page there.
const CallbackPath = "/api/tax/connection/callback"

// The connection to HMRC's Making Tax Digital.
func (s *Statements) connectionRoutes() []page.Route {
	return []page.Route{
		page.Get("/vat/connection", page.ForViewer, s.connectionPage),
		page.Post("/vat/connection", page.ForOwner, s.beginConnection).WithRecentProof(),
		page.Get(CallbackPath, page.ForOwner, s.confirmPage),
		page.Post("/vat/connection/confirm", page.ForOwner, s.confirm),
		page.Get("/vat/connection/end", page.ForOwner, s.askToDisconnect),
		page.Post("/vat/connection/end", page.ForOwner, s.disconnect),
	}
}

// connectionView is how the organisation stands with HMRC.
type connectionView struct {
	submission.Connection
	VATNumber string
	Enabled   bool
	Consent   string // address at HMRC at which a person gives consent; empty where none was begun
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

// beginConnection shows the way to HMRC: a link and no redirection, since forms of
// this console lead nowhere else.
func (s *Statements) beginConnection(c *page.Context) error {
	if !c.Session.Hubs.Has(tax.HubID) {
		return apierr.New(apierr.HubNotEnabled, "The VAT Hub is not enabled; Settings, Hubs enables it.")
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

// returned is what the person's browser brought back from HMRC, with the session that it belongs to.
func returned(c *page.Context) submission.Redirect {
	return submission.Redirect{State: c.R.FormValue("state"), Code: c.R.FormValue("code"), SessionID: c.Session.ID}
}

// confirmView shows which organisation and VAT number are about to be connected.
type confirmView struct {
	Organisation, State, Code string
	VATNumber                 string
	ByKey                     bool // whether an API key began the consent
}

// confirmPage asks the person who comes back from HMRC to confirm the connection; nothing is stored
// before. A person who gave no consent is told so.
func (s *Statements) confirmPage(c *page.Context) error {
	back := returned(c)
	if c.R.FormValue("error") != "" || back.Code == "" {
		return s.declined(c, back)
	}
	var consent submission.Consent
	err := c.View(func(tx page.Tx) (err error) { consent, err = s.VAT.Pending(tx, back); return err })
	if err != nil {
		return s.notConnected(c, err)
	}
	return c.Show("statements-vat-confirm", "Connect to HMRC?", confirmView{
		Organisation: c.Session.Organisation, State: back.State, Code: back.Code, VATNumber: string(consent.VRN), ByKey: consent.KeyID != "",
	})
}

func (s *Statements) declined(c *page.Context, back submission.Redirect) error {
	err := c.Update(func(tx page.Tx) error { return s.VAT.Decline(tx, c.Call(), back) })
	if err == nil {
		err = apierr.New(apierr.InvalidState, "No consent was given at HMRC.")
	}
	return s.notConnected(c, err)
}

// confirm stores the connection.
func (s *Statements) confirm(c *page.Context) error {
	if err := s.VAT.Complete(c.R.Context(), c.Call(), returned(c)); err != nil {
		return s.notConnected(c, err)
	}
	return c.RedirectWithNotice("/vat/connection", "hmrc-connected")
}

// notConnected shows why there is no connection. Errors that are not the caller's are passed on.
func (s *Statements) notConnected(c *page.Context, err error) error {
	f, refused := apierr.As(err)
	if !refused || backWords[f.Code] == "" {
		return err
	}
	c.Status = http.StatusBadRequest
	return c.Show("statements-vat-back", "Not connected to HMRC", backWords[f.Code])
}

// backWords say why the way back from HMRC led to no connection.
var backWords = map[apierr.Code]string{
	apierr.InvalidRequest:  "This consent was not begun in this session for this organisation, was used before, or has expired.",
	apierr.InvalidState:    "No consent was given at HMRC.",
	apierr.HMRCRejected:    "HMRC did not accept the consent.",
	apierr.HMRCUnreachable: "HMRC could not be reached to complete the consent.",
}

func (s *Statements) askToDisconnect(c *page.Context) error {
	return c.Confirm(page.Confirmation{
		Title: "End the connection to HMRC?", Text: []string{
			"The tokens are forgotten at once. What HMRC has told stays, and returns that are on their way stay on their way.",
			"Returns that are submitted without a connection go nowhere.",
		}, Action: "/vat/connection/end", Button: "End the connection", Back: "/vat/connection",
	})
}

func (s *Statements) disconnect(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return s.VAT.Disconnect(tx, c.Call()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/vat/connection", "hmrc-ended")
}
