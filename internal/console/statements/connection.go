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
		page.Post("/vat/connection", page.ForOwner, s.beginConnection).Freshly(),
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

func (s *Statements) connectionPage(v *page.Visit) error {
	return s.showConnection(v, connectionView{})
}

func (s *Statements) showConnection(v *page.Visit, shown connectionView) error {
	shown.Enabled = v.Session.Hubs.Has(tax.HubID)
	err := v.View(func(tx page.Tx) (err error) {
		if shown.Connection, err = s.VAT.Standing(tx); err != nil {
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
	return v.Show("statements-vat-connection", "Connection to HMRC", shown)
}

// beginConnection shows the way to HMRC: a link and no redirection, since forms of
// this console lead nowhere else.
func (s *Statements) beginConnection(v *page.Visit) error {
	if !v.Session.Hubs.Has(tax.HubID) {
		return apierr.New(apierr.HubNotEnabled, "The VAT Hub is not enabled; Settings, Hubs enables it.")
	}
	var shown connectionView
	err := v.Update(func(tx page.Tx) (err error) {
		shown.Consent, shown.Expires, err = s.VAT.Begin(tx, v.Call(), v.Session.ID, s.origin(v))
		return err
	})
	if err != nil {
		return v.Again(err, func() error { return s.connectionPage(v) })
	}
	return s.showConnection(v, shown)
}

// returned is what the person's browser brought back from HMRC, with the session that it belongs to.
func returned(v *page.Visit) submission.Redirect {
	return submission.Redirect{State: v.R.FormValue("state"), Code: v.R.FormValue("code"), SessionID: v.Session.ID}
}

// confirmView shows which organisation and VAT number are about to be connected.
type confirmView struct {
	Organisation, State, Code string
	VATNumber                 string
	ByKey                     bool // whether an API key began the consent
}

// confirmPage asks the person who comes back from HMRC to confirm the connection; nothing is stored
// before. A person who gave no consent is told so.
func (s *Statements) confirmPage(v *page.Visit) error {
	back := returned(v)
	if v.R.FormValue("error") != "" || back.Code == "" {
		return s.declined(v, back)
	}
	var c submission.Consent
	err := v.View(func(tx page.Tx) (err error) { c, err = s.VAT.Pending(tx, back); return err })
	if err != nil {
		return s.notConnected(v, err)
	}
	return v.Show("statements-vat-confirm", "Connect to HMRC?", confirmView{
		Organisation: v.Session.Organisation, State: back.State, Code: back.Code, VATNumber: string(c.VRN), ByKey: c.KeyID != "",
	})
}

func (s *Statements) declined(v *page.Visit, back submission.Redirect) error {
	err := v.Update(func(tx page.Tx) error { return s.VAT.Decline(tx, v.Call(), back) })
	if err == nil {
		err = apierr.New(apierr.InvalidState, "No consent was given at HMRC.")
	}
	return s.notConnected(v, err)
}

// confirm stores the connection.
func (s *Statements) confirm(v *page.Visit) error {
	if err := s.VAT.Complete(v.R.Context(), v.Call(), returned(v)); err != nil {
		return s.notConnected(v, err)
	}
	return v.Done("/vat/connection", "hmrc-connected")
}

// notConnected shows why there is no connection. Errors that are not the caller's are passed on.
func (s *Statements) notConnected(v *page.Visit, err error) error {
	f, refused := apierr.As(err)
	if !refused || backWords[f.Code] == "" {
		return err
	}
	v.Status = http.StatusBadRequest
	return v.Show("statements-vat-back", "Not connected to HMRC", backWords[f.Code])
}

// backWords say why the way back from HMRC led to no connection.
var backWords = map[apierr.Code]string{
	apierr.InvalidRequest:  "This consent was not begun in this session for this organisation, was used before, or has expired.",
	apierr.InvalidState:    "No consent was given at HMRC.",
	apierr.HMRCRejected:    "HMRC did not accept the consent.",
	apierr.HMRCUnreachable: "HMRC could not be reached to complete the consent.",
}

func (s *Statements) askToDisconnect(v *page.Visit) error {
	return v.Ask(page.Question{
		Title: "End the connection to HMRC?", Text: []string{
			"The tokens are forgotten at once. What HMRC has told stays, and returns that are on their way stay on their way.",
			"Returns that are submitted without a connection go nowhere.",
		}, Action: "/vat/connection/end", Button: "End the connection", Back: "/vat/connection",
	})
}

func (s *Statements) disconnect(v *page.Visit) error {
	if err := v.Update(func(tx page.Tx) error { return s.VAT.Disconnect(tx, v.Call()) }); err != nil {
		return err
	}
	return v.Done("/vat/connection", "hmrc-ended")
}
