package scim

import (
	"context"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Error is an error in SCIM's format (RFC 7644, section 3.12).
type Error struct {
	Status int
	Type   string // scimType; empty for none
	Detail string
}

func (e *Error) Error() string { return e.Detail }

// NewError returns an Error.
func NewError(status int, kind, detail string) *Error { return &Error{status, kind, detail} }

func errNotFound() *Error { return NewError(404, "", "The resource does not exist.") }

// UserChange is a change to a user; nil fields stay unchanged.
type UserChange struct {
	UserName   *string
	ExternalID *string
	Name       *string
	Email      *string
	Active     *bool
	Role       *tenant.Role
}

// Users lists the members of the organisation, and those that SCIM has deactivated.
func (s *Service) Users(ctx context.Context, org tenant.ID) ([]User, error) {
	return s.Store.SCIMUsers(ctx, org, "", MaxUsers)
}

// User returns one user.
func (s *Service) User(ctx context.Context, org tenant.ID, id string) (User, error) {
	all, err := s.Store.SCIMUsers(ctx, org, id, 1)
	if err == nil && len(all) == 0 {
		err = errNotFound()
	}
	if err != nil {
		return User{}, err
	}
	return all[0], nil
}

// address returns the mail address of a new user: the user name, or the first e-mail address.
func (w UserChange) address() (string, error) {
	email := ""
	if w.UserName != nil && strings.Contains(*w.UserName, "@") {
		email = *w.UserName
	} else if w.Email != nil {
		email = *w.Email
	}
	email, err := access.ParseEmail(email)
	if err != nil {
		return "", NewError(400, "invalidValue", "userName must be an e-mail address of the form name@example.com, or emails must contain one.")
	}
	return email, nil
}

// Create adds a member. An existing account is used if the organisation has verified the mail
// domain.
func (s *Service) Create(ctx context.Context, call tenant.Call, w UserChange) (User, error) {
	if w.UserName == nil || *w.UserName == "" || len(*w.UserName) > maxText {
		return User{}, NewError(400, "invalidValue", "userName is required and must have at most 254 characters.")
	}
	email, err := w.address()
	if err != nil {
		return User{}, err
	}
	all, err := s.Users(ctx, call.Org)
	if err != nil {
		return User{}, err
	}
	if len(all) >= MaxUsers {
		return User{}, NewError(400, "tooMany", "The organisation has reached its maximum number of users.")
	}
	for _, u := range all {
		if u.Email == email || strings.EqualFold(u.UserName, *w.UserName) {
			return User{}, NewError(409, "uniqueness", "A user with this userName already exists in the organisation.")
		}
	}
	account, err := s.account(ctx, call, email, w)
	if err != nil {
		return User{}, err
	}
	u := User{ID: account.ID, UserName: *w.UserName, ExternalID: text(w.ExternalID)}
	err = s.Store.UpdateSCIM(ctx, call.Org, func(tx Tx) error {
		t, _, err := tx.SCIMToken()
		if err != nil {
			return err
		}
		u.UpdatedAt = tx.Now()
		if err := tx.PutSCIMUser(u); err != nil {
			return err
		}
		role := t.Settings.DefaultRole
		if w.Role != nil {
			role = *w.Role
		}
		if err := s.Accounts.Access.JoinByProvider(tx, call, u.ID, role, "SCIM"); err != nil {
			return err
		}
		if w.Active == nil || *w.Active {
			return nil
		}
		return s.Accounts.Access.RemoveMember(tx, call, u.ID)
	})
	if err != nil {
		return User{}, toSCIMError(err)
	}
	return s.User(ctx, call.Org, u.ID)
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// account returns the account of a new user, or creates one.
func (s *Service) account(ctx context.Context, call tenant.Call, email string, w UserChange) (u access.User, err error) {
	found := false
	err = s.Accounts.Store.ViewAccounts(ctx, func(d access.AccountTx) (err error) { u, found, err = d.UserByEmail(email); return err })
	if err != nil {
		return u, err
	}
	if !found {
		u = access.User{ID: s.IDs.UUID(), Name: nameOr(text(w.Name), email), Email: email}
		u.Subject = "scim:" + string(call.Org) + "#" + u.ID // with a subject, an invitation cannot set a password
		return u, s.Accounts.Store.UpdateAccounts(ctx, func(d access.AccountTx) error { return d.AddUser(u) })
	}
	_, domain, _ := strings.Cut(email, "@")
	owner, verified, err := s.Store.DomainOwner(ctx, domain)
	if err != nil {
		return u, err
	}
	if !verified || owner != call.Org {
		return u, NewError(409, "uniqueness", "An account with this userName already exists. Verify the mail domain, or invite the person.")
	}
	return u, nil
}

func nameOr(name, otherwise string) string {
	if name = strings.TrimSpace(name); name == "" || len([]rune(name)) > maxText/2 {
		return otherwise
	}
	return name
}

// Change changes a user. Name and user name of a person who belongs to another organisation too do
// not change, and passwords are ignored.
func (s *Service) Change(ctx context.Context, call tenant.Call, id string, w UserChange) (User, error) {
	u, err := s.User(ctx, call.Org, id)
	if err != nil {
		return u, err
	}
	shared, err := s.isInOtherOrganisation(ctx, call.Org, id)
	if err != nil {
		return u, err
	}
	if !shared {
		if err := s.changeAccount(ctx, &u, w); err != nil {
			return u, err
		}
	}
	if w.ExternalID != nil {
		u.ExternalID = *w.ExternalID
	}
	if len(u.ExternalID) > maxText {
		return u, NewError(400, "invalidValue", "externalId must have at most 254 characters.")
	}
	err = s.Store.UpdateSCIM(ctx, call.Org, func(tx Tx) error {
		u.UpdatedAt = tx.Now()
		if err := tx.PutSCIMUser(u); err != nil {
			return err
		}
		if err := s.setActive(tx, call, u, w); err != nil {
			return err
		}
		return s.Accounts.Access.Record(tx, call, access.UserProvisioned, "user", id, map[string]any{"by": "SCIM"})
	})
	if err == nil && w.Active != nil && !*w.Active {
		err = s.Accounts.EndSessionsIn(ctx, call.Org, id)
	}
	if err != nil {
		return u, toSCIMError(err)
	}
	return s.User(ctx, call.Org, id)
}

// isInOtherOrganisation reports whether a person also belongs to another organisation.
func (s *Service) isInOtherOrganisation(ctx context.Context, org tenant.ID, id string) (bool, error) {
	all, err := s.Accounts.Store.Memberships(ctx, id)
	for _, m := range all {
		if m.Org != org {
			return true, err
		}
	}
	return false, err
}

func (s *Service) changeAccount(ctx context.Context, u *User, w UserChange) error {
	email := u.Email
	if w.UserName != nil && *w.UserName != u.UserName {
		if *w.UserName == "" || len(*w.UserName) > maxText {
			return NewError(400, "invalidValue", "userName must have 1 to 254 characters.")
		}
		u.UserName = *w.UserName
		if parsed, err := access.ParseEmail(*w.UserName); err == nil {
			email = parsed
		}
	}
	name := u.Name
	if w.Name != nil {
		name = nameOr(*w.Name, u.Name)
	}
	if email == u.Email && name == u.Name {
		return nil
	}
	return s.Accounts.Store.UpdateAccounts(ctx, func(d access.AccountTx) error {
		if other, taken, err := d.UserByEmail(email); err != nil || taken && other.ID != u.ID {
			if err == nil {
				err = NewError(409, "uniqueness", "Another account with this userName already exists.")
			}
			return err
		}
		account, found, err := d.User(u.ID)
		if err != nil || !found {
			return err
		}
		account.Email, account.Name = email, name
		return d.SaveUser(account)
	})
}

// setActive ends or renews the membership, and sets the role.
func (s *Service) setActive(tx Tx, call tenant.Call, u User, w UserChange) error {
	active := u.Active
	if w.Active != nil {
		active = *w.Active
	}
	switch {
	case !active && u.Active:
		return s.Accounts.Access.RemoveMember(tx, call, u.ID)
	case active && !u.Active:
		role, err := s.roleOf(tx, u.ID, u.Role)
		if err != nil {
			return err
		}
		return s.Accounts.Access.JoinByProvider(tx, call, u.ID, role, "SCIM")
	case active && w.Role != nil:
		return s.setRole(tx, call, u.ID, *w.Role)
	}
	return nil
}

func (s *Service) setRole(tx Tx, call tenant.Call, id string, role tenant.Role) error {
	err := s.Accounts.Access.ChangeRole(tx, call, id, role)
	if apierr.Is(err, apierr.InvalidState) || apierr.Is(err, apierr.NotFound) {
		return nil // the last OWNER keeps the role; a deactivated user has none
	}
	return err
}

// Remove ends the membership and deletes the user's SCIM data.
func (s *Service) Remove(ctx context.Context, call tenant.Call, id string) error {
	u, err := s.User(ctx, call.Org, id)
	if err != nil {
		return err
	}
	err = s.Store.UpdateSCIM(ctx, call.Org, func(tx Tx) error {
		if u.Active {
			if err := s.Accounts.Access.RemoveMember(tx, call, id); err != nil {
				return err
			}
		}
		return tx.RemoveSCIMUser(id)
	})
	if err == nil {
		err = s.Accounts.EndSessionsIn(ctx, call.Org, id)
	}
	return toSCIMError(err)
}

// toSCIMError converts an apierr.Error to an Error; other errors are returned unchanged.
func toSCIMError(err error) error {
	f, ok := apierr.As(err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return err
	case f.Code == apierr.NotFound:
		return errNotFound()
	case f.Code == apierr.InvalidState:
		return NewError(409, "", f.Message)
	case f.Code == apierr.InvalidRequest:
		return NewError(400, "invalidValue", f.Message)
	}
	return err
}
