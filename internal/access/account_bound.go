package access

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ProviderSession describes a session that an organisation's identity provider opened.
type ProviderSession struct {
	Org      tenant.ID     // the only organisation that the session opens
	Provider string        // id of the provider
	Name     string        // of the provider, for the audit event
	Life     time.Duration // until the provider must confirm the session
	ProvedAt time.Time     // when the person last authenticated at the provider; zero if not known
}

// OpenProviderSession opens a session for a person identified by an organisation's provider. Only
// that organisation gets an audit event.
func (a *Accounts) OpenProviderSession(ctx context.Context, v Visitor, u User, b ProviderSession) (token string, s SessionRecord, err error) {
	token = newToken(a.IDs)
	s = SessionRecord{
		ID: a.IDs.UUID(), UserID: u.ID, Hash: Hash(token), Org: b.Org, IPAddress: v.IPAddress, UserAgent: truncate(v.UserAgent),
		Method: BySSO, Provider: b.Provider, BoundOrg: b.Org,
	}
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		if err := a.noteBrowser(d, v, u); err != nil {
			return err
		}
		s.CreatedAt, s.SeenAt, s.AuthenticatedAt, s.ExpiresAt = d.Now(), d.Now(), proved(d.Now(), b.ProvedAt), d.Now().Add(b.Life)
		return d.AddSession(s)
	})
	if err != nil {
		return "", s, err
	}
	err = a.Store.UpdateAccess(ctx, b.Org, func(tx Tx) error {
		return a.Access.record(tx, v.call(selfActor(u.ID)(b.Org)), SignedIn, "user", u.ID, map[string]any{"by": "single sign-on", "provider": b.Name})
	})
	return token, s, err
}

// errAuthenticationTooOld is the error if the person authenticated at the provider too long ago for a
// sensitive action.
func errAuthenticationTooOld(provider string) error {
	return apierr.New(apierr.Unauthorized, "%s did not ask you to sign in again. Sign out there, then repeat this step.", provider)
}

// RenewProviderSession renews the authentication of a session after the person has signed in again at the
// organisation's provider. b.ProvedAt is the time of that sign-in.
func (a *Accounts) RenewProviderSession(ctx context.Context, v Visitor, g Session, b ProviderSession) error {
	at := proved(a.Now(), b.ProvedAt)
	if a.ReauthenticateAfter > 0 && a.Now().Sub(at) >= a.ReauthenticateAfter {
		return errAuthenticationTooOld(b.Name)
	}
	if err := a.Store.UpdateAccounts(ctx, func(d AccountTx) error { return d.RecordAuthentication(g.ID, at) }); err != nil {
		return err
	}
	return a.Store.UpdateAccess(ctx, b.Org, func(tx Tx) error {
		return a.Access.record(tx, v.call(selfActor(g.UserID)(b.Org)), Reauthenticated, "user", g.UserID, map[string]any{"by": "single sign-on", "provider": b.Name})
	})
}

// EndProviderSession ends a session that an organisation's provider opened, and records why.
func (a *Accounts) EndProviderSession(ctx context.Context, org tenant.ID, userID, sessionID, reason string) error {
	ended := false
	err := a.Store.UpdateAccounts(ctx, func(d AccountTx) (err error) { ended, err = d.EndSession(userID, sessionID); return err })
	if err != nil || !ended {
		return err
	}
	call := tenant.Call{Principal: tenant.System(org)}
	return a.Store.UpdateAccess(ctx, org, func(tx Tx) error {
		return a.Access.record(tx, call, SessionEnded, "user", userID, map[string]any{"reason": reason})
	})
}

// Record writes an audit event about access. The packages oidc and scim use it.
func (s *Service) Record(tx Tx, call tenant.Call, event, resource, id string, data map[string]any) error {
	return s.record(tx, call, event, resource, id, data)
}

// JoinByProvider adds a member who was admitted by an identity provider or SCIM.
func (s *Service) JoinByProvider(tx Tx, call tenant.Call, userID string, role tenant.Role, by string) error {
	if err := refuseClosed(tx); err != nil {
		return err
	}
	if err := tx.AddMember(userID, role); err != nil {
		return err
	}
	return s.record(tx, call, UserAdded, "user", userID, map[string]any{"role": role, "by": by})
}

// AcceptInvitation accepts the organisation's open invitation for an address, if there is one.
func (s *Service) AcceptInvitation(tx Tx, call tenant.Call, email string) (joined bool, err error) {
	all, err := tx.Invitations()
	if err != nil {
		return false, err
	}
	for _, i := range all {
		if i.Email == email && i.Open(tx.RealNow()) {
			return true, s.join(tx, call, i)
		}
	}
	return false, nil
}

// closedByPolicy reports whether the organisation's policy excludes the session because it was opened by
// password or by a link.
func (g Session) closedByPolicy() bool {
	p := g.Policy.Policy()
	if !p.PasswordSignInOff || g.Method != ByPassword && g.Method != ByLink {
		return false
	}
	return g.UserID != p.EmergencyOwnerID || g.Role != tenant.Owner
}

// restricted removes the organisation from the session if the session must not open it.
func (g Session) restricted() Session {
	if g.BoundOrg != "" && g.BoundOrg != g.memberOf() || g.closedByPolicy() {
		g.SignOnNeeded, g.NeedsFactor = g.closedByPolicy(), false
		g.Org, g.Role, g.Organisation, g.Hubs = "", "", "", ""
	}
	return g
}

// checkPolicy rejects a policy that would lock the organisation out.
func checkPolicy(tx Tx, p Policy) error {
	if !p.PasswordSignInOff {
		return nil
	}
	role, found := tenant.Role(""), false
	if ident.IsUUID(p.EmergencyOwnerID) {
		var err error
		if role, found, err = tx.Member(p.EmergencyOwnerID); err != nil {
			return err
		}
	}
	if !found || role != tenant.Owner {
		return apierr.Invalid(apierr.Detail{Field: "emergencyOwnerId", Message: "must be the ID of an OWNER of the organisation while password sign-in is off"})
	}
	return nil
}

// lookupBudget limits lookups of the providers of a mail domain per address, since each can cause a
// request to a provider.
var lookupBudget = ratelimit.Budget{Name: "sign-in-lookup", Requests: 30, Window: time.Minute}

// CountLookup counts a lookup of the providers of a mail domain. If the counter fails, the lookup
// is allowed.
func (a *Accounts) CountLookup(ctx context.Context, v Visitor) error {
	state, err := a.Limiter.Take(ctx, lookupBudget, clientaddr.Group(v.IPAddress))
	if err != nil || !state.Exceeded {
		return nil
	}
	return apierr.New(apierr.RateLimited, "Too many attempts. Try again in a minute.")
}

// EndSessionsIn ends the sessions of a person that an organisation controls: those that its
// provider opened, and all if the person belongs to no other organisation. Other sessions lose
// the organisation with the membership.
func (a *Accounts) EndSessionsIn(ctx context.Context, org tenant.ID, userID string) error {
	memberships, err := a.Store.Memberships(ctx, userID)
	if err != nil {
		return err
	}
	alone := true
	for _, m := range memberships {
		alone = alone && m.Org == org
	}
	return a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		all, err := d.Sessions(userID)
		if err != nil {
			return err
		}
		for _, s := range all {
			if !alone && s.BoundOrg != org {
				continue
			}
			if _, err := d.EndSession(userID, s.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// ParseEmail checks a mail address and returns its stored form.
func ParseEmail(email string) (string, error) {
	email, details := checkEmail("email", email)
	if details != nil {
		return "", apierr.Invalid(details...)
	}
	return email, nil
}

// NewSecretWith returns a secret like an API key's, with another prefix.
func NewSecretWith(prefix string, ids *ident.Source) string { return newSecret(prefix, ids) }

// WellformedWith reports whether text has the form of a secret with a prefix.
func WellformedWith(prefix, text string) bool { return wellformed(prefix, text) }
