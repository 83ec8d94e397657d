package customs_test

import (
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// plain is a declaration that states the least that it must.
func plain(direction string) (customs.Declaration, customs.Shipment, customs.Client, access.Organisation) {
	mass, value := quantity.MustMass("120.5"), quantity.MustMoney("1850")
	item := customs.Item{CommodityCode: "6109100010", Description: "Cotton T-shirts", NetMassKg: &mass, CustomsValueGBP: &value, CountryOfOrigin: "BD"}
	d := customs.Declaration{DeclarationType: direction, Items: []customs.Item{item}, Documents: []customs.Document{{Type: "N935", Reference: "INV-1"}}}
	s := customs.Shipment{PortOfEntry: "GBFXT", TransportMode: "SEA", Arrived: true}
	return d, s, customs.Client{Name: "Mill Lane Textiles", EORI: "GB123456789000"}, access.Organisation{Profile: access.Profile{EORI: "GB987654312000"}}
}

// Every constant of a plain declaration has a kind, so that the review names it, and HMRC never gets it unseen.
func TestEveryConstantHasAKind(t *testing.T) {
	seen := map[string]bool{}
	for _, direction := range []string{customs.Import, customs.Export} {
		for _, change := range []func(*customs.Shipment, *access.Organisation){
			func(*customs.Shipment, *access.Organisation) {},
			func(s *customs.Shipment, _ *access.Organisation) { s.TransportMode, s.TransportID = "AIR", "BA117" },
			func(_ *customs.Shipment, o *access.Organisation) { o.Profile.DefermentAccount = "7654321" },
		} {
			d, s, c, o := plain(direction)
			change(&s, &o)
			_, derived, _ := customs.Filled(d, s, c, o, "TWS0000000000000000001", testTime)
			for _, v := range derived {
				member := customs.WithoutIndices(v.Field)
				if v.From != "constant" {
					continue
				}
				seen[member] = true
				if !slices.ContainsFunc(customs.UsualKinds, func(k customs.UsualKind) bool { return slices.Contains(k.Fields, member) }) {
					t.Errorf("%s = %s has no kind", v.Field, v.Value)
				}
			}
		}
	}
	for _, k := range customs.UsualKinds {
		if !slices.ContainsFunc(k.Fields, func(member string) bool { return seen[member] }) {
			t.Errorf("no declaration gets %s (%v)", k.Code, k.Fields)
		}
	}
}

// An import with a data set and a price in another currency needs no customs value: customs converts the price. It is declared as it is.
func TestPriceInsteadOfValue(t *testing.T) {
	d, s, c, o := plain(customs.Import)
	price, err := quantity.ParseSum("1300")
	if err != nil {
		t.Fatal(err)
	}
	d.Items[0].CustomsValueGBP, d.Items[0].ItemPrice = nil, &datamodel.Amount{Amount: &price, Currency: "USD"}
	if err := customs.Incomplete(d, s, c, o, testTime, true); err != nil {
		t.Error(err)
	}
	document, _, _ := customs.Filled(d, s, c, o, "TWS0000000000000000001", testTime)
	if i := document.GoodsShipment.GovernmentAgencyGoodsItem[0]; i.Commodity.InvoiceLine.ItemChargeAmount.Value != "1300" || i.Commodity.InvoiceLine.ItemChargeAmount.Currency != "USD" || i.StatisticalValueAmount.Value != "" {
		t.Errorf("declared: %+v, %+v", i.Commodity.InvoiceLine, i.StatisticalValueAmount)
	}
	if len(customs.CheckDeclaration(&d)) != 1 {
		t.Error("no value is needed without a data set")
	}
	if d.DataSet, d.Fill = "H1", "USUAL"; customs.CheckDeclaration(&d) != nil {
		t.Errorf("a price with a data set: %v", customs.CheckDeclaration(&d))
	}
}

// HMRC gets no constant that states a fact: the answer names field, data element, code and remedy of each. The simulator gets
// them all, and HMRC gets the declaration once everything is stated.
func TestNoGuessIsFiled(t *testing.T) {
	d, s, c, o := plain(customs.Import)
	if err := customs.Incomplete(d, s, c, o, testTime, true); err != nil {
		t.Error(err)
	}
	found, _ := apierr.As(customs.Incomplete(d, s, c, o, testTime, false))
	if found == nil || found.Code != apierr.DeclarationIncomplete {
		t.Fatalf("%+v", found)
	}
	codes := map[string]string{}
	for _, detail := range found.Details {
		codes[detail.Code] = detail.Field
		if detail.Element == "" || detail.Message == "" || detail.Remedy == "" {
			t.Errorf("%+v is incomplete", detail)
		}
	}
	for code, field := range map[string]string{"DEC-202": "deliveryTerms.incoterm", "DEC-204": "items[0].valuationMethod", "DEC-208": "items[0].grossMassKg", "DEC-206": ""} {
		if codes[code] != field {
			t.Errorf("%s is about %q, not %q", code, codes[code], field)
		}
	}
	d.Fill = "KNOWN"
	if err := customs.Incomplete(d, s, c, o, testTime, false); err != nil {
		t.Errorf("nothing is guessed: %v", err)
	}
}
