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

// Bound says what limits a session that an organisation's identity provider opened.
type Bound struct {
	Org      tenant.ID     // the only organisation that the session opens
	Provider string        // id of the provider
	Name     string        // of the provider, for the audit event
	Life     time.Duration // until the provider has to be asked again
	ProvedAt time.Time     // when the provider last asked the person to sign in; zero if it does not say
}

// OpenBound opens a session for a person whom an organisation's provider has identified. Only that
// organisation's audit trail records it.
func (a *Accounts) OpenBound(ctx context.Context, v Visitor, u User, b Bound) (token string, s SessionRecord, err error) {
	token = newToken(a.IDs)
	s = SessionRecord{
		ID: a.IDs.UUID(), UserID: u.ID, Hash: Hash(token), Org: b.Org, IPAddress: v.IPAddress, UserAgent: clip(v.UserAgent),
		Method: BySSO, Provider: b.Provider, BoundOrg: b.Org,
	}
	err = a.Register.UpdateDesk(ctx, func(d Desk) error {
		if err := a.noteBrowser(d, v, u); err != nil {
			return err
		}
		s.CreatedAt, s.SeenAt, s.AuthenticatedAt, s.ExpiresAt = d.Now(), d.Now(), proved(d.Now(), b.ProvedAt), d.Now().Add(b.Life)
		return d.AddSession(s)
	})
	if err != nil {
		return "", s, err
	}
	err = a.Register.UpdateAccess(ctx, b.Org, func(tx Tx) error {
		return a.Access.record(tx, v.call(themselves(u.ID)(b.Org)), SignedIn, "user", u.ID, map[string]any{"by": "single sign-on", "provider": b.Name})
	})
	return token, s, err
}

// errProofTooOld is the answer to a provider that says that it last asked the person to sign in
// longer ago than sensitive steps allow.
func errProofTooOld(provider string) error {
	return apierr.New(apierr.Unauthorized, "%s has not asked you to sign in again. Sign out there, then repeat this step.", provider)
}

// ProveBound makes a session fresh that an organisation's provider opened, because the provider has
// signed the person in again. What the provider says of the time in b counts.
func (a *Accounts) ProveBound(ctx context.Context, v Visitor, g Session, b Bound) error {
	at := proved(a.Now(), b.ProvedAt)
	if a.FreshFor > 0 && a.Now().Sub(at) >= a.FreshFor {
		return errProofTooOld(b.Name)
	}
	if err := a.Register.UpdateDesk(ctx, func(d Desk) error { return d.NoteAuthentication(g.ID, at) }); err != nil {
		return err
	}
	return a.Register.UpdateAccess(ctx, b.Org, func(tx Tx) error {
		return a.Access.record(tx, v.call(themselves(g.UserID)(b.Org)), Reauthenticated, "user", g.UserID, map[string]any{"by": "single sign-on", "provider": b.Name})
	})
}

// EndBound ends a session that an organisation's provider opened, and records why.
func (a *Accounts) EndBound(ctx context.Context, org tenant.ID, userID, sessionID, reason string) error {
	ended := false
	err := a.Register.UpdateDesk(ctx, func(d Desk) (err error) { ended, err = d.EndSession(userID, sessionID); return err })
	if err != nil || !ended {
		return err
	}
	call := tenant.Call{Principal: tenant.System(org)}
	return a.Register.UpdateAccess(ctx, org, func(tx Tx) error {
		return a.Access.record(tx, call, SessionEnded, "user", userID, map[string]any{"reason": reason})
	})
}

// Record leaves an audit event of a change to who may come in. The packages of identity providers
// and SCIM use it for their own changes.
func (s *Service) Record(tx Tx, call tenant.Call, event, resource, id string, data map[string]any) error {
	return s.record(tx, call, event, resource, id, data)
}

// JoinByProvider makes a person a member whom an identity provider or SCIM has admitted.
func (s *Service) JoinByProvider(tx Tx, call tenant.Call, userID string, role tenant.Role, by string) error {
	if err := refuseClosed(tx); err != nil {
		return err
	}
	if err := tx.AddMember(userID, role); err != nil {
		return err
	}
	return s.record(tx, call, UserAdded, "user", userID, map[string]any{"role": role, "by": by})
}

// AcceptInvitation joins a person by the organisation's open invitation for the address, if there
// is one.
func (s *Service) AcceptInvitation(tx Tx, call tenant.Call, email string) (joined bool, err error) {
	all, err := tx.Invitations()
	if err != nil {
		return false, err
	}
	for _, i := range all {
		if i.Email == email && i.Open(tx.Now()) {
			return true, s.join(tx, call, i)
		}
	}
	return false, nil
}

// closed reports whether the organisation's policy keeps a session out that was opened by password
// or by a link that sets one.
func (g Session) closed() bool {
	p := g.Policy.Policy()
	if !p.PasswordSignInOff || g.Method != ByPassword && g.Method != ByLink {
		return false
	}
	return g.UserID != p.EmergencyOwnerID || g.Role != tenant.Owner
}

// limited takes from a session what it may not open.
func (g Session) limited() Session {
	if g.BoundOrg != "" && g.BoundOrg != g.Org || g.closed() {
		g.SignOnNeeded, g.NeedsFactor = g.closed(), false
		g.Org, g.Role, g.Organisation, g.Hubs = "", "", "", ""
	}
	return g
}

// checkPolicy refuses a policy that would lock the organisation out.
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
		return apierr.Invalid(apierr.Detail{Field: "emergencyOwnerId", Message: "must be the id of an OWNER of the organisation while password sign-in is off"})
	}
	return nil
}

// lookups limits how often an address may ask for the providers of a mail domain, because each
// question may reach a provider.
var lookups = ratelimit.Budget{Name: "sign-in-lookup", Requests: 30, Window: time.Minute}

// CountLookup counts a question for the providers of a mail domain, and refuses too many. A counter
// that does not answer refuses nobody.
func (a *Accounts) CountLookup(ctx context.Context, v Visitor) error {
	state, err := a.Limiter.Take(ctx, lookups, clientaddr.Group(v.IPAddress))
	if err != nil || !state.Exceeded {
		return nil
	}
	return apierr.New(apierr.RateLimited, "Too many attempts. Try again in a minute.")
}

// EndSessionsIn ends the sessions of a person that an organisation may end: those that its provider
// opened, and all of a person who belongs to no other organisation. Other sessions lose the
// organisation with the membership.
func (a *Accounts) EndSessionsIn(ctx context.Context, org tenant.ID, userID string) error {
	memberships, err := a.Register.Memberships(ctx, userID)
	if err != nil {
		return err
	}
	alone := true
	for _, m := range memberships {
		alone = alone && m.Org == org
	}
	return a.Register.UpdateDesk(ctx, func(d Desk) error {
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

// ParseEmail returns a mail address in the form in which addresses are stored.
func ParseEmail(email string) (string, error) {
	email, wrong := checkEmail("email", email)
	if wrong != nil {
		return "", apierr.Invalid(wrong...)
	}
	return email, nil
}

// NewSecretWith makes a secret like an API key's, with another prefix.
func NewSecretWith(prefix string, ids *ident.Source) string { return newSecret(prefix, ids) }

// WellformedWith reports whether text can be a secret with a prefix.
func WellformedWith(prefix, text string) bool { return wellformed(prefix, text) }
