package access

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// TestOrganisation is what makes an organisation a test organisation. The zero value belongs to a live one.
type TestOrganisation struct {
	Test      bool
	Live      tenant.ID // whose members it has; empty for a sandbox without an account
	Clock     time.Time // at which its test clock stands; zero for real time
	ExpiresAt time.Time // when a sandbox without an account ends
	ClaimHash string    // of the token with which a sandbox is claimed; only set when it is created
}

// SandboxStore finds the test organisations of live ones, and opens transactions.
type SandboxStore interface {
	ViewAccess(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateAccess(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// AddUser stores a user, who belongs to the operator.
	AddUser(ctx context.Context, u User) error
	// SandboxByHash returns the sandbox with the hash of a claim token, unless it has ended.
	SandboxByHash(ctx context.Context, hash string) (org tenant.ID, expiresAt time.Time, found bool, err error)
	// TestOf returns the test organisation of a live one.
	TestOf(ctx context.Context, live tenant.ID) (test tenant.ID, found bool, err error)
}

// Sandboxes creates test organisations.
type Sandboxes struct {
	Store  SandboxStore
	Access *Service
}

// Open returns the test organisation of the call's organisation, and creates it at its first use. The test
// organisation of a test organisation is itself.
func (s *Sandboxes) Open(ctx context.Context, call tenant.Call) (tenant.ID, error) {
	var live Organisation
	var self TestOrganisation
	err := s.Store.ViewAccess(ctx, call.Org, func(tx Tx) (err error) {
		self = tx.Test()
		live, err = tx.Organisation()
		return err
	})
	if err != nil || self.Test {
		return call.Org, err
	}
	if live.Closing.Closed() {
		return "", RefuseClosed()
	}
	if test, found, err := s.Store.TestOf(ctx, live.ID); err != nil {
		return "", err
	} else if found {
		return test, s.reopen(ctx, test)
	}
	created := tenant.TestID(s.Access.IDs.UUID())
	call.Org = created
	err = s.Store.UpdateAccess(ctx, created, func(tx Tx) error { return s.Access.foundTest(tx, call, live) })
	if err == nil {
		return created, nil
	}
	// Another request may have created it at the same time.
	if test, found, lookup := s.Store.TestOf(ctx, live.ID); lookup == nil && found {
		return test, nil
	}
	return "", err
}

// reopen opens a test organisation that was closed with its live one, if restoring that was interrupted.
func (s *Sandboxes) reopen(ctx context.Context, test tenant.ID) error {
	var org Organisation
	err := s.Store.ViewAccess(ctx, test, func(tx Tx) (err error) { org, err = tx.Organisation(); return err })
	if err != nil || !org.Closing.Closed() {
		return err
	}
	return s.Store.UpdateAccess(ctx, test, func(tx Tx) error {
		restored, err := tx.RestoreOrganisation()
		if err == nil && !restored {
			err = apierr.New(apierr.InvalidState, "The data of the former test organisation is being deleted. Try again in some minutes.")
		}
		return err
	})
}

// foundTest creates the test organisation of a live one, in a transaction of the new organisation.
func (s *Service) foundTest(tx Tx, call tenant.Call, live Organisation) error {
	now := tx.Now()
	org := Organisation{
		ID: tx.Org(), Name: live.Name, Profile: Profile{EORI: live.Profile.EORI}, Hubs: Hubs{FoundationalHub: now}, CreatedAt: now, UpdatedAt: now,
	}
	if err := tx.AddOrganisation(org); err != nil {
		return err
	}
	if err := tx.AddTestOrganisation(TestOrganisation{Test: true, Live: live.ID}); err != nil {
		return err
	}
	return s.record(tx, call, OrganisationCreated, "organisation", string(org.ID), map[string]any{"name": org.Name, "liveOrganisationId": live.ID})
}

// noteMember prepares a test organisation for rows that refer to a member of its live one, with an audit event.
func (s *Service) noteMember(tx Tx, call tenant.Call, userID string) error {
	test := tx.Test()
	if test.Live == "" {
		return nil
	}
	added, err := tx.NoteMember(userID)
	if err != nil || !added {
		return err
	}
	return s.record(tx, call, UserAdded, "user", userID, map[string]any{"by": "live organisation", "liveOrganisationId": test.Live})
}

// OpenTest opens the test organisation of the session's organisation in the session.
func (a *Accounts) OpenTest(ctx context.Context, v Visitor, g Session, sandboxes *Sandboxes) error {
	if g.Role == "" {
		return apierr.Missing()
	}
	call := v.call(g.Principal())
	test, err := sandboxes.Open(ctx, call)
	if err != nil {
		return err
	}
	call.Org = test
	err = a.Store.UpdateAccess(ctx, test, func(tx Tx) error { return a.Access.noteMember(tx, call, g.UserID) })
	if err != nil {
		return err
	}
	return a.Store.UpdateAccounts(ctx, func(d AccountTx) error { return d.SetSessionOrg(g.ID, test) })
}

// CloseTest returns the session from a test organisation to its live one.
func (a *Accounts) CloseTest(ctx context.Context, g Session) error {
	if g.Live == "" {
		return apierr.Missing()
	}
	return a.Store.UpdateAccounts(ctx, func(d AccountTx) error { return d.SetSessionOrg(g.ID, g.Live) })
}
