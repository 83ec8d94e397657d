package closure

import (
	"context"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// closing returns whether and since when an organisation is closed.
func (s *Service) closing(ctx context.Context, org tenant.ID) (c access.Closing, err error) {
	err = s.Store.UpdateClosing(ctx, org, func(tx Tx) error {
		o, err := tx.Organisation()
		c = o.Closing
		return err
	})
	return c, err
}

// closeTest closes the test organisation of the call's organisation, which is closed already, and revokes all access to
// it. It is a transaction of its own; if it fails, closing or restoring the live organisation runs it again. Until then
// test keys do not work either, because the live organisation is closed.
func (s *Service) closeTest(ctx context.Context, call tenant.Call, deleteAfter time.Time) error {
	test, found, err := s.Store.TestOf(ctx, call.Org)
	if err != nil || !found {
		return err
	}
	sessions, err := s.Accounts.MemberSessions(ctx, test)
	if err != nil {
		return err
	}
	call.Org = test
	return s.Store.UpdateClosing(ctx, test, func(tx Tx) error {
		closed, err := tx.CloseOrganisation(deleteAfter)
		if err != nil {
			return err
		}
		ended, err := s.revokeAll(tx, call, sessions, "")
		if err != nil || !closed {
			return err
		}
		return s.record(tx, call, Closed, map[string]any{"deleteAfter": audit.Instant(deleteAfter), "ended": ended})
	})
}

// restoreTest reopens the test organisation of the call's organisation. If it fails, the next use of the test
// organisation reopens it.
func (s *Service) restoreTest(ctx context.Context, call tenant.Call) error {
	test, found, err := s.Store.TestOf(ctx, call.Org)
	if err != nil || !found {
		return err
	}
	call.Org = test
	return s.Store.UpdateClosing(ctx, test, func(tx Tx) error {
		restored, err := tx.RestoreOrganisation()
		if err != nil || !restored {
			return err
		}
		return s.record(tx, call, Restored, nil)
	})
}

// CloseEnded closes some sandboxes without an account whose time is over. Their data is subject to deletion at once.
func (s *Service) CloseEnded(ctx context.Context, now time.Time) error {
	ended, err := s.Store.EndedSandboxes(ctx, now, orgPage)
	for _, org := range ended {
		err = errors.Join(err, s.closeEnded(ctx, org))
	}
	return err
}

func (s *Service) closeEnded(ctx context.Context, org tenant.ID) error {
	call := tenant.Call{Principal: tenant.System(org)}
	return s.Store.UpdateClosing(ctx, org, func(tx Tx) error {
		until := tx.Test().ExpiresAt
		if until.IsZero() || until.After(tx.RealNow()) {
			return nil // it was claimed in the meantime
		}
		closed, err := tx.CloseOrganisation(tx.RealNow())
		if err != nil || !closed {
			return err
		}
		ended, err := s.revokeAll(tx, call, nil, "")
		if err != nil {
			return err
		}
		return s.record(tx, call, Closed, map[string]any{"deleteAfter": audit.Instant(tx.RealNow()), "ended": ended})
	})
}
