package scim

import (
	"context"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Error is a refusal in SCIM's terms (RFC 7644, section 3.12).
type Error struct {
	Status int
	Type   string // scimType; empty for none
	Detail string
}

func (e *Error) Error() string { return e.Detail }

// Refuse makes an Error.
func Refuse(status int, kind, detail string) *Error { return &Error{status, kind, detail} }

func missing() *Error { return Refuse(404, "", "There is no such resource.") }

// Wanted is what a provider asks about a user; nil leaves a part as it is.
type Wanted struct {
	UserName   *string
	ExternalID *string
	Name       *string
	Email      *string
	Active     *bool
	Role       *tenant.Role
}

// Users lists the members of the organisation, and those whom SCIM has deactivated.
func (s *Service) Users(ctx context.Context, org tenant.ID) ([]User, error) {
	return s.Store.SCIMUsers(ctx, org, "", MaxUsers)
}

// User finds one of them.
func (s *Service) User(ctx context.Context, org tenant.ID, id string) (User, error) {
	all, err := s.Store.SCIMUsers(ctx, org, id, 1)
	if err == nil && len(all) == 0 {
		err = missing()
	}
	if err != nil {
		return User{}, err
	}
	return all[0], nil
}

// address is the mail address that a new user gets: the user name, or the first e-mail address.
func (w Wanted) address() (string, error) {
	email := ""
	if w.UserName != nil && strings.Contains(*w.UserName, "@") {
		email = *w.UserName
	} else if w.Email != nil {
		email = *w.Email
	}
	email, err := access.ParseEmail(email)
	if err != nil {
		return "", Refuse(400, "invalidValue", "userName must be an e-mail address of the form name@example.com, or emails must hold one.")
	}
	return email, nil
}

// Create makes a user a member. The account of a person who has one is used if the organisation has
// verified the mail domain.
func (s *Service) Create(ctx context.Context, call tenant.Call, w Wanted) (User, error) {
	if w.UserName == nil || *w.UserName == "" || len(*w.UserName) > maxText {
		return User{}, Refuse(400, "invalidValue", "userName must be given and have at most 254 characters.")
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
		return User{}, Refuse(400, "tooMany", "The organisation has as many users as it may have.")
	}
	for _, u := range all {
		if u.Email == email || strings.EqualFold(u.UserName, *w.UserName) {
			return User{}, Refuse(409, "uniqueness", "The organisation has a user with this userName.")
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
		return User{}, refused(err)
	}
	return s.User(ctx, call.Org, u.ID)
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// account finds or makes the account of a new user.
func (s *Service) account(ctx context.Context, call tenant.Call, email string, w Wanted) (u access.User, err error) {
	found := false
	err = s.Accounts.Register.ViewDesk(ctx, func(d access.Desk) (err error) { u, found, err = d.UserByEmail(email); return err })
	if err != nil {
		return u, err
	}
	if !found {
		u = access.User{ID: s.IDs.UUID(), Name: cmpName(text(w.Name), email), Email: email}
		u.Subject = "scim:" + string(call.Org) + "#" + u.ID // somebody can sign in: no invitation sets a password
		return u, s.Accounts.Register.UpdateDesk(ctx, func(d access.Desk) error { return d.AddUser(u) })
	}
	_, domain, _ := strings.Cut(email, "@")
	owner, verified, err := s.Store.DomainOwner(ctx, domain)
	if err != nil {
		return u, err
	}
	if !verified || owner != call.Org {
		return u, Refuse(409, "uniqueness", "A person with this userName has an account here. Verify the mail domain, or invite the person.")
	}
	return u, nil
}

func cmpName(name, otherwise string) string {
	if name = strings.TrimSpace(name); name == "" || len([]rune(name)) > maxText/2 {
		return otherwise
	}
	return name
}

// Change applies what a provider asks about a user. Name and user name of a person who belongs to
// another organisation too stay as they are, and a password is never taken.
func (s *Service) Change(ctx context.Context, call tenant.Call, id string, w Wanted) (User, error) {
	u, err := s.User(ctx, call.Org, id)
	if err != nil {
		return u, err
	}
	shared, err := s.shared(ctx, call.Org, id)
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
		return u, Refuse(400, "invalidValue", "externalId must have at most 254 characters.")
	}
	err = s.Store.UpdateSCIM(ctx, call.Org, func(tx Tx) error {
		u.UpdatedAt = tx.Now()
		if err := tx.PutSCIMUser(u); err != nil {
			return err
		}
		if err := s.activate(tx, call, u, w); err != nil {
			return err
		}
		return s.Accounts.Access.Record(tx, call, access.UserProvisioned, "user", id, map[string]any{"by": "SCIM"})
	})
	if err == nil && w.Active != nil && !*w.Active {
		err = s.Accounts.EndSessionsIn(ctx, call.Org, id)
	}
	if err != nil {
		return u, refused(err)
	}
	return s.User(ctx, call.Org, id)
}

// shared reports whether a person belongs to another organisation too.
func (s *Service) shared(ctx context.Context, org tenant.ID, id string) (bool, error) {
	all, err := s.Accounts.Register.Memberships(ctx, id)
	for _, m := range all {
		if m.Org != org {
			return true, err
		}
	}
	return false, err
}

func (s *Service) changeAccount(ctx context.Context, u *User, w Wanted) error {
	email := u.Email
	if w.UserName != nil && *w.UserName != u.UserName {
		if *w.UserName == "" || len(*w.UserName) > maxText {
			return Refuse(400, "invalidValue", "userName must have 1 to 254 characters.")
		}
		u.UserName = *w.UserName
		if parsed, err := access.ParseEmail(*w.UserName); err == nil {
			email = parsed
		}
	}
	name := u.Name
	if w.Name != nil {
		name = cmpName(*w.Name, u.Name)
	}
	if email == u.Email && name == u.Name {
		return nil
	}
	return s.Accounts.Register.UpdateDesk(ctx, func(d access.Desk) error {
		if other, taken, err := d.UserByEmail(email); err != nil || taken && other.ID != u.ID {
			if err == nil {
				err = Refuse(409, "uniqueness", "Another person has an account with this userName.")
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

// activate ends or renews the membership, and sets the role.
func (s *Service) activate(tx Tx, call tenant.Call, u User, w Wanted) error {
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
		return nil // the last OWNER stays one; a deactivated user has no role
	}
	return err
}

// Remove ends the membership and forgets the user.
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
	return refused(err)
}

// refused turns a refusal of ours into SCIM's terms; other errors are passed on.
func refused(err error) error {
	f, ok := apierr.As(err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return err
	case f.Code == apierr.NotFound:
		return missing()
	case f.Code == apierr.InvalidState:
		return Refuse(409, "", f.Message)
	case f.Code == apierr.InvalidRequest:
		return Refuse(400, "invalidValue", f.Message)
	}
	return err
}
