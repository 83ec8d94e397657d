package app

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
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
		Imported: a.Tariff.Imported, Everyday: tariff.EmbeddedTree, Now: a.deps.Now, History: &assist.Histories{Goods: a.ownGoods, Now: a.deps.Now},
		File: filepath.Join(a.Config.Data, classifierFile), Log: a.deps.Log,
	}
}

// ownGoods reads an organisation's products with their codes, and the goods of declarations that CDS accepted. A product counts
// instead of accepted goods with the same description: it may correct them.
func (a *App) ownGoods(ctx context.Context, org tenant.ID, most int) (goods []nomenclature.Text, err error) {
	err = a.Store.Scan(ctx, org, func(t *store.Tx) (err error) {
		if goods, err = product.Catalogue(t, most/2); err != nil {
			return err
		}
		corrected := map[string]bool{}
		for _, g := range goods {
			corrected[g.Text] = true
		}
		accepted, err := customs.AcceptedGoods(t, most-len(goods))
		goods = append(goods, slices.DeleteFunc(accepted, func(g nomenclature.Text) bool { return corrected[g.Text] })...)
		return err
	})
	return goods, err
}

// ownProducts returns the products of an organisation whose code or description is a text.
func (a *App) ownProducts(ctx context.Context, org tenant.ID, text string) (all []assist.OwnProduct, err error) {
	var found []product.Known
	err = a.Store.View(ctx, org, func(t *store.Tx) (err error) {
		found, err = product.Find(t, text)
		return err
	})
	for i := range found {
		k := &found[i]
		p := assist.OwnProduct{Code: k.Code, Description: k.Description, CommodityCode: k.CommodityCode, More: len(k.History) == customs.MaxProductHistory}
		for _, accepted := range k.History {
			p.Accepted = append(p.Accepted, accepted.CommodityCode)
		}
		if p.CommodityCode == "" && len(p.Accepted) > 0 {
			p.CommodityCode = p.Accepted[0]
		}
		all = append(all, p)
	}
	return all, err
}

// contradict compares a description with a commodity code.
func (a *App) contradict(description, code string, at time.Time) analysis.Contradiction {
	found, _ := a.classifier.Compare(context.Background(), description, code, at) // fails only if the context ends
	doubt := found.Doubt()
	return analysis.Contradiction{Heading: doubt >= classify.HeadingInDoubt, Chapter: doubt == classify.ChapterInDoubt, Likely: found.Likely}
}
