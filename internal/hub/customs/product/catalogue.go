package product

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// cataloguePage is the number of products per read.
const cataloguePage = 100

// Catalogue returns the descriptions of the newest products with a commodity code, without archived ones, and at most most of them:
// what the organisation itself says about its goods.
func Catalogue(tx customs.Bodies, most int) (goods []nomenclature.Text, err error) {
	var after filing.Position
	for read := 0; read < most; read += cataloguePage {
		page, err := tx.Bodies(filing.Query{Kind: Kind, Status: lifecycle.Active, After: after, Limit: min(cataloguePage, most-read)})
		if err != nil || len(page) == 0 {
			return goods, err
		}
		for i := range page {
			var p struct{ Description, CommodityCode string }
			if err := json.Unmarshal(page[i].Body, &p); err != nil {
				return nil, err
			}
			if p.CommodityCode != "" {
				goods = append(goods, nomenclature.Text{Text: p.Description, Code: p.CommodityCode})
			}
		}
		last := page[len(page)-1]
		after = filing.Position{CreatedAt: last.CreatedAt, ID: last.ID}
	}
	return goods, nil
}
