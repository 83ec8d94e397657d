package access

import (
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ChangeRole changes the role of a member. The last OWNER cannot be changed.
func (s *Service) ChangeRole(tx Tx, call tenant.Call, userID string, role tenant.Role) error {
	if _, err := tenant.ParseRole(string(role)); err != nil {
		return apierr.Invalid(apierr.Detail{Field: "role", Message: "must be OWNER, MEMBER or VIEWER"})
	}
	before, err := s.roleIfReplaceable(tx, userID, role)
	if err != nil || before == role {
		return err
	}
	if _, err := tx.SetRole(userID, role); err != nil {
		return err
	}
	return s.record(tx, call, RoleChanged, "user", userID, map[string]any{"before": before, "after": role})
}

// RemoveMember ends a membership and revokes the user's keys, calendar feed and links to the
// webhook portal in the organisation. The last OWNER cannot be removed.
func (s *Service) RemoveMember(tx Tx, call tenant.Call, userID string) error {
	role, err := s.roleIfReplaceable(tx, userID, "")
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
	if _, err := tx.RemovePortalLinks(userID); err != nil {
		return err
	}
	if _, err := tx.RemoveMember(userID); err != nil {
		return err
	}
	return s.record(tx, call, UserRemoved, "user", userID, map[string]any{"role": role})
}

// CheckCanLeave returns an error if the organisation would be left without an OWNER, or without the one for emergencies.
func (s *Service) CheckCanLeave(tx Tx, userID string) error {
	_, err := s.roleIfReplaceable(tx, userID, "")
	return err
}

// roleIfReplaceable returns the role of a user, or an error if changing it would leave the organisation
// without an OWNER.
func (s *Service) roleIfReplaceable(tx Tx, userID string, wanted tenant.Role) (tenant.Role, error) {
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
		return "", apierr.New(apierr.InvalidState, "This OWNER is the one for emergencies. Choose another OWNER for emergencies first.")
	}
	if role != tenant.Owner || wanted == tenant.Owner {
		return role, nil
	}
	owners, err := tx.Owners()
	if err == nil && owners < 2 {
		err = apierr.New(apierr.InvalidState, "This is the last OWNER of the organisation. Make another person OWNER first.")
	}
	return role, err
}
