package operator

import (
	"context"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// CreateOrganisation creates an organisation with its first user and an OWNER key. The EORI may be empty.
func (o *Operator) CreateOrganisation(ctx context.Context, name, eori string) (f access.CreatedOrganisation, err error) {
	if eori != "" {
		parsed, err := ident.ParseEORI(eori)
		if err != nil {
			return f, apierr.Invalid(apierr.Detail{Field: "eori", Message: err.Error()})
		}
		eori = string(parsed)
	}
	user := access.User{ID: o.IDs.UUID(), Name: name}
	if err := o.Store.AddUser(ctx, user); err != nil {
		return f, err
	}
	org := tenant.ID(o.IDs.UUID())
	err = o.Store.Update(ctx, org, func(tx *store.Tx) error {
		f, err = o.Access.CreateOrganisation(tx, tenant.OperatorCall(org, user.ID), user.ID, name, access.Profile{EORI: eori})
		return err
	})
	return f, err
}

// CloseOrganisation closes an organisation as its first owner. The name must be the organisation's.
func (o *Operator) CloseOrganisation(ctx context.Context, org tenant.ID, name string) (access.Organisation, error) {
	call, err := o.callFor(ctx, org)
	if err != nil {
		return access.Organisation{}, err
	}
	return o.Closure.Close(ctx, call, "", name)
}

// RestoreOrganisation restores a closed organisation whose deletion has not begun.
func (o *Operator) RestoreOrganisation(ctx context.Context, org tenant.ID) (access.Organisation, error) {
	call, err := o.callFor(ctx, org)
	if err != nil {
		return access.Organisation{}, err
	}
	return o.Closure.Restore(ctx, call)
}

// ExportOrganisation writes a complete export of an organisation; of a deleted one, what still exists.
func (o *Operator) ExportOrganisation(ctx context.Context, org tenant.ID, out io.Writer) error {
	call, err := o.callFor(ctx, org)
	if err != nil {
		return err
	}
	return o.Archive.WriteNow(ctx, call, out)
}

// organisationsPage is how many organisations one statement reads.
const organisationsPage = 500

// EachOrganisation calls fn for every organisation, including those that are closed or deleted.
func (o *Operator) EachOrganisation(ctx context.Context, fn func(access.Organisation) error) error {
	for after := tenant.ID(""); ; {
		part, err := o.Store.OrganisationList(ctx, after, organisationsPage)
		if err != nil {
			return err
		}
		for _, org := range part {
			if err := fn(org); err != nil {
				return err
			}
			after = org.ID
		}
		if len(part) < organisationsPage {
			return nil
		}
	}
}

// VerifyDomain verifies a mail domain of an organisation without a DNS record, and returns it as it is stored.
func (o *Operator) VerifyDomain(ctx context.Context, org tenant.ID, domain string) (string, error) {
	err := o.Store.View(ctx, org, func(tx *store.Tx) error { _, err := tx.Organisation(); return err })
	if apierr.Is(err, apierr.NotFound) {
		return "", apierr.New(apierr.NotFound, "There is no organisation %s.", org)
	}
	if err != nil {
		return "", err
	}
	return o.Identity.VerifyDomain(ctx, tenant.OperatorCall(org, tenant.SystemUser), domain)
}

// KeyRequest describes a key to create.
type KeyRequest struct {
	Name      string
	Role      tenant.Role
	Scopes    []string      // nil for everything that the role allows
	Addresses []string      // CIDRs; nil for every address
	Lifetime  time.Duration // 0 for no end
	Test      bool          // a key of the test organisation, which is created at first use
}

// IssueKey creates a key for the organisation's first owner.
func (o *Operator) IssueKey(ctx context.Context, org tenant.ID, r KeyRequest) (k access.Key, secret string, err error) {
	wanted := access.NewKey{Name: r.Name, Role: r.Role}
	if wanted.Scopes, err = access.ParseScopes(r.Scopes, o.Hubs); err != nil {
		return k, "", err
	}
	if wanted.Addresses, err = access.ParseAddresses(r.Addresses); err != nil {
		return k, "", err
	}
	if r.Test {
		call, err := o.callFor(ctx, org)
		if err != nil {
			return k, "", err
		}
		if org, err = o.Sandboxes.Open(ctx, call); err != nil {
			return k, "", err
		}
	}
	err = o.updateAsOwner(ctx, org, func(tx *store.Tx, call tenant.Call) error {
		if r.Lifetime > 0 {
			wanted.ExpiresAt = tx.RealNow().Add(r.Lifetime)
		}
		k, secret, err = o.Access.IssueKey(tx, call, call.UserID, wanted)
		return err
	})
	return k, secret, err
}

// RotateKey gives a key a new secret. The old one works for access.Overlap.
func (o *Operator) RotateKey(ctx context.Context, org tenant.ID, id string) (k access.Key, secret string, err error) {
	err = o.updateAsOwner(ctx, org, func(tx *store.Tx, call tenant.Call) error {
		k, secret, err = o.Access.RotateKey(tx, call, id)
		return err
	})
	return k, secret, err
}

// Keys lists the keys of an organisation.
func (o *Operator) Keys(ctx context.Context, org tenant.ID) (keys []access.Key, err error) {
	err = o.updateAsOwner(ctx, org, func(tx *store.Tx, _ tenant.Call) error { keys, err = tx.Keys(); return err })
	return keys, err
}

// RevokeKey revokes a key immediately.
func (o *Operator) RevokeKey(ctx context.Context, org tenant.ID, id string) error {
	return o.updateAsOwner(ctx, org, func(tx *store.Tx, call tenant.Call) error { return o.Access.RevokeKey(tx, call, id) })
}
