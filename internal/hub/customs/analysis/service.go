package analysis

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Store opens transactions of one organisation.
type Store interface {
	ViewCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error
	UpdateCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error
}

// Service reviews stored declarations.
type Service struct {
	Store     Store
	Customs   *customs.Service
	Filings   *filing.Service
	Knowledge func() Knowledge   // current lookups
	Facts     func() rules.Facts // for the rules; nil for none
}

// Analyse reviews a declaration in any state and stores an audit event. It reads the input first and applies the rules
// outside of any transaction, because that can take long.
func (s *Service) Analyse(ctx context.Context, call tenant.Call, id string) (r rules.Review, err error) {
	var p customs.ReviewInput
	err = s.Store.ViewCustoms(ctx, call.Org, func(tx customs.Tx) (err error) {
		p, err = s.Customs.ReviewInput(tx, id)
		return err
	})
	if err != nil {
		return r, err
	}
	r = s.Review(p)
	return r, s.Store.UpdateCustoms(ctx, call.Org, func(tx customs.Tx) error {
		return s.Filings.RecordReview(tx, call, s.Customs.Type, &p.Filing, r)
	})
}

// Review reviews an input, whether it is stored or not.
func (s *Service) Review(p customs.ReviewInput) rules.Review {
	var known rules.Facts
	if s.Facts != nil {
		known = s.Facts()
	}
	known.Now = p.At
	return Review(&Case{ReviewInput: p, Knowledge: s.Knowledge()}, known)
}
