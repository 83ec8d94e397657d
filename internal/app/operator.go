package app

import (
	"context"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// What the operator does from the command line, beside a running server or without.

// CreateOrganisation makes an organisation with its first user and an OWNER key.
func (a *App) CreateOrganisation(ctx context.Context, name, eori string) (f access.Founding, err error) {
	if eori != "" {
		parsed, err := ident.ParseEORI(eori)
		if err != nil {
			return f, apierr.Invalid(apierr.Detail{Field: "eori", Message: err.Error()})
		}
		eori = string(parsed)
	}
	user := access.User{ID: a.IDs.UUID(), Name: name}
	if err := a.Store.AddUser(ctx, user); err != nil {
		return f, err
	}
	org := tenant.ID(a.IDs.UUID())
	err = a.Store.Update(ctx, org, func(tx *store.Tx) error {
		f, err = a.Access.Found(tx, tenant.OperatorCall(org, user.ID), user.ID, name, access.Profile{EORI: eori})
		return err
	})
	return f, err
}

// ResetLink is the one-time address at which a user sets a new password.
func (a *App) ResetLink(ctx context.Context, email string) (string, error) {
	token, err := a.Accounts.MakeResetLink(ctx, email)
	if err != nil {
		return "", err
	}
	return a.address("/reset/" + token), nil
}

// ResetFactors removes the second factors of a user, who is signed out everywhere.
func (a *App) ResetFactors(ctx context.Context, email string) (removed int, err error) {
	return a.Accounts.ResetFactors(ctx, access.Visitor{Operator: true, RequestID: tenant.OperatorRequestID}, email)
}

// Invite asks somebody into an organisation, such as the first who signs in to one
// that was made by command, and gives the address to hand on.
func (a *App) Invite(ctx context.Context, org tenant.ID, email string, role tenant.Role) (string, error) {
	var token string
	err := a.within(ctx, org, func(tx *store.Tx, call tenant.Call) (err error) {
		_, token, err = a.Access.Invite(tx, call, email, role, access.DefaultInvitationDays)
		return err
	})
	if err != nil {
		return "", err
	}
	return a.address("/invitations/" + token), nil
}

// address is a path of the console as users reach it.
func (a *App) address(path string) string {
	base := a.Config.PublicURL
	if base == "" {
		base = a.Config.Scheme() + "://" + localhost(a.Config.Addr)
	}
	return strings.TrimRight(base, "/") + path
}

// UserRow is a user as the operator sees one.
type UserRow struct {
	access.User
	Memberships []access.Membership
}

// Users lists everybody who has an e-mail address, with their organisations.
func (a *App) Users(ctx context.Context) (rows []UserRow, err error) {
	var users []access.User
	err = a.Store.View(ctx, tenant.Operator, func(tx *store.Tx) (err error) { users, err = tx.Users(); return err })
	if err != nil {
		return nil, err
	}
	for _, u := range users {
		memberships, err := a.Store.Memberships(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		rows = append(rows, UserRow{u, memberships})
	}
	return rows, nil
}

// KeyRequest is a key that the operator asks for.
type KeyRequest struct {
	Name      string
	Role      tenant.Role
	Scopes    []string      // nil: what the role allows
	Addresses []string      // CIDRs; nil: anywhere
	Lifetime  time.Duration // 0: for ever
}

// IssueKey makes a key for the organisation's first owner.
func (a *App) IssueKey(ctx context.Context, org tenant.ID, r KeyRequest) (k access.Key, secret string, err error) {
	wanted := access.NewKey{Name: r.Name, Role: r.Role}
	if wanted.Scopes, err = access.ParseScopes(r.Scopes, hubIDs()); err != nil {
		return k, "", err
	}
	if wanted.Addresses, err = access.ParseAddresses(r.Addresses); err != nil {
		return k, "", err
	}
	err = a.within(ctx, org, func(tx *store.Tx, call tenant.Call) error {
		if r.Lifetime > 0 {
			wanted.ExpiresAt = tx.Now().Add(r.Lifetime)
		}
		k, secret, err = a.Access.IssueKey(tx, call, call.UserID, wanted)
		return err
	})
	return k, secret, err
}

// RotateKey gives a key a new secret; the former one works for access.Overlap.
func (a *App) RotateKey(ctx context.Context, org tenant.ID, id string) (k access.Key, secret string, err error) {
	err = a.within(ctx, org, func(tx *store.Tx, call tenant.Call) error {
		k, secret, err = a.Access.RotateKey(tx, call, id)
		return err
	})
	return k, secret, err
}

// Keys lists the keys of an organisation.
func (a *App) Keys(ctx context.Context, org tenant.ID) (keys []access.Key, err error) {
	err = a.within(ctx, org, func(tx *store.Tx, _ tenant.Call) error { keys, err = tx.Keys(); return err })
	return keys, err
}

// RevokeKey ends a key at once.
func (a *App) RevokeKey(ctx context.Context, org tenant.ID, id string) error {
	return a.within(ctx, org, func(tx *store.Tx, call tenant.Call) error { return a.Access.RevokeKey(tx, call, id) })
}

// within acts in an organisation that must exist, as its first owner; as the system in one that was
// deleted, which has no users.
func (a *App) within(ctx context.Context, org tenant.ID, fn func(*store.Tx, tenant.Call) error) error {
	if !ident.IsUUID(string(org)) {
		return apierr.New(apierr.NotFound, "%q is not the id of an organisation.", org)
	}
	return a.Store.Update(ctx, org, func(tx *store.Tx) error {
		owner, err := tx.FirstOwner()
		if apierr.Is(err, apierr.NotFound) {
			var deleted bool
			if deleted, err = tx.DataDeleted(); err != nil {
				return err
			}
			if deleted {
				return fn(tx, tenant.OperatorCall(org, tenant.SystemUser))
			}
			return apierr.New(apierr.NotFound, "There is no organisation %s.", org)
		} else if err != nil {
			return err
		}
		return fn(tx, tenant.OperatorCall(org, owner))
	})
}
