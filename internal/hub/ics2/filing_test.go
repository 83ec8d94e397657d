package ics2_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func mass(text string) *quantity.Mass {
	m := quantity.MustMass(text)
	return &m
}

func packages(n int64) *int64 { return &n }

func hence(d time.Duration) *time.Time {
	t := now.Add(d)
	return &t
}

const aDay = 24 * time.Hour

// deepSea is espresso machines from Busan to Felixstowe.
func deepSea() *ics2.Filing {
	return &ics2.Filing{
		FilingType: ics2.Sea, ModeOfTransport: "1", CarrierName: "Northern Star Lines", CarrierEORI: "GB123456789000",
		ConsignorName: "Busan Kitchenware Co., Ltd.", ConsigneeName: "Harbour Kitchens Ltd", ConsigneeEORI: "GB205672212000",
		TransportDocNumber: "NSLU260411987", PortOfLoading: "KRPUS", PortOfUnloading: "GBFXT", EstimatedArrival: hence(30 * aDay),
		TotalPackages: packages(420), TotalGrossMassKg: mass("3150.5"),
		GoodsDescription: "Electric espresso machines for household use", CommodityCodes: []string{"851671"},
	}
}

// ferry is washbasins on a lorry from Calais to Dover.
func ferry() *ics2.Filing {
	return &ics2.Filing{
		FilingType: ics2.Road, ModeOfTransport: "10", CarrierName: "Transports Opale SARL", CarrierEORI: "FR12345678901234",
		ConsignorName: "Ateliers du Nord SAS", ConsignorEORI: "FR98765432109876", ConsigneeName: "Kentish Bathrooms plc", ConsigneeEORI: "GB980780684000",
		TransportDocNumber: "CMR 204418", PortOfLoading: "FRCQF", PortOfUnloading: "GBDVR", EstimatedArrival: hence(6 * time.Hour),
		TotalPackages: packages(18), TotalGrossMassKg: mass("9400"),
		GoodsDescription: "Ceramic washbasins", CommodityCodes: []string{"69101000", "7324.10"},
	}
}

// tunnel is the same goods through the Channel Tunnel, without commodity codes.
func tunnel() *ics2.Filing {
	f := ferry()
	f.ModeOfTransport, f.PortOfUnloading, f.EstimatedArrival = "3", "GBFOL", hence(3*time.Hour)
	return f
}

// longHaul is shirts that fly from Shanghai to Heathrow.
func longHaul() *ics2.Filing {
	return &ics2.Filing{
		FilingType: ics2.Air, ModeOfTransport: "4", CarrierName: "Pennine Airways", CarrierEORI: "GB345678912000",
		ConsignorName: "Suzhou Garment Works", ConsigneeName: "Northern Shirts Limited", ConsigneeEORI: "GB432198792000",
		TransportDocNumber: "125-12345675", PortOfLoading: "CNPVG", PortOfUnloading: "GBLHR", EstimatedArrival: hence(20 * time.Hour),
		TotalPackages: packages(60), TotalGrossMassKg: mass("720"),
		GoodsDescription: "Men's cotton T-shirts", CommodityCodes: []string{"6109100010"},
	}
}

// belfast is machines from Liverpool to Belfast, in ICS2.
func belfast() *ics2.Filing {
	return &ics2.Filing{
		FilingType: ics2.Sea, ModeOfTransport: "1", CarrierName: "Irish Sea Ferries", CarrierEORI: "XI234567889000",
		ConsignorName: "Mersey Pumps Ltd", ConsigneeName: "Lagan Water Engineering Ltd", ConsigneeEORI: "XI123456789000",
		TransportDocNumber: "ISF-77-2026", PortOfLoading: "GBLIV", PortOfUnloading: "GBBEL", EstimatedArrival: hence(2 * aDay),
		TotalPackages: packages(4), TotalGrossMassKg: mass("1800.125"),
		GoodsDescription: "Centrifugal water pumps", CommodityCodes: []string{"841370"},
	}
}

// train is timber flooring from Duisburg to Daventry.
func train() *ics2.Filing {
	return &ics2.Filing{
		FilingType: ics2.Rail, ModeOfTransport: "2", CarrierName: "Rhine Rail GmbH", CarrierEORI: "DE1234567890",
		ConsignorName: "Parkett Werke GmbH", ConsignorEORI: "DE9876543210", ConsigneeName: "Daventry Floors Ltd", ConsigneeEORI: "GB980780684000",
		TransportDocNumber: "CIM 80 0412-7", PortOfLoading: "DEDUI", PortOfUnloading: "GBDVY", EstimatedArrival: hence(10 * time.Hour),
		TotalPackages: packages(52), TotalGrossMassKg: mass("41000"),
		GoodsDescription: "Oak parquet panels", CommodityCodes: []string{"441873"},
	}
}

// parcel is a scarf from Tokyo to a private person.
func parcel() *ics2.Filing {
	return &ics2.Filing{
		FilingType: ics2.Postal, ModeOfTransport: "5", CarrierName: "Island Post", CarrierEORI: "GB345678912000",
		ConsignorName: "Aiko Mori", ConsigneeName: "Rhys Llewellyn",
		TransportDocNumber: "RR473124829JP", PortOfLoading: "JPTYO", PortOfUnloading: "GBLHR", EstimatedArrival: hence(2 * aDay),
		TotalPackages: packages(1), TotalGrossMassKg: mass("0.42"),
		GoodsDescription: "Silk scarf", CommodityCodes: []string{"621410"},
	}
}

// ore is iron ore in bulk from Brazil to Rotterdam.
func ore() *ics2.Filing {
	return &ics2.Filing{
		FilingType: ics2.Sea, ModeOfTransport: "1", CarrierName: "Santos Bulk Shipping", CarrierEORI: "NL123456789",
		ConsignorName: "Minas Mineração", ConsigneeName: "Maas Steel N.V.", ConsigneeEORI: "NL987654321",
		TransportDocNumber: "SBS-4471", PortOfLoading: "BRSSZ", PortOfUnloading: "NLRTM", EstimatedArrival: hence(12 * time.Hour),
		TotalGrossMassKg: mass("160000000"), GoodsDescription: "Iron ore fines", CommodityCodes: []string{"260111"},
	}
}

var goodExamples = map[string]func() *ics2.Filing{
	"sea": deepSea, "ferry": ferry, "tunnel": tunnel, "air": longHaul, "Northern Ireland": belfast, "rail": train, "post": parcel, "bulk": ore,
}

// A body survives decoding and encoding with the API's field names, and empty optional fields are omitted.
func TestFilingJSON(t *testing.T) {
	const full = `{"filingType":"ENS_SEA","modeOfTransport":"1","carrierName":"A","carrierEori":"GB1","consignorName":"B","consignorEori":"FR1",` +
		`"consigneeName":"C","consigneeEori":"GB2","transportDocNumber":"D","portOfLoading":"KRPUS","portOfUnloading":"GBFXT",` +
		`"estimatedArrival":"2026-12-20T04:30:00Z","totalPackages":0,"totalGrossMassKg":0.3,"goodsDescription":"E","commodityCodes":["851671"]}`
	const least = `{"filingType":"ENS_POSTAL","modeOfTransport":"5","carrierName":"A","consignorName":"B","consigneeName":"C","transportDocNumber":"D","portOfLoading":"E","portOfUnloading":"F"}`
	for _, text := range []string{full, least} {
		var f ics2.Filing
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(f); string(got) != text {
			t.Errorf("%s\ncame back as\n%s", text, got)
		}
	}
}

// Every field has a description, every text and list a maximum length, and required texts must not be empty.
func TestFilingSchema(t *testing.T) {
	body := reflect.TypeFor[ics2.Filing]()
	for i := range body.NumField() {
		f := body.Field(i)
		if f.Anonymous { // the labels of every kind
			continue
		}
		if f.Tag.Get("doc") == "" || f.Tag.Get("example") == "" && f.Tag.Get("enum") == "" {
			t.Errorf("%s is not described", f.Name)
		}
		if f.Type.Kind() == reflect.Slice && f.Tag.Get("maxItems") == "" && f.Type != reflect.TypeFor[filing.Content]() {
			t.Errorf("%s has no limit", f.Name)
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

// The examples in the API document form a correct filing.
func TestDocumentedExample(t *testing.T) {
	members := map[string]json.RawMessage{}
	body := reflect.TypeFor[ics2.Filing]()
	for i := range body.NumField() {
		f := body.Field(i)
		if f.Anonymous { // the labels of every kind
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		example := f.Tag.Get("example")
		if kind := f.Type.Kind(); kind == reflect.String || f.Type == reflect.TypeFor[*time.Time]() {
			quoted, _ := json.Marshal(example)
			example = string(quoted)
		}
		members[name] = json.RawMessage(example)
	}
	raw, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	var f ics2.Filing
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	f.ConsignorEORI = "" // the example of the field is for parties that have one
	if r := ics2.Rules.Review(&f, rules.Facts{Now: now}); len(r.Findings) > 0 {
		t.Errorf("%s: %+v", raw, r.Findings)
	}
}
