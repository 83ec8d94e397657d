package app

import (
	"context"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// classifierFile is the file of the classifier's index in the data folder: derived data,
// made again if it is missing.
const classifierFile = "classifier.index"

// newClassifier suggests commodity codes by the tariff in force and by what each
// organisation has declared.
func (a *App) newClassifier() *assist.Classifier {
	return &assist.Classifier{
		Imported: a.Tariff.Imported, Everyday: tariff.OwnTree, Now: a.deps.Now, History: &assist.Histories{Accepted: a.taken, Now: a.deps.Now},
		File: filepath.Join(a.Config.Data, classifierFile), Log: a.deps.Log,
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

// leads are the codes that words lead to, whoever says them.
func (a *App) leads(description string) (leads []analysis.Suggestion) {
	found, _ := a.classifier.Suggest(context.Background(), description) // only a context that ends is an error
	for _, s := range found {
		leads = append(leads, analysis.Suggestion{Code: s.Code, Confidence: s.Confidence})
	}
	return leads
}
