package access

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	// ClaimPath is the page of the console on which a sandbox is claimed; the token follows.
	ClaimPath = "/claim/"
	// SandboxLife is how long a sandbox without an account works unless it is claimed.
	SandboxLife = 7 * 24 * time.Hour
	// sandboxName is the name of its organisation, user and key.
	sandboxName = "Sandbox"
	// sandboxEORI has the form of an EORI, so that declarations can be submitted at once. It reaches no authority.
	sandboxEORI = "GB123456789000"
)

// Sandbox is a new test organisation without an account.
type Sandbox struct {
	Org        tenant.ID
	Secret     string // of its first key; shown once
	ClaimToken string // of the link with which an OWNER claims it; shown once
	ExpiresAt  time.Time
}

// CreateSandbox creates a test organisation without a live one. Its only member is a user who cannot sign in.
func (s *Sandboxes) CreateSandbox(ctx context.Context, call tenant.Call) (created Sandbox, err error) {
	u := User{ID: s.Access.IDs.UUID(), Name: sandboxName}
	if err := s.Store.AddUser(ctx, u); err != nil {
		return created, err
	}
	created = Sandbox{Org: tenant.TestID(s.Access.IDs.UUID()), ClaimToken: newToken(s.Access.IDs)}
	call.Principal = tenant.Principal{Org: created.Org, UserID: u.ID, Role: tenant.Owner, Type: tenant.ByUser}
	err = s.Store.UpdateAccess(ctx, created.Org, func(tx Tx) error {
		now := tx.Now()
		created.ExpiresAt = now.Add(SandboxLife)
		org := Organisation{ID: created.Org, Name: sandboxName, Profile: Profile{EORI: sandboxEORI}, Hubs: Hubs{FoundationalHub: now}, CreatedAt: now, UpdatedAt: now}
		if err := tx.AddOrganisation(org); err != nil {
			return err
		}
		if err := tx.AddTestOrganisation(TestOrganisation{Test: true, ExpiresAt: created.ExpiresAt, ClaimHash: Hash(created.ClaimToken)}); err != nil {
			return err
		}
		if err := tx.AddMember(u.ID, tenant.Owner); err != nil {
			return err
		}
		err := s.Access.record(tx, call, OrganisationCreated, "organisation", string(created.Org), map[string]any{"name": org.Name, "expiresAt": audit.Instant(created.ExpiresAt)})
		if err != nil {
			return err
		}
		if err := s.Access.record(tx, call, UserAdded, "user", u.ID, map[string]any{"role": tenant.Owner}); err != nil {
			return err
		}
		_, created.Secret, err = s.Access.IssueKeyForAYear(tx, call, NewKey{Name: sandboxName, Role: tenant.Owner})
		return err
	})
	return created, err
}

// errClaimed is the error of a link to a sandbox that was claimed or has ended.
func errClaimed() error {
	return apierr.New(apierr.NotFound, "This link is not valid: the sandbox was claimed already, or its 7 days are over.")
}

// Claimable returns the sandbox of a claim link, and until when it can be claimed.
func (s *Sandboxes) Claimable(ctx context.Context, token string) (org tenant.ID, expiresAt time.Time, err error) {
	org, expiresAt, found, err := s.Store.SandboxByHash(ctx, Hash(token))
	if err == nil && !found {
		err = errClaimed()
	}
	return org, expiresAt, err
}

// CheckClaim returns an error if an organisation cannot claim a sandbox, because it has a test organisation already.
func (s *Sandboxes) CheckClaim(ctx context.Context, live tenant.ID) error {
	_, found, err := s.Store.TestOf(ctx, live)
	if err == nil && found {
		err = apierr.New(apierr.InvalidState, "Your organisation already has a test organisation. Open another of your organisations to claim the sandbox for it.")
	}
	return err
}

// Claim makes a sandbox the test organisation of a live one. Its keys and feeds continue to work, and belong to the user
// of the call, who must be an OWNER.
func (s *Sandboxes) Claim(ctx context.Context, call tenant.Call, live tenant.ID, token string) error {
	org, _, err := s.Claimable(ctx, token)
	if err != nil {
		return err
	}
	if err := s.CheckClaim(ctx, live); err != nil {
		return err
	}
	call.Org = org
	return s.Store.UpdateAccess(ctx, org, func(tx Tx) error {
		claimed, err := tx.ClaimTest(live, Hash(token))
		if err != nil {
			return err
		}
		if !claimed {
			return errClaimed()
		}
		if err := s.Access.transferKeys(tx, call); err != nil {
			return err
		}
		return s.Access.record(tx, call, SandboxClaimed, "organisation", string(org), map[string]any{"liveOrganisationId": live})
	})
}

// transferKeys gives the keys and feeds of a claimed sandbox to the user of the call.
func (s *Service) transferKeys(tx Tx, call tenant.Call) error {
	if err := s.noteMember(tx, call, call.UserID); err != nil {
		return err
	}
	if err := tx.TransferKeys(call.UserID); err != nil {
		return err
	}
	keys, err := tx.Keys()
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := s.record(tx, call, KeyTransferred, "key", k.ID, map[string]any{"userId": call.UserID}); err != nil {
			return err
		}
	}
	return nil
}
