package tss_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func money(text string) *quantity.Money {
	m := quantity.MustMoney(text)
	return &m
}

func hence(d time.Duration) *time.Time {
	t := now.Add(d)
	return &t
}

// fromGB is kitchen furniture that an authorised trader brings to Belfast for its shop.
func fromGB() *tss.Declaration {
	return &tss.Declaration{
		MovementType: tss.GBToNI, TraderEORI: "XI123456789000", UKIMSNumber: "XIUKIM12345678900020240603090000",
		ConsignorName: "Harbour Kitchens Ltd", ConsignorCountry: "GB",
		ConsigneeName: "Lagan Interiors Ltd", ConsigneeEORI: "XI123456789000", ConsigneeCountry: "XI",
		CommodityCode: "9403409000", GoodsDescription: "Flat-packed wooden kitchen cupboards", NetMassKg: quantity.MustMass("1250.5"),
		CustomsValueGBP: money("8400"), CountryOfOrigin: "GB",
		RiskCategorisation: tss.NotAtRisk, NotAtRiskReason: tss.ConsumedInNI,
		TransportDocNumber: "CMR-204418", VehicleReg: "AB24 CDE", ScheduledDispatchAt: hence(48 * time.Hour),
	}
}

// fromNI is linen that a weaver in Lisburn sells to London.
func fromNI() *tss.Declaration {
	return &tss.Declaration{
		MovementType: tss.NIToGB, TraderEORI: "XI234567889000",
		ConsignorName: "Lisburn Linen Mill Ltd", ConsignorEORI: "XI234567889000", ConsignorCountry: "XI",
		ConsigneeName: "Thames Tablecloths plc", ConsigneeEORI: "GB980780684000", ConsigneeCountry: "GB",
		CommodityCode: "63025390", GoodsDescription: "Linen tablecloths, hemmed", NetMassKg: quantity.MustMass("340"),
		CustomsValueGBP: money("12950.40"), CountryOfOrigin: "XI", TransportDocNumber: "CMR-77", VehicleReg: "KXZ 4821",
		ScheduledDispatchAt: hence(3 * time.Hour),
	}
}

// imported is espresso machines from Korea that go on to Dublin, at risk.
func imported() *tss.Declaration {
	return &tss.Declaration{
		MovementType: tss.ImportToNI, TraderEORI: "XI345678912000",
		ConsignorName: "Busan Kitchenware Co., Ltd.", ConsignorCountry: "KR",
		ConsigneeName: "Foyle Catering Ltd", ConsigneeEORI: "XI345678912000", ConsigneeCountry: "GB",
		CommodityCode: "8516710000", GoodsDescription: "Electric espresso machines for household use", NetMassKg: quantity.MustMass("900"),
		CustomsValueGBP: money("21600"), CountryOfOrigin: "KR", RiskCategorisation: tss.AtRisk,
		TransportDocNumber: "MAEU 260411987", ScheduledDispatchAt: hence(20 * 24 * time.Hour),
	}
}

var goodExamples = map[string]func() *tss.Declaration{"GB_NI": fromGB, "NI_GB": fromNI, "IMPORT_TO_NI": imported}

// A body survives decoding and encoding with the API's field names, and empty optional fields are omitted.
func TestDeclarationJSON(t *testing.T) {
	const full = `{"movementType":"GB_NI","traderEori":"XI123456789000","ukimsAuthNumber":"XIUKIM12345678900020240603090000",` +
		`"consignorName":"A","consignorEori":"GB1","consignorCountry":"GB","consigneeName":"B","consigneeEori":"XI1","consigneeCountry":"XI",` +
		`"commodityCode":"9403409000","goodsDescription":"C","netMassKg":0.3,"customsValueGbp":8400.01,"countryOfOrigin":"GB",` +
		`"riskCategorisation":"NOT_AT_RISK","notAtRiskReason":"no_processing","transportDocNumber":"D","vehicleReg":"E","scheduledDispatchAt":"2026-12-01T06:30:00Z"}`
	const least = `{"movementType":"NI_GB","traderEori":"XI1","consignorName":"A","consigneeName":"B","commodityCode":"1","goodsDescription":"C","netMassKg":1}`
	for _, text := range []string{full, least} {
		var d tss.Declaration
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(d); string(got) != text {
			t.Errorf("%s\ncame back as\n%s", text, got)
		}
	}
}

// Every text has a maximum length, every field a description, and required texts must not be empty.
func TestDeclarationSchema(t *testing.T) {
	body := reflect.TypeFor[tss.Declaration]()
	for i := range body.NumField() {
		f := body.Field(i)
		if f.Anonymous { // the labels of every kind
			continue
		}
		if f.Tag.Get("doc") == "" || f.Tag.Get("example") == "" {
			t.Errorf("%s is not described", f.Name)
		}
		if f.Type.Kind() != reflect.String || f.Tag.Get("enum") != "" {
			continue
		}
		if f.Tag.Get("maxLength") == "" {
			t.Errorf("%s has no limit", f.Name)
		}
		if !strings.Contains(f.Tag.Get("json"), "omitempty") && f.Tag.Get("minLength") != "1" {
			t.Errorf("%s may be empty", f.Name)
		}
	}
}
