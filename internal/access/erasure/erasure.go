// Package erasure erases the personal data of a person: the account, data in organisations besides their records, and
// the personal values of audit events. Records, and events of older versions, stay as long as the law requires.
package erasure

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Ground is the legal basis for retaining personal values in older events and records.
const Ground = "UK GDPR Article 17(3)(b): customs law requires such records to be kept for four years, and VAT law for six"

// Who requests an erasure.
const (
	ByPerson   = "person"
	ByOwner    = "OWNER"
	ByOperator = "operator"
	ByDeletion = "deletion" // automatic, when the data of the last organisation is deleted
)

// Limits of one erasure.
const (
	maxOrganisations = 1000 // of a person
	maxFormer        = 200  // listed former members
	maxInvitations   = 1000 // of a person in an organisation
)

// Tx reads and erases in one organisation.
type Tx interface {
	access.Tx
	// EventsBy returns events that a user caused, after one of them, in the order of Hub, type and sequence.
	EventsBy(userID string, after audit.Event, limit int) ([]audit.Event, error)
	// EventsAbout returns events of a record before a sequence, newest first; 0 for all.
	EventsAbout(resourceID string, before int64, limit int) ([]audit.Event, error)
	// SavePersonal stores the remaining personal values of an event.
	SavePersonal(e *audit.Event) error
	// RecordsOnHold returns which of some records are under a legal hold; all if the organisation is.
	RecordsOnHold(recordIDs []string) (map[string]bool, error)
	WasMember(userID string) (bool, error)
	// InvitationsOf lists the ids of the invitations of an e-mail address.
	InvitationsOf(email string, limit int) ([]string, error)
	// EraseMember erases a person's data in the organisation except records and events. In invitations, invitee replaces
	// the e-mail address.
	EraseMember(userID, email, invitee string) error
	Enqueue(jobs.Job) error
	Attempts(queue, subject string) (int64, error)
	FinishJob(jobs.Job) error
	RetryJob(j jobs.Job, at time.Time, problem string) error
	// DropJob deletes a job that has not been started.
	DropJob(queue, subject string) error
}

// Store opens transactions and runs queries over all organisations.
type Store interface {
	ViewErasure(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateErasure(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// OrganisationsOf lists organisations that a person belongs to, has left, or is invited to.
	OrganisationsOf(ctx context.Context, userID, email string, limit int) ([]tenant.ID, error)
	// FormerMembers lists people who left an organisation and were not erased in it, latest first.
	FormerMembers(ctx context.Context, org tenant.ID, limit int) ([]access.Member, error)
	// EraseUser erases an account except its ID.
	EraseUser(ctx context.Context, userID, email string) error
}

// Service erases people.
type Service struct {
	Store    Store
	Accounts access.AccountStore
	Access   *access.Service
	IDs      *ident.Source
	Now      func() time.Time
	KeptFor  func(time.Time) time.Time // returns how long an event of a time is retained
}

// Extent is the number of values that an erasure removes, and what stays.
type Extent struct {
	Values int64     `json:"values"`               // personal values of events
	Older  int64     `json:"olderEvents"`          // events of older versions, which keep their values
	Until  time.Time `json:"keptUntil,omitzero"`   // when the retention of the last of these events ends
	Held   int64     `json:"heldEvents"`           // events under a legal hold; erased when it is lifted
	More   bool      `json:"more,omitempty"`       // not all events were counted
	Ground string    `json:"legalGround,omitzero"` // why older events stay
}

func (x *Extent) add(o Extent) {
	x.Values, x.Older, x.Held, x.More = x.Values+o.Values, x.Older+o.Older, x.Held+o.Held, x.More || o.More
	if o.Until.After(x.Until) {
		x.Until = o.Until
	}
	if x.Older > 0 {
		x.Ground = Ground
	}
}

// Sentences describe what is removed and what stays.
func (x Extent) Sentences() []string {
	all := []string{fmt.Sprintf("Personal values of audit events that are removed: %d. The events stay, and the audit trail still verifies.", x.Values)}
	if x.More {
		all = append(all, "There are more events than were counted here. All of them are processed.")
	}
	if x.Older > 0 {
		all = append(all, fmt.Sprintf("Older events that keep their values: %d, until %s at the latest. Legal ground: %s.", x.Older, x.Until.Format("2 January 2006"), x.Ground))
	}
	if x.Held > 0 {
		all = append(all, fmt.Sprintf("Events under a legal hold: %d. Their values are removed when the hold is lifted.", x.Held))
	}
	return append(all, "Filed records and the responses of HMRC stay for as long as customs and VAT law require.")
}

// FormerMembers lists people who have left an organisation.
func (s *Service) FormerMembers(ctx context.Context, org tenant.ID) ([]access.Member, error) {
	return s.Store.FormerMembers(ctx, org, maxFormer)
}

// user returns an account by its ID or e-mail address.
func (s *Service) user(ctx context.Context, name string) (u access.User, err error) {
	found := false
	err = s.Accounts.ViewAccounts(ctx, func(d access.AccountTx) (err error) {
		if ident.IsUUID(name) {
			u, found, err = d.User(name)
		} else {
			u, found, err = d.UserByEmail(access.NormalEmail(name))
		}
		return err
	})
	if err == nil && !found {
		err = apierr.New(apierr.NotFound, "The user %s does not exist.", name)
	}
	return u, err
}

// Preview counts what the erasure of a whole account would remove.
func (s *Service) Preview(ctx context.Context, userID string) (x Extent, err error) {
	u, err := s.user(ctx, userID)
	if err != nil {
		return x, err
	}
	orgs, err := s.Store.OrganisationsOf(ctx, u.ID, u.Email, maxOrganisations)
	for _, org := range orgs {
		if err != nil {
			return x, err
		}
		var here Extent
		here, err = s.PreviewHere(ctx, org, u)
		x.add(here)
	}
	return x, err
}

// PreviewHere counts what the erasure of a person would remove from the events of one organisation.
func (s *Service) PreviewHere(ctx context.Context, org tenant.ID, u access.User) (Extent, error) {
	w := walker{service: s, org: org, userID: u.ID, email: u.Email, most: previewPages}
	return w.run(ctx)
}

// Account erases an account in all organisations at once, except for the events, which a job of each organisation
// processes. name is the ID or the e-mail address. The last OWNER of an organisation cannot be erased.
func (s *Service) Account(ctx context.Context, name, by string) (u access.User, orgs []tenant.ID, err error) {
	if u, err = s.user(ctx, name); err != nil {
		return u, nil, err
	}
	if err := s.mayLeave(ctx, u.ID); err != nil {
		return u, nil, err
	}
	if orgs, err = s.Store.OrganisationsOf(ctx, u.ID, u.Email, maxOrganisations); err != nil {
		return u, nil, err
	}
	for _, org := range orgs {
		if err := s.leave(ctx, org, u, request{u.ID, by, actorOf(u.ID, by)}); err != nil {
			return u, orgs, err
		}
	}
	return u, orgs, s.Store.EraseUser(ctx, u.ID, u.Email)
}

// Orphan erases the account of a user whose only organisation is being deleted: the events of that organisation at
// once, unless a legal hold delays it, and those of former organisations by jobs. The account itself is erased last, so
// that an interrupted run can be repeated; an erased account stays as it is.
func (s *Service) Orphan(ctx context.Context, userID string, org tenant.ID) error {
	u, err := s.user(ctx, userID)
	if err != nil || u.Email == "" && u.Name == audit.Erased {
		return err
	}
	orgs, err := s.Store.OrganisationsOf(ctx, u.ID, u.Email, maxOrganisations)
	if err != nil {
		return err
	}
	for _, each := range orgs {
		r := request{u.ID, ByDeletion, ""}
		if err := s.Store.UpdateErasure(ctx, each, func(tx Tx) error { return s.eraseHere(tx, u, r) }); err != nil {
			return err
		}
	}
	if _, err := s.Finish(ctx, org, u.ID, ByDeletion); err != nil {
		return err
	}
	return s.Store.EraseUser(ctx, u.ID, u.Email)
}

// Own erases the account of the signed-in person. A session that an organisation's provider opened cannot erase an
// account with other organisations.
func (s *Service) Own(ctx context.Context, g access.Session) error {
	memberships, err := s.Accounts.Memberships(ctx, g.UserID)
	if err != nil {
		return err
	}
	if g.BoundOrg != "" && slices.ContainsFunc(memberships, func(m access.Membership) bool { return m.Org != g.BoundOrg }) {
		return apierr.New(apierr.InvalidState, "You signed in through the provider of one organisation, but the account belongs to others too. Sign in with your password or a passkey.")
	}
	_, _, err = s.Account(ctx, g.UserID, ByPerson)
	return err
}

// actorOf returns the ID of the user who made the request; "" for the operator.
func actorOf(userID, by string) string {
	if by == ByPerson {
		return userID
	}
	return ""
}

// mayLeave returns an error if an organisation would be left without an OWNER.
func (s *Service) mayLeave(ctx context.Context, userID string) error {
	memberships, err := s.Accounts.Memberships(ctx, userID)
	if err != nil {
		return err
	}
	var last []string
	for _, m := range memberships {
		err := s.Store.ViewErasure(ctx, m.Org, func(tx Tx) error { return s.Access.CheckCanLeave(tx, userID) })
		if apierr.Is(err, apierr.InvalidState) {
			last = append(last, m.Name)
		} else if err != nil {
			return err
		}
	}
	if last != nil {
		return apierr.New(apierr.InvalidState, "The account is the only OWNER of %s, or its OWNER for emergencies. Make another person OWNER first.",
			strings.Join(last, ", "))
	}
	return nil
}

// leave ends a membership, erases the person's data in the organisation, and enqueues the job for the events.
func (s *Service) leave(ctx context.Context, org tenant.ID, u access.User, r request) error {
	return s.Store.UpdateErasure(ctx, org, func(tx Tx) error {
		_, member, err := tx.Member(u.ID)
		if err == nil && member && tx.Test().Live == "" {
			err = s.Access.RemoveMember(tx, r.call(org), u.ID)
		}
		if err != nil {
			return err
		}
		return s.eraseHere(tx, u, r)
	})
}

// eraseHere erases a person's data in an organisation, and enqueues the job for the events in the same transaction.
func (s *Service) eraseHere(tx Tx, u access.User, r request) error {
	if err := tx.EraseMember(u.ID, u.Email, invitee(u.ID)); err != nil {
		return err
	}
	return s.enqueue(tx, r)
}

// invitee replaces the e-mail address of an erased person in an invitation. It connects the person with the events of
// the invitation.
func invitee(userID string) string { return audit.Erased + " " + userID }

// enqueue adds the job that processes the events, unless one is running. A command does the work itself; then the job
// is needed only if the command is interrupted.
func (s *Service) enqueue(tx Tx, r request) error {
	taken, err := tx.Attempts(Queue, r.subject())
	if err != nil || taken > 0 {
		return err
	}
	if err := tx.DropJob(Queue, r.subject()); err != nil {
		return err
	}
	j := jobs.Job{ID: s.IDs.UUID(), Queue: Queue, Subject: r.subject()}
	if r.by == ByOperator {
		j.RunAt = tx.Now().Add(commandTime)
	}
	return tx.Enqueue(j)
}

// Former returns a person who has left an organisation, or apierr.NotFound.
func (s *Service) Former(ctx context.Context, org tenant.ID, userID string) (u access.User, err error) {
	if !ident.IsUUID(userID) {
		return u, apierr.Missing()
	}
	err = s.Store.ViewErasure(ctx, org, func(tx Tx) error {
		left, err := tx.WasMember(userID)
		if err == nil && !left {
			err = apierr.Missing()
		}
		return err
	})
	if err != nil {
		return u, err
	}
	return s.user(ctx, userID)
}

// FormerMember erases the data of a person who has left the OWNER's organisation, but not the account.
func (s *Service) FormerMember(ctx context.Context, owner tenant.Principal, userID string) error {
	u, err := s.Former(ctx, owner.Org, userID)
	if err != nil {
		return err
	}
	return s.Store.UpdateErasure(ctx, owner.Org, func(tx Tx) error {
		left, err := tx.WasMember(userID)
		if err == nil && !left {
			err = apierr.Missing()
		}
		if err != nil {
			return err
		}
		return s.eraseHere(tx, u, request{userID, ByOwner, owner.UserID})
	})
}
