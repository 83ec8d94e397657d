package portal

import (
	"context"
	"crypto/subtle"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/appearance"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// View reads what opening a link needs.
type View interface {
	PortalLink(id string) (l Link, found bool, err error)
	Organisation() (access.Organisation, error)
}

// Store finds links.
type Store interface {
	ViewPortal(ctx context.Context, org tenant.ID, fn func(View) error) error
	// MemberByID finds the rights that a member of an open organisation has now.
	MemberByID(ctx context.Context, org tenant.ID, userID string) (access.Holder, bool, error)
}

// Opened is a link that is in force, with its organisation.
type Opened struct {
	Link
	Maker        access.Holder // who made it, with the present rights
	Organisation string        // name
	Appearance   *appearance.PortalAppearance
}

// Role is what the holder of the link may do: a MEMBER's work on the endpoints that the link covers, or only look.
func (o *Opened) Role() tenant.Role {
	if o.ReadOnly {
		return tenant.Viewer
	}
	return tenant.Member
}

// ErrNoLink is the error of a token that opens nothing. It does not say why, so that nothing can be learned from it.
func ErrNoLink() error {
	return apierr.New(apierr.NotFound, "This link is not valid. It may have ended, or part of it is missing. Ask the organisation that gave it to you for a new one.")
}

// Open returns the link of a token. There is none if the link ended, was revoked or changed, if its organisation is closed, or if
// who made it is not an OWNER any more.
func Open(ctx context.Context, s Store, token string, now time.Time) (o *Opened, err error) {
	org, id, ok := readToken(token)
	if !ok {
		return nil, ErrNoLink()
	}
	o = &Opened{}
	err = s.ViewPortal(ctx, org, func(tx View) error {
		l, found, err := tx.PortalLink(id)
		if err != nil {
			return err
		}
		if !found || subtle.ConstantTimeCompare([]byte(l.Hash), []byte(hash(token))) != 1 || !now.Before(l.ExpiresAt) {
			return ErrNoLink()
		}
		described, err := tx.Organisation()
		o.Link, o.Organisation, o.Appearance = l, described.Name, described.Profile.Portal
		return err
	})
	if err != nil {
		return nil, err
	}
	found := false
	if o.Maker, found, err = s.MemberByID(ctx, org, o.CreatedBy); err != nil {
		return nil, err
	}
	if !found || !o.Maker.MemberRole.Covers(tenant.Owner) {
		return nil, ErrNoLink()
	}
	return o, nil
}
