package app

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	scimapi "github.com/tidewaiter/tidewaiter/internal/api/scim"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// newIdentity returns single sign-on through the identity providers of organisations. Commands do not need the sealer.
func (a *App) newIdentity() *oidc.Service {
	s := oidc.Service{
		Store: adapter.Of(a.Store), Accounts: a.Accounts, IDs: a.IDs, Now: a.deps.Now, Log: a.deps.Log,
		PublicURL: a.Config.PublicURL, Resolver: a.deps.Resolver,
	}
	if a.webhooks != nil {
		s.Sealer = a.webhooks.sealer
	}
	return oidc.New(s, a.Config.AllowPrivateIdentity)
}

// signOnInterval is the time between two checks of sign-on sessions and mail domains.
const signOnInterval = 30 * time.Second

// refreshSignOn refreshes sessions of identity providers and checks mail domains again, one instance at a time.
func (a *App) refreshSignOn(ctx context.Context) {
	for {
		_, err := a.Store.Exclusive(ctx, "sign-on", func(ctx context.Context) error {
			return errors.Join(a.Identity.RefreshSessions(ctx), a.Identity.RecheckDomains(ctx))
		})
		if err != nil && ctx.Err() == nil {
			a.deps.Log.Warn("cannot refresh single sign-on", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(signOnInterval):
		}
	}
}

func (a *App) newSCIM() *scim.Service {
	return &scim.Service{Store: adapter.Of(a.Store), Accounts: a.Accounts, IDs: a.IDs}
}

func (a *App) newSCIMServer() http.Handler {
	budgets := a.budgets()
	return (&scimapi.Server{
		Service: a.newSCIM(), IDs: a.IDs, Limiter: a.limiter, Bodies: a.bodyBudget, Standard: budgets.Standard, Refused: budgets.Refused,
		Log: a.deps.Log, PublicURL: a.Config.PublicURL, Observe: a.observeRequest, Now: a.deps.Now,
	}).Handler()
}
