package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/customs"
	"github.com/tidewaiter/tidewaiter/internal/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/nomenclature"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// classifier suggests commodity codes by the tariff in force and by what each
// organisation has declared.
func (a *App) newClassifier() *assist.Classifier {
	return &assist.Classifier{
		Current: a.Tariff.Current, Everyday: tariff.OwnTree(), Now: a.deps.Now, Past: &assist.Past{Taken: a.taken, Now: a.deps.Now},
	}
}

// taken reads goods of one organisation that customs has taken.
func (a *App) taken(ctx context.Context, org tenant.ID, most int) (goods []nomenclature.Text, err error) {
	err = a.Store.Scan(ctx, org, func(t *store.Tx) (err error) {
		goods, err = customs.Taken(t, most)
		return err
	})
	return goods, err
}

// prepareClassifier makes the index of the tariff before somebody asks; without it,
// the first who asks waits.
func (a *App) prepareClassifier(ctx context.Context) {
	if err := a.classifier.Prepare(ctx); err != nil && ctx.Err() == nil {
		a.deps.Log.Warn("cannot prepare the classifier", "error", err)
	}
}

// leads are the codes that words lead to, whoever says them. While the index is made
// for the first time, nothing is known of them.
func (a *App) leads(description string) (leads []analysis.Suggestion) {
	for _, s := range a.classifier.Glance(description) {
		leads = append(leads, analysis.Suggestion{Code: s.Code, Confidence: s.Confidence})
	}
	return leads
}
