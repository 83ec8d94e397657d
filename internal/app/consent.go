package app

import (
	"cmp"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/connect"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// newConsents returns the consents of organisations at customs. They can be given once connectConsents has been called.
func (a *App) newConsents() *consent.Service {
	s := &consent.Service{
		Authority: customs.ConsentAuthority, Kind: a.Filings.Types[customs.ConsentKind], Queues: []string{customs.SendQueue, customs.FormsQueue},
		Store: adapter.Of(a.Store), Filings: a.Filings, IDs: a.IDs, Log: a.deps.Log,
	}
	if c := a.Config.Customs; c.Mode == "hmrc" && c.Rate > 0 {
		s.Gap = time.Duration(float64(time.Second) / c.Rate)
	}
	if c := a.Config.Customs; c.Mode == "hmrc" && c.UserToken != "" && c.ClientID != "" {
		s.Single = a.Store.HasOneOrganisation
	}
	return s
}

// newRequests returns the requests for consent at all authorities.
func (a *App) newRequests() *consent.Requests {
	return &consent.Requests{
		IDs: a.IDs, Sealer: a.webhooks.sealer, PublicURL: a.Config.PublicURL, Authorities: map[string]func(state, verifier string) string{},
	}
}

// connectConsents lets organisations give consent at customs, if the application is registered there.
func (a *App) connectConsents(base string) {
	c := a.Config.Customs
	a.Consents.Sealer = a.webhooks.sealer
	a.Consents.Endpoint = client.NewTokenEndpoint(client.OAuth{
		TokenURL: cmp.Or(c.TokenURL, base+"/oauth/token"), ClientID: c.ClientID, ClientSecret: c.ClientSecret, Scope: a.customsScopes(), Middleware: a.middleware(metrics.Customs),
		ConsentURL: cmp.Or(c.ConsentURL, base+"/oauth/authorize"), RedirectURL: cmp.Or(c.RedirectURL, strings.TrimRight(a.Config.PublicURL, "/")+connect.CallbackPath),
	}, a.deps.trueTime)
	if c.ClientID != "" {
		a.requests.Authorities[customs.ConsentAuthority] = a.Consents.Endpoint.Consent
	}
}

// connectArea is the area of the connection to customs, and of consents that API keys begin.
func (a *App) connectArea() connect.Connect {
	covered := ""
	if a.Config.Customs.Movements {
		covered = "and movements of exports "
	}
	purposes := map[string]string{
		submission.Authority:     "Tidewaiter will read the VAT periods of the VAT number at HMRC and submit its returns, for everyone in this organisation who may do so.",
		customs.ConsentAuthority: "Tidewaiter will submit customs declarations " + covered + "to HMRC with the EORI number of the Government Gateway account, for everyone in this organisation who may do so.",
	}
	for _, authority := range a.Exchange.Authorities {
		purposes[authority.ID] = "Tidewaiter will send records of the organisation to HMRC’s " + authority.Title + " and read what HMRC answers, for everyone in this organisation who may do so."
	}
	return connect.Connect{Requests: a.requests, Consents: a.Consents, Purposes: purposes}
}
