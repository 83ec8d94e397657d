package emcs_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var now = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func hence(d time.Duration) *time.Time {
	t := now.Add(d)
	return &t
}

func n(text string) *quantity.Number {
	v := quantity.MustNumber(text)
	return &v
}

func kg(text string) *quantity.Mass {
	v := quantity.MustMass(text)
	return &v
}

func count(v int64) *int64 { return &v }

// whisky goes from a bond on Speyside to one in London.
func whisky() *emcs.Movement {
	return &emcs.Movement{
		Category: emcs.Alcohol, Route: emcs.Domestic,
		DispatcherName: "Speyside Bonded Stores Ltd", DispatcherNumber: "GBWK002281023",
		ConsigneeName: "Thames Bond Warehousing Ltd", ConsigneeNumber: "GBWK240176600", ConsigneeCountry: "GB",
		ProductCode: "S200", ProductDescription: "Single malt Scotch whisky, 70 cl bottles",
		Litres: n("6300"), Kilograms: kg("5985"), Strength: n("40"), PackageType: "CT", Packages: count(1500),
		VehicleReg: "AB24 CDE", JourneyDays: count(2), DispatchAt: hence(48 * time.Hour),
	}
}

// wine comes from the Loire to a warehouse in Belfast.
func wine() *emcs.Movement {
	m := whisky()
	m.Route, m.DispatcherName, m.DispatcherNumber = emcs.FromUnion, "Caves de Touraine SA", "FR012345E0678"
	m.ConsigneeName, m.ConsigneeNumber, m.ConsigneeCountry = "Lagan Wine Cellars Ltd", "XIWK000467015", "XI"
	m.ProductCode, m.ProductDescription, m.Strength = "W200", "Sauvignon blanc 2025, 75 cl", n("12.5")
	m.Litres, m.Kilograms, m.Packages, m.JourneyDays = n("9000"), nil, count(1000), count(6)
	return m
}

// tobacco is rolling tobacco that leaves for Switzerland.
func tobacco() *emcs.Movement {
	return &emcs.Movement{
		Category: emcs.Tobacco, Route: emcs.Export,
		DispatcherName: "Humber Tobacco Store Ltd", DispatcherNumber: "GBWK000612158",
		ConsigneeName: "Tabakhandel Basel AG", ConsigneeCountry: "CH",
		ProductCode: "T400", ProductDescription: "Fine-cut rolling tobacco, 30 g pouches", Kilograms: kg("240"), PackageType: "CT", Packages: count(40),
		VehicleReg: "KX71 ABC", JourneyDays: count(4), DispatchAt: hence(24 * time.Hour),
	}
}

// fuel is gas oil that leaves by ship for the Netherlands.
func fuel() *emcs.Movement {
	return &emcs.Movement{
		Category: emcs.EnergyOils, Route: emcs.Export,
		DispatcherName: "Solent Refining plc", DispatcherNumber: "GBWK000612157",
		ConsigneeName: "Rotterdam Tank Terminal BV", ConsigneeCountry: "NL",
		ProductCode: "E440", ProductDescription: "Gas oil, marked, 0.1% sulphur", Litres: n("4200000"), Kilograms: kg("3528000"), PackageType: "VL",
		JourneyDays: count(3), DispatchAt: hence(72 * time.Hour),
	}
}

// goodExamples have no findings.
var goodExamples = map[string]func() *emcs.Movement{
	"whisky": whisky, "wine": wine, "tobacco": tobacco, "fuel": fuel,
	"beer to Belfast": with(whisky, func(m body) {
		m.ConsigneeNumber, m.ConsigneeCountry, m.ProductCode, m.ProductDescription = "XIWK000467015", "GB", "B000", "India pale ale in 50 litre kegs"
		m.Litres, m.Kilograms, m.Strength, m.PackageType, m.Packages = n("15000"), nil, n("5.6"), "KG", count(300)
	}),
	"wine just imported": with(wine, func(m body) {
		m.DispatcherName, m.DispatcherNumber, m.ConsigneeNumber, m.ConsigneeCountry = "Medway Clearance Ltd", "GBRC000612157", "GBWK240176600", "GB"
	}),
	"port in casks from Leixões": with(wine, func(m body) {
		m.ProductCode, m.ProductDescription, m.Strength, m.PackageType, m.Packages = "I000", "Tawny port", n("20"), "CK", count(20)
	}),
	"champagne for a registered consignee": with(wine, func(m body) {
		m.ConsigneeNumber, m.ProductCode, m.ProductDescription = "XIRE000467015", "W300", "Champagne brut, 75 cl"
	}),
	"gin to Japan": with(whisky, func(m body) {
		m.Route, m.ConsigneeName, m.ConsigneeNumber, m.ConsigneeCountry = emcs.Export, "Kobe Imports KK", "", "JP"
		m.ProductDescription, m.Litres, m.Kilograms, m.Packages, m.JourneyDays = "London dry gin", n("2100"), nil, count(500), count(34)
	}),
	"whisky to China": with(whisky, func(m body) {
		m.Route, m.ConsigneeName, m.ConsigneeNumber, m.ConsigneeCountry = emcs.Export, "Shanghai Cellars Co., Ltd.", "", "CN"
	}),
	"cider to the Isle of Man": with(whisky, func(m body) {
		m.ConsigneeCountry, m.ProductCode, m.ProductDescription, m.Strength, m.Kilograms = "IM", "W200", "Dry cider", n("6"), nil
	}),
	"shag to Jersey": with(tobacco, func(m body) { m.ConsigneeCountry = "JE" }),
	"gas by pipeline to Ireland": with(fuel, func(m body) {
		m.ConsigneeCountry, m.ProductCode, m.ProductDescription, m.Litres, m.Kilograms, m.PackageType = "IE", "E500", "Propane", nil, kg("900000"), "VQ"
	}),
	"new make spirit in a tanker": with(whisky, func(m body) {
		m.ProductDescription, m.Strength, m.Litres, m.Kilograms, m.PackageType, m.Packages = "New make malt spirit", n("63.5"), n("4500"), nil, "VL", nil
	}),
	"ethanol by sea": with(wine, func(m body) {
		m.ProductCode, m.ProductDescription, m.Strength, m.PackageType, m.Packages = "S400", "Denatured ethanol", n("96.1"), "VL", nil
		m.Litres, m.VehicleReg = n("1200"), "IMO 9811000"
	}),
}

// with returns an example with a change.
func with(from func() *emcs.Movement, change change) func() *emcs.Movement {
	return func() *emcs.Movement {
		m := from()
		change(m)
		return m
	}
}

// A body survives decoding and encoding with the API's field names, and empty optional fields are omitted.
func TestMovementJSON(t *testing.T) {
	const full = `{"category":"ALCOHOL","movementType":"DOMESTIC","dispatcherName":"A","dispatcherExciseNumber":"GBWK1","consigneeName":"B",` +
		`"consigneeExciseNumber":"GBWK2","consigneeCountry":"GB","productCode":"S200","productDescription":"C","quantityLitres":0.3,"quantityKg":0.000001,` +
		`"alcoholAbv":40.5,"packageType":"CT","numberOfPackages":0,"vehicleReg":"D","expectedJourneyTime":0,"scheduledDispatchAt":"2026-12-01T06:30:00Z"}`
	const least = `{"category":"TOBACCO","movementType":"EXPORT","dispatcherName":"A","dispatcherExciseNumber":"1","consigneeName":"B","productCode":"T200","productDescription":"C"}`
	for _, text := range []string{full, least} {
		var m emcs.Movement
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(m); string(got) != text {
			t.Errorf("%s\ncame back as\n%s", text, got)
		}
	}
}

// Every text has a maximum length, every field a description, and required texts must not be empty.
func TestMovementSchema(t *testing.T) {
	body := reflect.TypeFor[emcs.Movement]()
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
