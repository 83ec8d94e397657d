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

// newIdentity is single sign-on through the providers of organisations. Commands have no sealer, and
// need none.
func (a *App) newIdentity() *oidc.Service {
	s := oidc.Service{
		Store: adapter.Of(a.Store), Accounts: a.Accounts, IDs: a.IDs, Now: a.deps.Now, Log: a.deps.Log,
		PublicURL: a.Config.PublicURL, Resolver: a.deps.Resolver,
	}
	if a.post != nil {
		s.Sealer = a.post.sealer
	}
	return oidc.New(s, a.Config.AllowPrivateIdentity)
}

// signOnInterval is how often sessions of single sign-on and mail domains are looked at.
const signOnInterval = 30 * time.Second

// keepSignOn refreshes the sessions of identity providers and checks mail domains again, one
// instance at a time.
func (a *App) keepSignOn(ctx context.Context) {
	for {
		_, err := a.Store.Exclusive(ctx, "sign-on", func(ctx context.Context) error {
			return errors.Join(a.Identity.RefreshSessions(ctx), a.Identity.RecheckDomains(ctx))
		})
		if err != nil && ctx.Err() == nil {
			a.deps.Log.Warn("cannot look after single sign-on", "error", err)
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
		Service: a.newSCIM(), IDs: a.IDs, Limiter: a.limiter, Bodies: a.bodies, Standard: budgets.Standard, Refused: budgets.Refused,
		Log: a.deps.Log, PublicURL: a.Config.PublicURL, Observe: a.answered, Now: a.deps.Now,
	}).Handler()
}
