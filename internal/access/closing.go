package access

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Closing is the closure of an organisation: an OWNER closes it, its data is deleted after a
// delay, and protected records stay until their retention ends. The zero value means open.
type Closing struct {
	At          time.Time // when it was closed; zero for open
	DeleteAfter time.Time // when its data is deleted
	Begun       bool      // the deletion has started and cannot be undone
	DeletedAt   time.Time // when the deletion finished; zero before
}

// Closed reports whether the organisation is closed.
func (c Closing) Closed() bool { return !c.At.IsZero() }

// opens reports whether a member may open the organisation. An OWNER may until the deletion
// starts, to restore it or to download its data.
func (c Closing) opens(role tenant.Role) bool {
	return !c.Closed() || !c.Begun && role == tenant.Owner
}

// RefuseClosed is the error of actions that a closed organisation does not allow.
func RefuseClosed() error {
	return apierr.New(apierr.InvalidState, "The organisation is closed. An OWNER can restore it until its data is deleted.")
}

// refuseClosed returns an error if the organisation is closed.
func refuseClosed(tx Tx) error {
	org, err := tx.Organisation()
	if err == nil && org.Closing.Closed() {
		err = RefuseClosed()
	}
	return err
}

// EndAccess revokes all access except that of OWNERs in the console: API keys, calendar feeds,
// open invitations, the SCIM token, unsent mails, and sessions except keep. It is not undone when
// the organisation is restored. It returns the number of each.
func (s *Service) EndAccess(tx Tx, call tenant.Call, sessions []MemberSession, keep string) (ended map[string]int64, err error) {
	ended = map[string]int64{}
	keys, err := tx.Keys()
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if !k.RevokedAt.IsZero() {
			continue
		}
		if err := s.RevokeKey(tx, call, k.ID); err != nil {
			return nil, err
		}
		ended["keys"]++
	}
	invitations, err := tx.Invitations()
	if err != nil {
		return nil, err
	}
	for _, i := range invitations {
		if err := s.WithdrawInvitation(tx, call, i.ID); err != nil {
			return nil, err
		}
		ended["invitations"]++
	}
	for _, m := range sessions {
		if m.ID == keep {
			continue
		}
		if err := tx.EndSessionInOrg(m.ID, call.UserID); err != nil {
			return nil, err
		}
		ended["sessions"]++
	}
	if ended["feeds"], err = tx.RemoveFeeds(); err != nil {
		return nil, err
	}
	if ended["portalLinks"], err = tx.RemovePortalLinks(""); err != nil {
		return nil, err
	}
	if ended["scimTokens"], err = tx.RemoveSCIMToken(); err != nil {
		return nil, err
	}
	ended["mails"], err = tx.RemoveMails()
	return ended, err
}
