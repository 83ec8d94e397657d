// Package closure closes organisations. An OWNER can restore a closed organisation for 30 days;
// then its data is deleted, except for data that a retention period or a legal hold protects.
package closure

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Delay is the time from closing an organisation to the deletion of its data.
const Delay = 30 * 24 * time.Hour

// Types of audit events.
const (
	Closed   = "organisation.closed"
	Restored = "organisation.restored"
	Deleted  = "organisation.deleted"
	Emptied  = "organisation.emptied" // a test organisation

	eventHub     = access.FoundationalHub
	resourceType = "organisation"
)

// EventTypes are the types of all events of closed organisations.
func EventTypes() []string { return []string{Closed, Restored, Deleted, Emptied} }

// Tx is a transaction of the organisation that is closed or restored.
type Tx interface {
	access.Tx
	webhook.Tx
	submission.Tx
	// CloseOrganisation reports whether the organisation was open.
	CloseOrganisation(deleteAfter time.Time) (bool, error)
	RemoveConsents() (removed int64, err error)
	RunQueueNow(queue string, gap time.Duration) error
}

// Store opens transactions.
type Store interface {
	UpdateClosing(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// TestOf returns the test organisation of a live one.
	TestOf(ctx context.Context, live tenant.ID) (test tenant.ID, found bool, err error)
	// EndedSandboxes returns sandboxes without an account whose time is over and that are still open.
	EndedSandboxes(ctx context.Context, now time.Time, limit int) ([]tenant.ID, error)
}

// Service closes and restores organisations.
type Service struct {
	Store    Store
	Accounts *access.Accounts
	VAT      *submission.Service
	IDs      *ident.Source
}

// Close closes the organisation of a call at once, and then its test organisation. name must be the organisation's
// name, to prevent mistakes. All access except the session keep is revoked, and nothing is sent for the organisation
// any more. Closing it again changes nothing.
func (s *Service) Close(ctx context.Context, call tenant.Call, keep, name string) (org access.Organisation, err error) {
	sessions, err := s.Accounts.MemberSessions(ctx, call.Org)
	if err != nil {
		return org, err
	}
	err = s.Store.UpdateClosing(ctx, call.Org, func(tx Tx) error {
		if org, err = tx.Organisation(); err != nil {
			return err
		}
		if strings.TrimSpace(name) != strings.TrimSpace(org.Name) {
			return apierr.Invalid(apierr.Detail{Field: "name", Message: "is not the name of this organisation"})
		}
		if tx.Test().Live != "" {
			return apierr.New(apierr.InvalidState, "A test organisation is closed with its live organisation. To delete its records, reset it.")
		}
		closing := access.Closing{At: tx.RealNow(), DeleteAfter: tx.RealNow().Add(Delay)}
		closed, err := tx.CloseOrganisation(closing.DeleteAfter)
		if err != nil || !closed {
			return err
		}
		org.Closing = closing
		ended, err := s.revokeAll(tx, call, sessions, keep)
		if err != nil {
			return err
		}
		if err := s.Accounts.MailClosed(tx, org.Name, closing.DeleteAfter); err != nil {
			return err
		}
		return s.record(tx, call, Closed, map[string]any{"deleteAfter": audit.Instant(closing.DeleteAfter), "ended": ended})
	})
	if err != nil {
		return org, err
	}
	return org, s.closeTest(ctx, call, org.Closing.DeleteAfter)
}

// revokeAll revokes all access to the organisation and stops what it sends. It returns the number of each.
func (s *Service) revokeAll(tx Tx, call tenant.Call, sessions []access.MemberSession, keep string) (map[string]int64, error) {
	ended, err := s.Accounts.Access.EndAccess(tx, call, sessions, keep)
	if err != nil {
		return nil, err
	}
	if ended["webhookEndpoints"], err = webhook.PauseAll(tx, s.IDs, call, "the organisation was closed"); err != nil {
		return nil, err
	}
	if ended["consents"], err = tx.RemoveConsents(); err != nil {
		return nil, err
	}
	// These jobs end the notifications of authorities while the organisation is closed, and begin them when it is restored.
	if err := tx.RunQueueNow(exchange.SubscribeQueue, 0); err != nil {
		return nil, err
	}
	switch err := s.VAT.Disconnect(tx, call); {
	case err == nil:
		ended["connections"] = 1
	case !apierr.Is(err, apierr.NotFound):
		return nil, err
	}
	return ended, nil
}

// Restore reopens the organisation of a call and its test organisation. Keys, feeds, tokens and connections stay
// revoked. The operator can restore it until its deletion has started, others until the time of deletion.
func (s *Service) Restore(ctx context.Context, call tenant.Call) (org access.Organisation, err error) {
	// Keys of the test organisation must have ended before the live one opens: closing it may have been interrupted.
	closing, err := s.closing(ctx, call.Org)
	if err == nil && closing.Closed() {
		err = s.closeTest(ctx, call, closing.DeleteAfter)
	}
	if err != nil {
		return org, err
	}
	if org, err = s.restore(ctx, call); err != nil {
		return org, err
	}
	return org, s.restoreTest(ctx, call)
}

// restore reopens an organisation without its test organisation.
func (s *Service) restore(ctx context.Context, call tenant.Call) (org access.Organisation, err error) {
	err = s.Store.UpdateClosing(ctx, call.Org, func(tx Tx) error {
		if org, err = tx.Organisation(); err != nil {
			return err
		}
		if !org.Closing.Closed() {
			return apierr.New(apierr.InvalidState, "The organisation is not closed.")
		}
		tooLate := !call.ByOperator() && !tx.RealNow().Before(org.Closing.DeleteAfter)
		restored := false
		if !tooLate {
			if restored, err = tx.RestoreOrganisation(); err != nil {
				return err
			}
		}
		if !restored {
			return apierr.New(apierr.InvalidState, "The organisation cannot be restored, because its data has been subject to deletion since %s.", audit.Instant(org.Closing.DeleteAfter))
		}
		org.Closing = access.Closing{}
		// A request that was running while the organisation was closed may have created a key.
		if _, err := s.revokeAll(tx, call, nil, ""); err != nil {
			return err
		}
		return s.record(tx, call, Restored, nil)
	})
	return org, err
}

func (s *Service) record(tx audit.Recorder, call tenant.Call, eventType string, data map[string]any) error {
	e := audit.Event{ID: s.IDs.UUID(), Hub: eventHub, Type: eventType, ResourceType: resourceType, ResourceID: string(call.Org)}
	if data != nil {
		text, err := json.Marshal(data)
		if err != nil {
			return err
		}
		e.Data = text
	}
	return tx.Record(audit.By(call, e))
}
