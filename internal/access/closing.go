package access

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Closing is the end of an organisation, in steps: an OWNER closes it, its data is deleted
// after a delay, and records that have to be kept stay until their retention ends. The zero
// value is that of an organisation that is open.
type Closing struct {
	At          time.Time // when it was closed; zero for open
	DeleteAfter time.Time // when its data is deleted
	Begun       bool      // whether the deletion has begun; then nothing brings the data back
	DeletedAt   time.Time // when the deletion was done; zero before
}

// Closed reports whether the organisation is closed.
func (c Closing) Closed() bool { return !c.At.IsZero() }

// opens reports whether a member with a role may still see the organisation: an OWNER may
// until the deletion begins, to restore it or to fetch its data.
func (c Closing) opens(role tenant.Role) bool {
	return !c.Closed() || !c.Begun && role == tenant.Owner
}

// RefuseClosed is the error of what a closed organisation cannot do.
func RefuseClosed() error {
	return apierr.New(apierr.InvalidState, "The organisation is closed. An OWNER can restore it until its data is deleted.")
}

// refuseClosed refuses what lets somebody into a closed organisation.
func refuseClosed(tx Tx) error {
	org, err := tx.Organisation()
	if err == nil && org.Closing.Closed() {
		err = RefuseClosed()
	}
	return err
}

// EndAccess ends every way into the organisation but that of its OWNERs in the console: API
// keys, calendar feeds, open invitations, the SCIM token, mails that wait, and sessions other
// than the one to keep. All of them stay ended when the organisation is restored. It returns
// how many of each were ended.
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
		if err := tx.EndSessionHere(m.ID, call.UserID); err != nil {
			return nil, err
		}
		ended["sessions"]++
	}
	if ended["feeds"], err = tx.RemoveFeeds(); err != nil {
		return nil, err
	}
	if ended["scimTokens"], err = tx.RemoveSCIMToken(); err != nil {
		return nil, err
	}
	ended["mails"], err = tx.RemoveMails()
	return ended, err
}
