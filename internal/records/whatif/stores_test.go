package whatif_test

import (
	"context"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

func sqliteBackend(t testing.TB) storetest.Backend { return storetest.SQLite(t) }

func (s *interrupted) UpdateWhatIf(ctx context.Context, org tenant.ID, fn func(whatif.Tx) error) error {
	if s.left == 0 {
		return errKilled
	}
	s.left--
	return s.Store.UpdateWhatIf(ctx, org, fn)
}

// cancelling is a store in which a what-if is cancelled when its first piece has been read.
type cancelling struct {
	whatif.Store
	cancel func()
	done   bool
}

func (s *cancelling) ViewWhatIf(ctx context.Context, org tenant.ID, fn func(whatif.Tx) error) error {
	err := s.Store.ViewWhatIf(ctx, org, fn)
	if !s.done {
		s.done = true
		s.cancel()
	}
	return err
}

// overtaken is a store in which another run begins at one of the reads.
type overtaken struct {
	whatif.Store
	at    int
	begin func()
}

func (s *overtaken) ViewWhatIf(ctx context.Context, org tenant.ID, fn func(whatif.Tx) error) error {
	err := s.Store.ViewWhatIf(ctx, org, fn)
	if s.at--; s.at == 0 {
		s.begin()
	}
	return err
}
