package declare

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// maxGoodsText is the maximum length of a text from the page that classifies goods, in bytes.
const maxGoodsText = 4096

// beginWithGoods creates a worksheet whose first item has a commodity code, as the page that classifies goods suggests it.
func (d *Declare) beginWithGoods(c *page.Context) error {
	s := worksheet.NewImport(c.IDs.UUID())
	for _, name := range []string{"commodityCode", "description", "countryOfOrigin"} {
		text := c.Value(name)
		if country, known := ident.FindCountry(text); known && name == "countryOfOrigin" {
			text = string(country)
		}
		if len(text) <= maxGoodsText {
			s.Items[0].Set(name, text)
		}
	}
	if err := c.Update(func(tx page.Tx) error { return d.store(c, tx, s) }); err != nil {
		return err
	}
	return c.RedirectWithNotice(path(s.ID, worksheet.StepBasics), "goods-taken")
}
