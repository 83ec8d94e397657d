package tss

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/ident"
)

// check names what the schema lets through and nobody could have meant: blank
// names and countries that do not exist. A malformed identifier is not among
// them; finding it is what the review is for.
func check(d *Declaration) []fault.Detail {
	var details []fault.Detail
	for _, f := range []struct{ name, value string }{
		{"traderEori", d.TraderEORI},
		{"consignorName", d.ConsignorName},
		{"consigneeName", d.ConsigneeName},
		{"commodityCode", d.CommodityCode},
		{"goodsDescription", d.GoodsDescription},
	} {
		if strings.TrimSpace(f.value) == "" {
			details = append(details, fault.Detail{Field: f.name, Message: "must not be blank"})
		}
	}
	for _, f := range []struct{ name, value string }{
		{"consignorCountry", d.ConsignorCountry},
		{"consigneeCountry", d.ConsigneeCountry},
		{"countryOfOrigin", d.CountryOfOrigin},
	} {
		if f.value == "" {
			continue
		}
		if _, err := ident.ParseCountry(f.value); err != nil {
			details = append(details, fault.Detail{Field: f.name, Message: err.Error()})
		}
	}
	return details
}
