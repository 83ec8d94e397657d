package authorities

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// CallbackPath is the path to which HMRC redirects the browser after consent, at every authority of this area.
const CallbackPath = path + "/consent/callback"

const confirmPath = path + "/consent/confirm"

// consentRoutes are for consents of the organisation.
func (a *Authorities) consentRoutes() []page.Route {
	return []page.Route{
		page.Post(path+"/systems/{system}/consent", page.ForOwner, a.begin).WithRecentProof(),
		page.Get(path+"/systems/{system}/end", page.ForOwner, a.confirmEnd),
		page.Post(path+"/systems/{system}/end", page.ForOwner, a.end).WithRecentProof(),
		page.Get(CallbackPath, page.ForOwner, a.confirmConsent),
		page.Post(confirmPath, page.ForOwner, a.confirm),
	}
}

// consentView is the data of the pages of a consent.
type consentView struct {
	Title, Organisation, Identifier string
	IdentifierName                  string // such as EORI number
	Address                         string // at HMRC
	Until                           time.Time
	State, Code                     string
	ByKey                           bool // whether the consent was begun with an API key
}

// nameOf returns what the consents at an authority are by, as a label.
func nameOf(consents *consent.Service) string {
	if by := consents.Identified(); by != nil {
		return strings.ToUpper(by.Name[:1]) + by.Name[1:]
	}
	return "EORI number"
}

// consentsOf returns the consents at the authority of the address.
func (a *Authorities) consentsOf(c *page.Context) (*consent.Service, error) {
	return a.Service.ConsentsOf(c.R.PathValue("system"))
}

// begin shows a link to HMRC. It does not redirect, because the content security policy forbids forms to redirect to other hosts.
func (a *Authorities) begin(c *page.Context) error {
	consents, err := a.consentsOf(c)
	if err != nil {
		return err
	}
	consents = consents.For(c.Value("identifier"))
	view := consentView{Title: consents.Other.Name}
	err = c.Update(func(tx page.Tx) (err error) {
		view.Address, view.Until, err = consents.Begin(tx, c.Call(), c.Session.ID)
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return a.list(c) })
	}
	return c.Show("authorities-consent", "Give consent at HMRC", view)
}

// redirectOf returns the parameters of HMRC's redirect, with the session of the request.
func redirectOf(c *page.Context) consent.Redirect {
	return consent.Redirect{State: c.R.FormValue("state"), Code: c.R.FormValue("code"), SessionID: c.Session.ID}
}

// pending finds the consent that a person comes back for, at any authority.
func (a *Authorities) pending(c *page.Context) (at *exchange.Authority, r consent.Request, err error) {
	err = c.View(func(tx page.Tx) error {
		for _, authority := range a.Service.Authorities {
			found, err := authority.Consents.Pending(tx, redirectOf(c))
			if err == nil {
				at, r = authority, found
				return nil
			}
			if !apierr.Is(err, apierr.InvalidRequest) {
				return err
			}
		}
		return apierr.Invalid(apierr.Detail{Field: "state", Message: "belongs to no consent"})
	})
	return at, r, err
}

// confirmConsent asks the user who comes back from HMRC to confirm which organisation is being connected; nothing is stored before.
func (a *Authorities) confirmConsent(c *page.Context) error {
	back := redirectOf(c)
	at, r, err := a.pending(c)
	if err == nil && (c.R.FormValue("error") != "" || back.Code == "") {
		if err = c.Update(func(tx page.Tx) error { return at.Consents.Decline(tx, back) }); err == nil {
			err = apierr.New(apierr.InvalidState, "You did not give consent at HMRC.")
		}
	}
	if err != nil {
		return c.NotConnected(err, "authorities-back", "Not connected")
	}
	return c.Show("authorities-confirm", "Connect to HMRC?", consentView{
		Title: at.Title, Organisation: c.Session.Organisation, Identifier: r.Identifier, IdentifierName: nameOf(at.Consents), State: back.State, Code: back.Code, ByKey: r.KeyID != "",
	})
}

// confirm stores the consent.
func (a *Authorities) confirm(c *page.Context) error {
	at, _, err := a.pending(c)
	if err == nil {
		err = at.Consents.Complete(c.R.Context(), c.Call(), redirectOf(c))
	}
	if err != nil {
		return c.NotConnected(err, "authorities-back", "Not connected")
	}
	return c.RedirectWithNotice(path, "authority-connected")
}

func (a *Authorities) confirmEnd(c *page.Context) error {
	consents, err := a.consentsOf(c)
	if err != nil {
		return err
	}
	title := "End the connection to the " + consents.Other.Name
	identifier := c.R.FormValue("identifier")
	if identifier != "" {
		title += " for " + identifier
	}
	return c.Confirm(page.Confirmation{
		Title: title + "?", Text: []string{
			"Nothing is sent with the tokens any more. They are deleted immediately; those of an excise number when HMRC has ended its notifications, after a day at most.",
			"Records that HMRC has already are not affected, but they no longer follow what HMRC does.",
		}, Action: c.R.URL.RequestURI(), Button: "End connection", Back: path,
	})
}

func (a *Authorities) end(c *page.Context) error {
	consents, err := a.consentsOf(c)
	if err == nil {
		err = c.Update(func(tx page.Tx) error { return consents.For(c.R.FormValue("identifier")).Remove(tx, c.Call()) })
	}
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(path, "authority-ended")
}
