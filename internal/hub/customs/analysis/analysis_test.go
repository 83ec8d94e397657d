package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
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
	c.Tariff, c.At, c.Filing.CreatedAt = tariff.Own(), now, now
	return c
}

func judged(c *body) rules.Review { return analysis.Judge(c, rules.Facts{Now: c.At}) }

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
		CommodityCode: "6109100010", Description: "Men's knitted cotton T-shirts", NetMassKg: quantity.MustMass("120.5"), GrossMassKg: &gross,
		CustomsValueGBP: quantity.MustMoney("1850"), CountryOfOrigin: "BD", Quantity: &pieces, PackageCount: &packages, PackageType: "CT", PreferenceCode: "100",
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
		CommodityCode: "84213985", Description: "Dust extraction filters for workshops", NetMassKg: quantity.MustMass("640"), GrossMassKg: &gross,
		CustomsValueGBP: quantity.MustMoney("21970"), CountryOfOrigin: "GB", PackageCount: &packages, PackageType: "CT",
	}}, Documents: []customs.Document{{Type: "N935", Reference: "F-9"}}}
	c.Shipment = customs.Shipment{
		PortOfEntry: "GBLHR", TransportMode: "AIR", TransportID: "AC869", CountryOfDestination: "CA", ExitOffice: "GB000120", CarrierEORI: "GB025115100010", Incoterm: "DAP",
		CounterpartyName: "Maple Joinery Inc", CounterpartyAddress: "7 King Street", CounterpartyCity: "Toronto", CounterpartyCountry: "CA",
	}
	c.Client = customs.Client{Name: "Weald Filters Ltd", EORI: "GB205672212000", Country: "GB", Role: "EXPORTER"}
	c.Trader.EORI = "GB987654312000"
	return known(c)
}

// scenario changes one thing about a declaration in good order and names what is
// found of the rules that it is about.
type scenario struct {
	name   string
	from   func() *body
	change change
	want   []string // as "001b client.eori": number of the rule, first letter of the severity, field
}

// found is the review of a changed example, each finding as "001w client.eori". Notes
// that have nothing to do with most cases are left out unless they are asked for: that
// no measure is known for a code, and that a preference might spare duty.
func found(from func() *body, change change, asked ...string) []string {
	c := from()
	change(c)
	codes := []string{}
	for _, f := range judged(c).Findings {
		code := fmt.Sprintf("%s%c %s", strings.TrimPrefix(f.Code, "DEC-"), f.Severity[0], f.Field)
		if number := code[:3]; number != "022" && number != "062" || slices.Contains(asked, code) {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// An example in good order has no finding but the one note.
func TestExamplesAreClean(t *testing.T) {
	for name, from := range map[string]func() *body{"import": imported, "export": exported} {
		if got := found(from, func(*body) {}); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Each fault is found by its own rule, on its own field, with its own severity, and by
// no other; what looks like it is let be.
func TestRules(t *testing.T) {
	for _, c := range scenarios() {
		t.Run(c.name, func(t *testing.T) {
			want := slices.Sorted(slices.Values(c.want))
			if got := found(c.from, c.change, c.want...); !slices.Equal(got, want) {
				t.Errorf("found %q, not %q", got, want)
			}
		})
	}
}

// No rule goes without a case that it finds something in.
func TestEveryRuleIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range scenarios() {
		for _, w := range c.want {
			tried["DEC-"+w[:3]] = true
		}
	}
	for _, e := range analysis.Rules.Catalogue() {
		if !tried[e.Code] {
			t.Errorf("%s %s", e.Code, e.Title)
		}
	}
}

// The catalogue counts up without gaps, and gives every rule a field, a title and a source.
func TestCatalogue(t *testing.T) {
	all := analysis.Rules.Catalogue()
	if len(all) < 40 {
		t.Errorf("only %d rules", len(all))
	}
	for i, e := range all {
		if want := fmt.Sprintf("DEC-%03d", i+1); e.Code != want {
			t.Errorf("%s stands where %s belongs", e.Code, want)
		}
		if e.Field == "" || e.Title == "" || e.Source == "" || e.Severity == "" {
			t.Errorf("%+v", e)
		}
	}
}
