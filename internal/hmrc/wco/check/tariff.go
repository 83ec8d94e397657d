package check

import "github.com/tidewaiter/tidewaiter/internal/hmrc/wco"

// Goods says what a tariff knows about a commodity code on a day (YYYY-MM-DD).
type Goods func(code, day string) Commodity

// Commodity is what a tariff knows about a commodity code.
type Commodity struct {
	Listed   bool   // the code is in the tariff and can be declared
	Unit     string // supplementary unit (DE 6/2); empty for none
	Complete bool   // the tariff is a published one that was imported for the day, so that what it lacks does not exist
	Edition  string // of the tariff in words, for messages
}

// inspectTariff checks commodity codes and supplementary units. It has no documents, additional codes or quotas of
// measures, and says so.
func (i *inspector) inspectTariff() {
	if i.options.Goods == nil || isOneOf(string(i.set), "FSD C21I C21E C21I_EIDR C21E_EIDR H7 H8") {
		return
	}
	for n := range i.items() {
		g := &i.items()[n]
		if code := CommodityCode(&g.Commodity); i.fits(len(code)) {
			i.inspectMeasures(n, g, i.options.Goods(code, i.taxPoint()))
		}
	}
}

// taxPoint returns the day of the tariff: the declared acceptance or today.
func (i *inspector) taxPoint() string {
	if a := acceptance(i.Declaration); len(a) == len("20060102") {
		return a[:4] + "-" + a[4:6] + "-" + a[6:]
	}
	return i.options.Day
}

func (i *inspector) inspectMeasures(n int, g *wco.GovernmentAgencyGoodsItem, c Commodity) {
	code := CommodityCode(&g.Commodity)
	pointer := at(n, "23A.21A[1].145")
	units := at(n, "23A.65A.130")
	lacksUnits := c.Unit != "" && g.Commodity.GoodsMeasure.TariffQuantity.Value == "" && isOneOf(string(i.set), "H1 H2 H3 H4 H5 B1 B2 B4")
	switch {
	case !c.Listed && c.Complete:
		i.refuse("CDS40012", pointer, "The commodity code %s is not in %s.", code, c.Edition)
	case !c.Listed:
		i.unknown(pointer, "The commodity code %s is not in %s.", code, c.Edition)
	case lacksUnits && c.Complete:
		i.refuse("CDS40011", units, "The commodity code %s needs supplementary units (%s).", code, c.Unit)
	case lacksUnits:
		i.unknown(units, "The commodity code %s needs supplementary units (%s) by %s.", code, c.Unit, c.Edition)
	}
}
