package search

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of steps.
const (
	BatchSize = batchSize
	FewBlocks = fewBlocks
	MaxOpened = maxOpened
	MaxSteps  = maxSteps
)

// CatchUp makes steps until everything is indexed that was stored before the last of them.
func (s *Service) CatchUp(ctx context.Context, org tenant.ID) error {
	for {
		if p, err := s.step(ctx, org); err != nil || p.done() {
			return err
		}
	}
}
