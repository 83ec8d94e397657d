package app

import (
	"context"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// classifierFile is the name of the classifier's index in the data folder. It is made again if it is missing.
const classifierFile = "classifier.index"

// newClassifier suggests commodity codes from the tariff in force and from each organisation's declarations.
func (a *App) newClassifier() *assist.Classifier {
	return &assist.Classifier{
		Imported: a.Tariff.Imported, Everyday: tariff.EmbeddedTree, Now: a.deps.Now, History: &assist.Histories{Accepted: a.acceptedGoods, Now: a.deps.Now},
		File: filepath.Join(a.Config.Data, classifierFile), Log: a.deps.Log,
	}
}

// acceptedGoods reads the goods of declarations that CDS accepted.
func (a *App) acceptedGoods(ctx context.Context, org tenant.ID, most int) (goods []nomenclature.Text, err error) {
	err = a.Store.Scan(ctx, org, func(t *store.Tx) (err error) {
		goods, err = customs.AcceptedGoods(t, most)
		return err
	})
	return goods, err
}

// suggest returns the commodity codes that a description suggests.
func (a *App) suggest(description string, at time.Time) (leads []analysis.Suggestion) {
	found, _ := a.classifier.Suggest(context.Background(), description, at) // fails only if the context ends
	for _, s := range found {
		leads = append(leads, analysis.Suggestion{Code: s.Code, Confidence: s.Confidence})
	}
	return leads
}
