package operator

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// User is a user with their organisations.
type User struct {
	access.User
	Memberships []access.Membership
}

// Users lists the users who have an e-mail address.
func (o *Operator) Users(ctx context.Context) (all []User, err error) {
	var users []access.User
	err = o.Store.View(ctx, tenant.Operator, func(tx *store.Tx) (err error) { users, err = tx.Users(); return err })
	if err != nil {
		return nil, err
	}
	for _, u := range users {
		memberships, err := o.Store.Memberships(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, User{u, memberships})
	}
	return all, nil
}

// Invite invites a user into an organisation, and returns the link to hand over. The first user of an organisation
// that was created by command signs in this way.
func (o *Operator) Invite(ctx context.Context, org tenant.ID, email string, role tenant.Role) (string, error) {
	var token string
	err := o.updateAsOwner(ctx, org, func(tx *store.Tx, call tenant.Call) (err error) {
		_, token, err = o.Access.Invite(tx, call, email, role, access.DefaultInvitationDays)
		return err
	})
	if err != nil {
		return "", err
	}
	return o.URL("/invitations/" + token), nil
}

// ResetLink returns the link with which a user sets a new password, once.
func (o *Operator) ResetLink(ctx context.Context, email string) (string, error) {
	token, err := o.Accounts.MakeResetLink(ctx, email)
	if err != nil {
		return "", err
	}
	return o.URL("/reset/" + token), nil
}

// SetUpLink returns the link with which the first user sets up a new installation, once; empty if a user can sign in.
func (o *Operator) SetUpLink(ctx context.Context) (string, error) {
	token, needed, err := o.Accounts.MakeSetUpLink(ctx)
	if err != nil || !needed {
		return "", err
	}
	return o.URL("/set-up/" + token), nil
}

// ResetFactors removes the second factors of a user and ends the user's sessions.
func (o *Operator) ResetFactors(ctx context.Context, email string) (removed int, err error) {
	return o.Accounts.ResetFactors(ctx, access.Visitor{Operator: true, RequestID: tenant.OperatorRequestID}, email)
}

// Erased is what an erasure changed in one organisation.
type Erased struct {
	Organisation tenant.ID `json:"organisationId"`
	erasure.Extent
}

// EraseUser erases an account and the personal values of its events. The name is its id or e-mail address. If it is
// interrupted, call it again with the id.
func (o *Operator) EraseUser(ctx context.Context, name string) (id string, all []Erased, err error) {
	u, orgs, err := o.Erasure.Account(ctx, name, erasure.ByOperator)
	if err != nil {
		return u.ID, nil, err
	}
	for _, org := range orgs {
		x, err := o.Erasure.Finish(ctx, org, u.ID, erasure.ByOperator)
		if err != nil {
			return u.ID, all, fmt.Errorf("the account %s is erased, but not all of its events. Run the command again with this id: %w", u.ID, err)
		}
		all = append(all, Erased{org, x})
	}
	return u.ID, all, nil
}
