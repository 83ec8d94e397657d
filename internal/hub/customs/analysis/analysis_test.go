package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

type (
	body   = analysis.Case
	change = func(*body)
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// known gives a case what the service knows, and a day.
func known(c *body) *body {
	c.Tariff, c.At, c.Filing.CreatedAt, c.Simulated = tariff.Embedded(), now, now, true
	return c
}

func judged(c *body) rules.Review { return withValues(c, rules.Facts{Now: c.At}) }

// withValues reviews a case with its customs values, as the service does.
func withValues(c *body, f rules.Facts) rules.Review {
	c.AddValues(nil)
	return analysis.Review(c, f)
}

// documents makes the documents of "N935=INV-1 N730=CMR-1".
func documents(text string) string {
	var all []string
	for _, d := range strings.Fields(text) {
		code, reference, _ := strings.Cut(d, "=")
		all = append(all, fmt.Sprintf(`{"type":%q,"reference":%q}`, code, reference))
	}
	return strings.Join(all, ",")
}

// imported is T-shirts of Bangladesh, as the example of the API's document and the demo have them.
func imported() *body {
	c := &body{}
	gross, pieces, packages := quantity.MustMass("131"), int64(600), int64(25)
	c.Declaration = customs.Declaration{DeclarationType: customs.Import, Items: []customs.Item{{
		CommodityCode: "6109100010", Description: "Men's knitted cotton T-shirts", NetMassKg: pointer(quantity.MustMass("120.5")), GrossMassKg: &gross,
		CustomsValueGBP: pointer(quantity.MustMoney("1850")), CountryOfOrigin: "BD", Quantity: &pieces, PackageCount: &packages, PackageType: "CT", PreferenceCode: "100",
	}}, Documents: []customs.Document{{Type: "N935", Reference: "INV-2026-0042", Status: "AC"}}}
	c.Shipment = customs.Shipment{
		PortOfEntry: "GBFXT", TransportMode: "SEA", VesselName: "Ever Tide", TransportID: "9811000", TransportNationality: "PA", CountryOfDispatch: "BD", Incoterm: "CIF",
		Containers: []string{"MSKU1234565"}, CounterpartyName: "Padma Knitwear", CounterpartyAddress: "14 Station Road", CounterpartyCity: "Chattogram", CounterpartyPostcode: "4000", CounterpartyCountry: "BD",
	}
	c.Client = customs.Client{Name: "Mill Lane Textiles Ltd", EORI: "GB123456789000", VATNumber: "GB123456789", Country: "GB", Role: "IMPORTER"}
	c.Trader.EORI = "GB987654312000"
	return known(c)
}

// exported is filters that go to Canada by air.
func exported() *body {
	c := &body{}
	gross, packages := quantity.MustMass("760"), int64(8)
	c.Declaration = customs.Declaration{DeclarationType: customs.Export, Items: []customs.Item{{
		CommodityCode: "84213985", Description: "Dust extraction filters for workshops", NetMassKg: pointer(quantity.MustMass("640")), GrossMassKg: &gross,
		CustomsValueGBP: pointer(quantity.MustMoney("21970")), CountryOfOrigin: "GB", PackageCount: &packages, PackageType: "CT",
	}}, Documents: []customs.Document{{Type: "N935", Reference: "F-9"}}}
	c.Shipment = customs.Shipment{
		PortOfEntry: "GBLHR", TransportMode: "AIR", TransportID: "AC869", CountryOfDestination: "CA", ExitOffice: "GB000120", CarrierEORI: "GB025115100010", Incoterm: "DAP",
		CounterpartyName: "Maple Joinery Inc", CounterpartyAddress: "7 King Street", CounterpartyCity: "Toronto", CounterpartyCountry: "CA",
	}
	c.Client = customs.Client{Name: "Weald Filters Ltd", EORI: "GB205672212000", Country: "GB", Role: "EXPORTER"}
	c.Trader.EORI = "GB987654312000"
	return known(c)
}

var (
	check   = rulestest.NewCase[*body]
	message = rulestest.NewMessage[*body]
)

type testCase = rulestest.Case[*body]

// Most codes have no measures (DEC-022), many goods could have a preference (DEC-062), and every plain declaration gets usual
// values (DEC-2nn), so these count only in the cases about them.
var suite = rulestest.Suite[body, *body]{
	Rules: analysis.Rules, Prefix: "DEC", Examples: map[string]func() *body{"import": imported, "export": exported},
	Cases: slices.Concat(partyCases, journeyCases, codeCases, descriptionCases, massCases, quantityCases, valueCases, originCases, preferenceCases,
		sanctionCases, controlCases, licenceCases, procedureCases, dutyCases, documentCases, historyCases, settlementCases, usualCases, chargeCases, refusalCases),
	Messages: []rulestest.Message[*body]{
		message(imported, func(c *body) { c.Client.EORI = "GB12" }, "DEC-001", `"GB12"`),
		message(imported, func(c *body) { first(c).CommodityCode = "61091000" }, "DEC-019", "61091000 has 8 digits"),
		message(imported, func(c *body) { first(c).NetMassKg = pointer(quantity.MustMass("200")) }, "DEC-031", "200 kg and the gross mass 131 kg"),
		message(imported, func(c *body) { first(c).CustomsValueGBP = pointer(quantity.MustMoney("18500000.5")) }, "DEC-046", "£18500000.50 for 120.5 kg is £153526.98 a kilogram"),
		message(imported, madeIn("RU"), "DEC-064", "made in RU"),
		message(imported, claim("300"), "DEC-056", "BD"),
		message(imported, under("4053"), "DEC-093", "4053"),
		message(imported, under("5100"), "DEC-305", "IPO with C601"),
		message(imported, func(*body) {}, "DEC-204", "Nothing states the valuation method of item 1; 1 is declared."),
		message(imported, leaveOut(1, 3, 4, 5), "DEC-208", "Nothing states the gross mass of items 2, 4, 5 and 6; the net mass is declared."),
		message(imported, func(c *body) { c.Trader.DefermentAccount = "7654321" }, "DEC-223", "A00 E, B00 E is declared."),
		message(imported, both(goods("8712003000", "Bicycles", "1400", "21370", "100"), from("CN")), "DEC-099", "bicycles"),
		message(imported, before(3*days, customs.Cleared, true), "DEC-117", "TWS1 of 18 November 2026 too, which is CLEARED"),
	},
	Ignore:     append(usualCodes(), "DEC-022", "DEC-062"),
	ReviewFunc: withValues,
	Body:       func(_ testing.TB, c *body) (*body, rules.Facts) { return c, rules.Facts{Now: c.At} },
}

// usualCodes are the rules about usual values.
func usualCodes() (codes []string) {
	for _, k := range customs.UsualKinds {
		codes = append(codes, k.Code)
	}
	return codes
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }

func pointer[T any](v T) *T { return &v }
