package statement

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Service computes statements and shows the records that they are computed from.
type Service struct {
	Store           Store
	Filings         *filing.Service
	Clock           func(context.Context, tenant.ID) (time.Time, error) // the time of an organisation
	Kinds           []*Kind
	CalendarRecords []*CalendarRecord
}

// Compute computes the body that a caller requests. It only reads, so it does not block writers.
func (s *Service) Compute(ctx context.Context, org tenant.ID, k *Kind, request json.RawMessage) (filing.Input, error) {
	r, err := s.reader(ctx, org, k)
	if err != nil {
		return filing.Input{}, err
	}
	return k.compute(r, request)
}

// Save stores a computed statement as a new record, or replaces the period's draft. A statement that is not a draft is
// never overwritten. It keeps its reference and metadata unless the request has others.
func (s *Service) Save(tx filing.Tx, call tenant.Call, k *Kind, in filing.Input) (filing.Filing, error) {
	f, found, err := s.Filings.FindByPeriod(tx, k.Type, in.Period())
	if err != nil {
		return filing.Filing{}, err
	}
	if !found {
		return s.Filings.Create(tx, call, k.Type, in)
	}
	if in, err = in.KeepLabels(k.Type, &f); err != nil {
		return filing.Filing{}, err
	}
	return s.Filings.Transition(tx, call, k.Type, f.ID, lifecycle.Refresh, filing.TransitionData{Input: &in})
}

// SourceRecords returns the first records that a statement was computed from, and whether there are more.
func (s *Service) SourceRecords(ctx context.Context, org tenant.ID, k *Kind, f *filing.Filing, limit int) (first []filing.Row, more bool, err error) {
	over, err := k.sourceRange(f.Body)
	if err != nil {
		return nil, false, err
	}
	reader, err := s.reader(ctx, org, k)
	if err != nil {
		return nil, false, err
	}
	for r, err := range reader.Records(k.SourceKind, over) {
		if err != nil {
			return nil, false, err
		}
		if len(first) == limit {
			return first, true, nil
		}
		first = append(first, r)
	}
	return first, false, nil
}

// Answer returns the additional members in the answer to a submission.
func (k *Kind) Answer(f *filing.Filing) (any, error) { return k.answer(f.Body) }

// Export writes the document of a statement.
func (s *Service) Export(ctx context.Context, org tenant.ID, k *Kind, f *filing.Filing, w io.Writer) error {
	r, err := s.reader(ctx, org, k)
	if err != nil {
		return err
	}
	return k.export(w, r, f)
}

func (s *Service) reader(ctx context.Context, org tenant.ID, k *Kind) (*Reader, error) {
	now, err := s.Clock(ctx, org)
	return &Reader{ctx: ctx, store: s.Store, org: org, now: now.UTC().Truncate(time.Millisecond), kind: k.Type}, err
}
