package demo

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// visitor is the origin of the demo users' requests: the command line.
var visitor = access.Visitor{RequestID: requestID}

const requestID = "demo"

// enrol creates the account of the user who founds the organisations.
func (c *Company) enrol(ctx context.Context, p person, password string) (u access.User, err error) {
	u = access.User{ID: c.IDs.UUID(), Name: p.name}
	if u.Email, err = c.free(ctx, ownerEmail); err != nil {
		return u, err
	}
	if u.Password, err = c.Accounts.Hasher.Hash(ctx, password); err != nil {
		return u, err
	}
	return u, c.Accounts.Store.UpdateAccounts(ctx, func(d access.AccountTx) error { return d.AddUser(u) })
}

// free returns an unused email address, because a database can contain an earlier demo.
func (c *Company) free(ctx context.Context, email string) (string, error) {
	err := c.Accounts.Store.ViewAccounts(ctx, func(d access.AccountTx) error {
		if _, taken, err := d.UserByEmail(email); err != nil || !taken {
			return err
		}
		email = c.IDs.Text("0123456789", 6) + "-" + email
		return nil
	})
	return email, err
}

// join adds a colleague through an invitation.
func (c *Company) join(ctx context.Context, by tenant.Call, p person, password string) (Sign, tenant.Principal, error) {
	s, in := Sign{Role: p.role}, tenant.Principal{Org: by.Org, Role: p.role, Type: tenant.ByUser}
	var err error
	if s.Email, err = c.free(ctx, p.short+"@example.com"); err != nil {
		return s, in, err
	}
	var token string
	err = c.Store.UpdateDemo(ctx, by.Org, func(tx Tx) (err error) {
		_, token, err = c.Access.Invite(tx, by, s.Email, p.role, access.DefaultInvitationDays)
		return err
	})
	if err != nil {
		return s, in, err
	}
	session, err := c.Accounts.Join(ctx, visitor, token, p.name, password)
	if err != nil {
		return s, in, err
	}
	g, found, err := c.Accounts.Session(ctx, session, "")
	if err != nil || !found {
		return s, in, err
	}
	in.UserID = g.UserID
	return s, in, c.Accounts.SignOut(ctx, visitor, g)
}

// issue creates the organisation's further API keys.
func (c *Company) issue(tx Tx, by tenant.Call, keys []key) error {
	for _, k := range keys {
		var expires time.Time
		if k.days > 0 {
			expires = tx.Now().AddDate(0, 0, k.days)
		}
		made, _, err := c.Access.IssueKey(tx, by, by.UserID, access.NewKey{Name: k.name, Role: k.role, ExpiresAt: expires})
		if err == nil && k.revoked {
			err = c.Access.RevokeKey(tx, by, made.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
