package app

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	scimapi "github.com/tidewaiter/tidewaiter/internal/api/scim"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// newIdentity is single sign-on through the providers of organisations. Commands have no sealer, and
// need none.
func (a *App) newIdentity() *oidc.Service {
	s := oidc.Service{
		Store: wide{a.Store}, Accounts: a.Accounts, IDs: a.IDs, Now: a.deps.Now, Log: a.deps.Log,
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

// VerifyDomain verifies a mail domain of an organisation on the operator's word, and returns it as
// it is stored.
func (a *App) VerifyDomain(ctx context.Context, org tenant.ID, domain string) (string, error) {
	err := a.Store.View(ctx, org, func(tx *store.Tx) error { _, err := tx.Organisation(); return err })
	if apierr.Is(err, apierr.NotFound) {
		return "", apierr.New(apierr.NotFound, "There is no organisation %s.", org)
	}
	if err != nil {
		return "", err
	}
	return a.newIdentity().VerifyDomain(ctx, tenant.OperatorCall(org, tenant.SystemUser), domain)
}

// ViewIdentity reads the identity settings of an organisation.
func (w wide) ViewIdentity(ctx context.Context, org tenant.ID, fn func(oidc.Tx) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// UpdateIdentity changes the identity settings of an organisation.
func (w wide) UpdateIdentity(ctx context.Context, org tenant.ID, fn func(oidc.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (a *App) newSCIM() *scim.Service {
	return &scim.Service{Store: wide{a.Store}, Accounts: a.Accounts, IDs: a.IDs}
}

func (a *App) newSCIMServer() http.Handler {
	budgets := a.budgets()
	return (&scimapi.Server{
		Service: a.newSCIM(), IDs: a.IDs, Limiter: a.limiter, Bodies: a.bodies, Standard: budgets.Standard, Refused: budgets.Refused,
		Log: a.deps.Log, PublicURL: a.Config.PublicURL, Observe: a.answered, Now: a.deps.Now,
	}).Handler()
}

// ViewSCIM reads what SCIM keeps in an organisation.
func (w wide) ViewSCIM(ctx context.Context, org tenant.ID, fn func(scim.Tx) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// UpdateSCIM changes what SCIM keeps in an organisation.
func (w wide) UpdateSCIM(ctx context.Context, org tenant.ID, fn func(scim.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}
