package emcs_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

// reference reads an EMCS table without its header.
func reference(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("../../../../shared/domain/data/emcs/" + name)
	if err != nil {
		t.Skip("the EMCS tables are not available")
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 5 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), err)
	}
	return rows[1:]
}

// finding returns the finding with a code on a changed example.
func finding(code string, from func() body, change change) (rules.Finding, bool) {
	m := from()
	change(m)
	all := emcs.Rules.Review(m, rules.Facts{Now: now}).Findings
	if at := slices.IndexFunc(all, func(f rules.Finding) bool { return f.Code == code }); at >= 0 {
		return all[at], true
	}
	return rules.Finding{}, false
}

// Every excise product of the table is known, with its category, its unit and whether it has a strength.
func TestProducts(t *testing.T) {
	categories := map[string]emcs.Category{"B": emcs.Alcohol, "W": emcs.Alcohol, "I": emcs.Alcohol, "S": emcs.Alcohol, "T": emcs.Tobacco, "E": emcs.EnergyOils}
	for _, row := range reference(t, "BC36_ExciseProduct.csv") {
		is := func(m body) { m.ProductCode, m.Category, m.Strength = row[0], categories[row[1]], nil }
		for _, code := range []string{"EMCS-016", "EMCS-018"} {
			if f, ok := finding(code, whisky, is); ok {
				t.Errorf("%s: %+v", row[0], f)
			}
		}
		if _, asked := finding("EMCS-023", whisky, is); asked != (row[3] == "1") {
			t.Errorf("%s: strength required: %v", row[0], asked)
		}
		if _, pieces := finding("EMCS-032", whisky, is); pieces != (row[2] == "4") {
			t.Errorf("%s: counted in pieces: %v", row[0], pieces)
		}
		onlyMass := func(m body) { is(m); m.Litres = nil }
		if _, asked := finding("EMCS-029", whisky, onlyMass); asked != (row[2] == "2" || row[2] == "3") {
			t.Errorf("%s: litres required: %v", row[0], asked)
		}
	}
}

// The finding on a commodity code names every excise product of its goods.
func TestTariffCodes(t *testing.T) {
	for _, row := range reference(t, "E200_CorrespondenceCnCodeExciseProduct.csv") {
		code, product := row[0], row[1]
		if product[1:] == "999" {
			continue // test entries of the table
		}
		f, ok := finding("EMCS-017", whisky, func(m body) { m.ProductCode = code })
		if !ok || !strings.Contains(f.Message, product) {
			t.Errorf("%s does not suggest %s: %s", code, product, f.Message)
		}
	}
}

// Every packaging code of the table is known, and only countable packages need a number.
func TestPackagingCodes(t *testing.T) {
	for _, row := range reference(t, "BC17_PackagingCode.csv") {
		is := func(m body) { m.PackageType, m.Packages = row[0], nil }
		if f, ok := finding("EMCS-036", whisky, is); ok {
			t.Errorf("%s: %+v", row[0], f)
		}
		if _, ok := finding("EMCS-037", whisky, is); ok != (row[1] == "1") {
			t.Errorf("%s: number required: %v", row[0], ok)
		}
	}
	for _, code := range []string{"AK", "QT", "00", "ZE", "é"} {
		if _, ok := finding("EMCS-036", whisky, func(m body) { m.PackageType = code }); !ok {
			t.Errorf("%s was accepted as a packaging code", code)
		}
	}
}

// Usual descriptions of a product have no finding, and descriptions of another product have one.
func TestDescriptions(t *testing.T) {
	for _, c := range []struct{ code, right, wrong string }{
		{"B000", "Lager 5%;Barley wine 11%;Ginger beer;Beer in champagne bottles;Best bitter;Whisky barrel stout", "Cider;London gin;Red wine"},
		{"W200", "Merlot 2024;Medium dry cider;Sake junmai;Ginger wine;Prosecco frizzante;Red wine, 75 cl;Mead;Bag-in-box rosé", "Vodka;Pale ale;Cigars"},
		{"W300", "Prosecco DOC;Cava brut;Champagne;Sparkling wine;Sparkling perry", "Whisky;Lager"},
		{"I000", "Tawny port;Fino sherry;Vermouth rosso;Fortified wine;Madeira", "Single malt whisky;Stout"},
		{"S200", "Port Charlotte Islay malt;Fine champagne cognac;Sherry cask whisky;Sloe gin;Cider brandy;Cream liqueur;Vodka and lemonade, cans;Limoncello", "Red wine;Pilsner beer;Cigarettes"},
		{"S300", "Neutral grain spirit;Ethanol 96%;New make whisky", "Cabernet wine"},
		{"S500", "Vanilla extract in ethanol;Rum flavouring", "Lager"},
		{"T200", "Cigarettes, king size;Filter cigarettes (Virginia tobacco)", "Havana cigars"},
		{"T300", "Cigarillos;Half corona cigars", "Cigarettes"},
		{"T400", "Hand-rolling tobacco;Fine-cut tobacco for cigarettes", "Cigars"},
		{"T500", "Pipe tobacco;Heated tobacco sticks;Shisha molasses", "Cigarettes"},
		{"E200", "Soya oil for biodiesel;Rapeseed oil", "Unleaded petrol"},
		{"E420", "Unleaded petrol E10 with ethanol;Motor spirit;Gasoline", "Diesel;Propane"},
		{"E430", "Ultra low sulphur diesel B7 (FAME 7%);Gas oil", "Petrol;Kerosene"},
		{"E450", "Jet A-1 kerosene;Avtur", "Gasoil"},
		{"E470", "Heavy fuel oil 0.5%", "Propane"},
		{"E480", "White spirit", "LPG"},
		{"E500", "LPG;Propane;Butane mix", "Petrol"},
		{"E910", "Biodiesel;FAME from rapeseed", "Kerosene"},
		{"E930", "Diesel additive;Petrol additive", "Whisky"},
	} {
		says := func(text string) bool {
			describe := func(m body) { m.ProductCode, m.ProductDescription = c.code, text }
			_, other := finding("EMCS-021", whisky, describe)
			_, vague := finding("EMCS-020", whisky, describe)
			return other || vague
		}
		for text := range strings.SplitSeq(c.right, ";") {
			if says(text) {
				t.Errorf("%s: %q has a finding", c.code, text)
			}
		}
		for text := range strings.SplitSeq(c.wrong, ";") {
			if !says(text) {
				t.Errorf("%s: %q has no finding", c.code, text)
			}
		}
	}
}
