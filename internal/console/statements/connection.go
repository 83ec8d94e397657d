package statements

import (
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/vat"
)

// CallbackPath is where HMRC sends a person's browser back to. The path is the API's,
// as it is the one that a service is registered with; browsers get this page there.
const CallbackPath = "/api/tax/connection/callback"

// The connection to HMRC's Making Tax Digital.
func (s *Statements) connectionRoutes() []page.Route {
	return []page.Route{
		page.Get("/vat/connection", page.ForViewer, s.connectionPage),
		page.Post("/vat/connection", page.ForOwner, s.beginConnection),
		page.Get(CallbackPath, page.ForAnybody, s.comeBack),
		page.Get("/vat/connection/end", page.ForOwner, s.askToDisconnect),
		page.Post("/vat/connection/end", page.ForOwner, s.disconnect),
	}
}

// connectionView is how the organisation stands with HMRC.
type connectionView struct {
	vat.Connection
	VATNumber string
	Enabled   bool
	Consent   string // address at HMRC at which a person gives consent; empty where none was begun
	Expires   time.Time
}

func (s *Statements) connectionPage(v *page.Visit) error {
	return s.showConnection(v, connectionView{})
}

func (s *Statements) showConnection(v *page.Visit, shown connectionView) error {
	shown.Enabled = v.Guest.Hubs.Has(tax.HubID)
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
	if !v.Guest.Hubs.Has(tax.HubID) {
		return fault.New(fault.HubNotEnabled, "The VAT Hub is not enabled; Settings, Hubs enables it.")
	}
	var shown connectionView
	err := v.Update(func(tx page.Tx) (err error) {
		shown.Consent, shown.Expires, err = s.VAT.Begin(tx, v.Call(), s.origin(v))
		return err
	})
	if err != nil {
		return v.Again(err, func() error { return s.connectionPage(v) })
	}
	return s.showConnection(v, shown)
}

// comeBack takes a person up who was at HMRC.
func (s *Statements) comeBack(v *page.Visit) error {
	q := v.R.URL.Query()
	back := vat.Redirect{State: q.Get("state"), Code: q.Get("code"), RequestID: v.Visitor.RequestID, IPAddress: v.Visitor.IPAddress}
	if q.Get("error") != "" {
		back.Code = ""
	}
	org, err := s.VAT.Complete(v.R.Context(), back)
	f, refused := fault.As(err)
	switch {
	case refused:
		v.Status = http.StatusBadRequest
		return v.Show("statements-vat-back", "Not connected to HMRC", backWords[f.Code])
	case err != nil:
		return err
	case v.SignedIn && v.Guest.Org == org:
		return v.Done("/vat/connection", "hmrc-connected")
	}
	return v.Show("statements-vat-back", "Connected to HMRC", "")
}

// backWords say why somebody came back from HMRC in vain.
var backWords = map[fault.Code]string{
	fault.InvalidRequest:  "This way back is of no consent that was begun here; or it has been used, or has expired.",
	fault.InvalidState:    "No consent was given at HMRC.",
	fault.HMRCRejected:    "HMRC did not accept the consent.",
	fault.HMRCUnreachable: "HMRC could not be reached to complete the consent.",
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
