package oidc

import (
	"context"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// How long a session lasts without a refresh.
const (
	unrefreshedLife = 15 * time.Minute // without a refresh token
	silentLife      = time.Hour        // since the last successful refresh
)

// ForEmail lists the providers of the organisation that has verified the domain of an address.
func (s *Service) ForEmail(ctx context.Context, email string) ([]Provider, error) {
	name := domainOf(access.NormalEmail(email))
	if name == "" {
		return nil, apierr.Invalid(apierr.Detail{Field: "email", Message: "must have the form name@example.com"})
	}
	org, found, err := s.Store.DomainOwner(ctx, name)
	if err != nil || !found {
		return nil, err
	}
	var all []Provider
	err = s.Store.ViewIdentity(ctx, org, func(tx Tx) (err error) { all, err = tx.Providers(); return err })
	return all, err
}

// CallbackRequest is the request with which a browser returns from a provider.
type CallbackRequest struct {
	Org    tenant.ID // for which the sign-in was started
	State  string    // as returned
	Code   string
	Proofs Proofs // as stored in the browser
	// Account is the session in this browser; empty for none.
	Account access.Session
}

// SignIn opens a session in the provider's organisation for the identified person.
func (s *Service) SignIn(ctx context.Context, v access.Visitor, request CallbackRequest) (token string, err error) {
	identity, err := s.identify(ctx, request)
	if err != nil {
		return "", err
	}
	u, err := s.account(ctx, v, identity, request.Account)
	if err != nil {
		return "", err
	}
	if err := s.updateMembership(ctx, v, u, identity); err != nil {
		return "", err
	}
	return s.openSession(ctx, v, u, identity)
}

// identify exchanges the code of a returning browser for an identity.
func (s *Service) identify(ctx context.Context, request CallbackRequest) (identity Identity, err error) {
	state, id, _ := strings.Cut(request.State, ".")
	if state == "" || state != request.Proofs.State {
		return identity, errWrongBrowser()
	}
	var p Provider
	found := false
	err = s.Store.ViewIdentity(ctx, request.Org, func(tx Tx) (err error) { p, found, err = tx.Provider(id); return err })
	if err == nil && !found {
		err = errWrongBrowser()
	}
	if err != nil {
		return identity, err
	}
	return s.exchange(ctx, p, request.Code, request.Proofs)
}

func errWrongBrowser() error {
	return apierr.New(apierr.InvalidRequest, "This sign-in was not started in this browser or has expired. Start again.")
}

// ReauthenticateURL returns the URL at which the person of a session signs in again at its provider.
func (s *Service) ReauthenticateURL(ctx context.Context, g access.Session, proofs Proofs) (address string, err error) {
	var p Provider
	found := false
	err = s.Store.ViewIdentity(ctx, g.BoundOrg, func(tx Tx) (err error) { p, found, err = tx.Provider(g.Provider); return err })
	if err == nil && !found {
		err = apierr.New(apierr.InvalidState, "The identity provider of this session was removed. Sign out and sign in again.")
	}
	if err != nil {
		return "", err
	}
	return s.signInURL(ctx, p, proofs, g.User.Email, PromptSignIn(p.Issuer)...)
}

// Confirm renews the authentication of request.Account after the same person has signed in again at the
// provider, and stores the new refresh token.
func (s *Service) Confirm(ctx context.Context, v access.Visitor, request CallbackRequest) error {
	g := request.Account
	identity, err := s.identify(ctx, request)
	if err != nil {
		return err
	}
	p := identity.provider
	var userID string
	known := false
	err = s.Store.ViewIdentity(ctx, p.Org, func(tx Tx) (err error) { userID, known, err = tx.IdentityLink(p.ID, identity.Subject); return err })
	if err != nil {
		return err
	}
	if !known || userID != g.UserID || p.ID != g.Provider || p.Org != g.BoundOrg {
		return apierr.New(apierr.Unauthorized, "You signed in with %s as a different person.", p.Name)
	}
	if err := s.Accounts.RenewProviderSession(ctx, v, g, access.ProviderSession{Org: p.Org, Provider: p.ID, Name: p.Name, ProvedAt: identity.ProvedAt}); err != nil {
		return err
	}
	if identity.Refresh != "" {
		return s.extendSession(ctx, newRefresh(p, g.SessionRecord), identity.Refresh)
	}
	if until := s.Now().Add(unrefreshedLife); until.After(g.ExpiresAt) && until.Before(g.CreatedAt.Add(access.SessionLife)) {
		_, err = s.Store.ExtendSession(ctx, g.ID, until)
	}
	return err
}

// newRefresh returns the row of a session's refresh token, without the token.
func newRefresh(p Provider, session access.SessionRecord) Refresh {
	return Refresh{
		Org: p.Org, SessionID: session.ID, ProviderID: p.ID, UserID: session.UserID,
		EndsAt: session.CreatedAt.Add(access.SessionLife), RefreshAt: session.CreatedAt.Add(refreshInterval),
	}
}

func (s *Service) openSession(ctx context.Context, v access.Visitor, u access.User, identity Identity) (string, error) {
	p := identity.provider
	life := silentLife
	if identity.Refresh == "" {
		life = unrefreshedLife
	}
	token, session, err := s.Accounts.OpenProviderSession(ctx, v, u, access.ProviderSession{Org: p.Org, Provider: p.ID, Name: p.Name, Life: life, ProvedAt: identity.ProvedAt})
	if err != nil || identity.Refresh == "" {
		return token, err
	}
	r := newRefresh(p, session)
	if r.Token, err = s.seal(identity.Refresh, refreshOwner(r)); err != nil {
		return "", err
	}
	return token, s.Store.UpdateIdentity(ctx, p.Org, func(tx Tx) error { return tx.PutRefresh(r) })
}

// account returns the account of an identity: the linked one, the one that is signed in in this
// browser, or the one with the address in a verified domain. A new person gets a new account.
func (s *Service) account(ctx context.Context, v access.Visitor, identity Identity, current access.Session) (u access.User, err error) {
	p := identity.provider
	var linked string
	var known, trusted bool
	email := access.NormalEmail(identity.Email)
	err = s.Store.ViewIdentity(ctx, p.Org, func(tx Tx) (err error) {
		if linked, known, err = tx.IdentityLink(p.ID, identity.Subject); err != nil || known {
			return err
		}
		trusted, err = isTrusted(tx, p, identity, email)
		return err
	})
	if err != nil {
		return u, err
	}
	if known {
		return s.user(ctx, linked)
	}
	// Use the signed-in account only if the provider sends the same address: on a shared computer
	// the session can belong to another person.
	if current.UserID != "" && current.BoundOrg == "" && current.User.Email == email {
		if u, err = s.user(ctx, current.UserID); err != nil {
			return u, err
		}
		return u, s.link(ctx, v, u, identity)
	}
	if !trusted {
		return u, apierr.New(apierr.Unauthorized, "%s did not send an e-mail address in a domain that the organisation has verified. Ask an OWNER of your organisation.", p.Name)
	}
	if u, err = s.byEmail(ctx, identity, email); err != nil {
		return u, err
	}
	return u, s.link(ctx, v, u, identity)
}

// isTrusted reports whether a provider is trusted for an address. Google's issuer serves every Google
// account, so its hosted domain must be verified too.
func isTrusted(tx Tx, p Provider, identity Identity, email string) (bool, error) {
	if strings.TrimRight(p.Issuer, "/") == googleIssuer {
		if ok, err := verified(tx, "@"+identity.HostedDomain); !ok || err != nil {
			return false, err
		}
	}
	return verified(tx, email)
}

func (s *Service) user(ctx context.Context, id string) (u access.User, err error) {
	found := false
	err = s.Accounts.Store.ViewAccounts(ctx, func(d access.AccountTx) (err error) { u, found, err = d.User(id); return err })
	if err == nil && !found {
		err = apierr.New(apierr.Unauthorized, "The account of this identity no longer exists. Ask an OWNER of your organisation.")
	}
	return u, err
}

// byEmail returns the account of an address in a verified domain, or creates one. An account that
// belongs to another organisation too can only be linked by a person who is signed in to it.
func (s *Service) byEmail(ctx context.Context, identity Identity, email string) (u access.User, err error) {
	found := false
	err = s.Accounts.Store.ViewAccounts(ctx, func(d access.AccountTx) (err error) { u, found, err = d.UserByEmail(email); return err })
	if err != nil {
		return u, err
	}
	if found {
		memberships, err := s.Accounts.Store.Memberships(ctx, u.ID)
		if err != nil {
			return u, err
		}
		for _, m := range memberships {
			if m.Org != identity.provider.Org {
				return u, apierr.New(apierr.Unauthorized, "Your account also belongs to another organisation. Sign in to it in this browser first, then sign in with %s again.", identity.provider.Name)
			}
		}
		return u, nil
	}
	// With a subject the account counts as one that can sign in, so that an invitation of another
	// organisation cannot set a password for it.
	u = access.User{
		ID: s.IDs.UUID(), Name: identity.Name, Email: email,
		Subject: "organisation:" + string(identity.provider.Org) + ":" + identity.provider.ID + "#" + identity.Subject,
	}
	if n := len([]rune(strings.TrimSpace(u.Name))); n < 1 || n > maxText/2 {
		u.Name = email
	}
	admitted := false
	err = s.Store.ViewIdentity(ctx, identity.provider.Org, func(tx Tx) (err error) {
		admitted, err = s.mayJoin(tx, identity, email)
		return err
	})
	if err == nil && !admitted {
		err = errNotMember(identity.provider)
	}
	if err != nil {
		return u, err
	}
	return u, s.Accounts.Store.UpdateAccounts(ctx, func(d access.AccountTx) error { return d.AddUser(u) })
}

func errNotMember(p Provider) error {
	return apierr.New(apierr.Unauthorized, "You signed in with %s, but you are not a member of the organisation. Ask an OWNER to invite you or to assign you to a group with a role.", p.Name)
}

// mayJoin reports whether a person without a membership would get one.
func (s *Service) mayJoin(tx Tx, identity Identity, email string) (bool, error) {
	if identity.provider.JustInTime && identity.role() != "" {
		return true, nil
	}
	all, err := tx.Invitations()
	for _, i := range all {
		if i.Email == email && i.Open(tx.Now()) {
			return true, err
		}
	}
	return false, err
}

func (s *Service) link(ctx context.Context, v access.Visitor, u access.User, identity Identity) error {
	p := identity.provider
	return s.Store.UpdateIdentity(ctx, p.Org, func(tx Tx) error {
		_, member, err := tx.Member(u.ID)
		if err != nil {
			return err
		}
		if !member {
			if admitted, err := s.mayJoin(tx, identity, u.Email); err != nil || !admitted {
				return orError(err, errNotMember(p))
			}
		}
		if err := tx.LinkIdentity(p.ID, identity.Subject, u.ID); err != nil {
			return err
		}
		return s.Accounts.Access.Record(tx, callOf(v, p.Org, u), access.IdentityLinked, "user", u.ID, map[string]any{"provider": p.Name, "subject": identity.Subject})
	})
}

func orError(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func callOf(v access.Visitor, org tenant.ID, u access.User) tenant.Call {
	return tenant.Call{
		Principal: tenant.Principal{Org: org, UserID: u.ID, Type: tenant.ByUser}, RequestID: v.RequestID, IPAddress: v.IPAddress,
	}
}

// updateMembership makes the person a member if the provider or an invitation allows it, and gives a member the
// role of the person's groups.
func (s *Service) updateMembership(ctx context.Context, v access.Visitor, u access.User, identity Identity) error {
	p, call := identity.provider, callOf(v, identity.provider.Org, u)
	return s.Store.UpdateIdentity(ctx, p.Org, func(tx Tx) error {
		role, member, err := tx.Member(u.ID)
		if err != nil {
			return err
		}
		if !member {
			return s.join(tx, call, u, identity)
		}
		wanted := identity.role()
		if len(p.Roles) == 0 || !identity.HasGroups || wanted == role {
			return nil
		}
		if wanted == "" {
			return errNotMember(p)
		}
		err = s.Accounts.Access.ChangeRole(tx, call, u.ID, wanted)
		if apierr.Is(err, apierr.InvalidState) {
			return nil // the last OWNER keeps the role
		}
		return err
	})
}

func (s *Service) join(tx Tx, call tenant.Call, u access.User, identity Identity) error {
	joined, err := s.Accounts.Access.AcceptInvitation(tx, call, u.Email)
	if err != nil || joined {
		return err
	}
	left, err := tx.WasMember(u.ID)
	if err != nil {
		return err
	}
	if left || !identity.provider.JustInTime || identity.role() == "" {
		return errNotMember(identity.provider)
	}
	return s.Accounts.Access.JoinByProvider(tx, call, u.ID, identity.role(), "single sign-on")
}

// role returns the highest role of the person's groups, or the default role; "" for no access.
func (w Identity) role() tenant.Role {
	best := tenant.Role("")
	for _, group := range w.Groups {
		if role, ok := w.provider.Roles[group]; ok && (best == "" || role.Covers(best)) {
			best = role
		}
	}
	if best == "" {
		return w.provider.DefaultRole
	}
	return best
}
