package oidc

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	refreshInterval = 10 * time.Minute // between uses of a session's refresh token
	retryInterval   = time.Minute      // if the provider cannot be reached
	refreshBatch    = 200              // sessions per round
	refreshesAtOnce = 8
)

// Refresh is the refresh token of a session that a provider opened.
type Refresh struct {
	Org        tenant.ID
	SessionID  string
	ProviderID string
	UserID     string
	Token      string    // encrypted
	EndsAt     time.Time // latest end of the session
	RefreshAt  time.Time // next use of the token
}

// RefreshSessions uses the refresh tokens that are due. invalid_grant ends a session at once. If a
// provider cannot be reached, the refresh is retried every minute, and the session ends an hour
// after the last success.
func (s *Service) RefreshSessions(ctx context.Context) error {
	due, err := s.Store.DueRefreshes(ctx, s.Now(), refreshBatch)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	slots := make(chan struct{}, refreshesAtOnce)
	for _, r := range due {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if err := s.refreshOne(ctx, r); err != nil && ctx.Err() == nil {
				s.Log.WarnContext(ctx, "cannot refresh a session of single sign-on", "session", r.SessionID, "error", err)
			}
		})
	}
	all.Wait()
	return nil
}

func (s *Service) refreshOne(ctx context.Context, r Refresh) error {
	var p Provider
	var mine, found bool
	err := s.Store.UpdateIdentity(ctx, r.Org, func(tx Tx) (err error) {
		if mine, err = tx.ClaimRefresh(r, tx.Now().Add(retryInterval)); err != nil || !mine {
			return err
		}
		p, found, err = tx.Provider(r.ProviderID)
		return err
	})
	if err != nil || !mine {
		return err
	}
	if !found {
		return s.endSession(ctx, r, "the identity provider was removed")
	}
	token, err := s.open(r.Token, refreshOwner(r))
	if err != nil {
		return s.endSession(ctx, r, "the refresh token cannot be read")
	}
	fresh, err := s.refresh(ctx, p, token)
	if errors.Is(err, errRevoked) {
		return s.endSession(ctx, r, "the identity provider ended the sign-in")
	}
	if err != nil {
		return err
	}
	return s.extendSession(ctx, r, fresh)
}

// extendSession stores the next refresh token and extends the session.
func (s *Service) extendSession(ctx context.Context, r Refresh, token string) error {
	now := s.Now()
	sealed, err := s.seal(token, refreshOwner(r))
	if err != nil {
		return err
	}
	r.Token, r.RefreshAt = sealed, now.Add(refreshInterval)
	if err := s.Store.UpdateIdentity(ctx, r.Org, func(tx Tx) error { return tx.PutRefresh(r) }); err != nil {
		return err
	}
	until := now.Add(silentLife)
	if until.After(r.EndsAt) {
		until = r.EndsAt
	}
	exists, err := s.Store.ExtendSession(ctx, r.SessionID, until)
	if err != nil || exists {
		return err
	}
	return s.Store.UpdateIdentity(ctx, r.Org, func(tx Tx) error { return tx.RemoveRefresh(r.SessionID) })
}

func (s *Service) endSession(ctx context.Context, r Refresh, reason string) error {
	if err := s.Accounts.EndProviderSession(ctx, r.Org, r.UserID, r.SessionID, reason); err != nil {
		return err
	}
	return s.Store.UpdateIdentity(ctx, r.Org, func(tx Tx) error { return tx.RemoveRefresh(r.SessionID) })
}
