package whatif

import (
	"context"
	"iter"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Result returns a what-if that is DONE. Before, it is an error that says why there is no result.
func (s *Service) Result(ctx context.Context, org tenant.ID, id string) (Job, error) {
	j, err := s.Find(ctx, org, id)
	switch {
	case err != nil || j.Status == Done:
		return j, err
	case j.Status == Failed:
		return j, apierr.New(apierr.InvalidState, "The what-if failed: %s", j.Problem)
	case j.Status == Cancelled:
		return j, apierr.New(apierr.InvalidState, "The what-if was cancelled and has no result.")
	}
	return j, apierr.New(apierr.InvalidState, "The what-if is %s. Its result is there when it is DONE.", j.Status)
}

// Rows returns rows of a what-if that is DONE from a place on, by falling absolute difference, and whether there are more.
func (s *Service) Rows(ctx context.Context, org tenant.ID, id string, from, limit int) (rows []Row, more bool, err error) {
	for number := from / pieceLines; len(rows) <= limit; number++ {
		page, err := s.page(ctx, org, id, number)
		if err != nil {
			return nil, false, err
		}
		if page == nil {
			break
		}
		skip := max(0, from-number*pieceLines)
		rows = append(rows, page[min(skip, len(page)):]...)
	}
	if len(rows) > limit {
		return rows[:limit], true, nil
	}
	return rows, false, nil
}

// Each returns all rows, page by page.
func (s *Service) Each(ctx context.Context, org tenant.ID, id string) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		for number := 0; ; number++ {
			page, err := s.page(ctx, org, id, number)
			if page == nil && err == nil || !yield(page, err) || err != nil {
				return
			}
		}
	}
}

// page returns a stored page of rows; nil if there is none.
func (s *Service) page(ctx context.Context, org tenant.ID, id string, number int) ([]Row, error) {
	var packed []byte
	err := s.Store.ViewWhatIf(ctx, org, func(tx Tx) (err error) {
		packed, err = tx.WhatIfPage(id, number)
		return err
	})
	if err != nil || packed == nil {
		return nil, err
	}
	return unpack[Row](packed)
}

// Start is Create in a transaction of its own.
func (s *Service) Start(ctx context.Context, call tenant.Call, p Prepared) (j Job, err error) {
	err = s.Store.UpdateWhatIf(ctx, call.Org, func(tx Tx) error {
		j, err = s.Create(tx, call, p)
		return err
	})
	return j, err
}
