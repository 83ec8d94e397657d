package operator

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
)

// ImportOrigin imports what was read of files of rules of origin. Running services use it within seconds.
func (o *Operator) ImportOrigin(ctx context.Context, b *origin.Batch, replace bool) (origin.Report, error) {
	return b.Put(ctx, o.Store, replace)
}

// ImportedOrigin returns the rules of origin that are held.
func (o *Operator) ImportedOrigin(ctx context.Context) (*origin.Data, error) {
	var l origin.Library
	err := l.Refresh(ctx, o.Store)
	return l.Current(), err
}
