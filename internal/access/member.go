package access

import (
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ChangeRole gives a user of the organisation another role. The last OWNER stays one.
func (s *Service) ChangeRole(tx Tx, call tenant.Call, userID string, role tenant.Role) error {
	if _, err := tenant.ParseRole(string(role)); err != nil {
		return apierr.Invalid(apierr.Detail{Field: "role", Message: "must be OWNER, MEMBER or VIEWER"})
	}
	before, err := s.dispensable(tx, userID, role)
	if err != nil || before == role {
		return err
	}
	if _, err := tx.SetRole(userID, role); err != nil {
		return err
	}
	return s.record(tx, call, RoleChanged, "user", userID, map[string]any{"before": before, "after": role})
}

// RemoveMember ends a user's membership, and with it the keys and the calendar feed
// that the user has here. The last OWNER stays.
func (s *Service) RemoveMember(tx Tx, call tenant.Call, userID string) error {
	role, err := s.dispensable(tx, userID, "")
	if err != nil {
		return err
	}
	keys, err := tx.Keys()
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k.UserID == userID && k.RevokedAt.IsZero() {
			if err := s.RevokeKey(tx, call, k.ID); err != nil {
				return err
			}
		}
	}
	if _, err := tx.RemoveFeed(userID); err != nil {
		return err
	}
	if _, err := tx.RemoveMember(userID); err != nil {
		return err
	}
	return s.record(tx, call, UserRemoved, "user", userID, map[string]any{"role": role})
}

// MayLeave refuses a change that would leave the organisation without an OWNER, or without the one for emergencies.
func (s *Service) MayLeave(tx Tx, userID string) error {
	_, err := s.dispensable(tx, userID, "")
	return err
}

// dispensable gives the role that a user has, unless the organisation would be left
// without an OWNER by a change of it.
func (s *Service) dispensable(tx Tx, userID string, wanted tenant.Role) (tenant.Role, error) {
	role, found, err := tx.Member(userID)
	if err != nil {
		return "", err
	}
	if !found {
		return "", apierr.Missing()
	}
	org, err := tx.Organisation()
	if err != nil {
		return "", err
	}
	if org.Policy.PasswordSignInOff && org.Policy.EmergencyOwnerID == userID && wanted != tenant.Owner {
		return "", apierr.New(apierr.InvalidState, "This OWNER may sign in by password in an emergency; name another OWNER for that first.")
	}
	if role != tenant.Owner || wanted == tenant.Owner {
		return role, nil
	}
	owners, err := tx.Owners()
	if err == nil && owners < 2 {
		err = apierr.New(apierr.InvalidState, "This is the last OWNER of the organisation; make another person OWNER first.")
	}
	return role, err
}
