package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// measured reviews with recorded measures, and returns the findings about them.
func measured(l *official.Library, changes ...change) (found []rules.Finding) {
	c := imported()
	for _, change := range changes {
		change(c)
	}
	c.Charges = customs.ChargeSource(l, nil)
	for _, f := range judged(c).Findings {
		if strings.HasPrefix(f.Code, "DEC-13") {
			found = append(found, f)
		}
	}
	return found
}

func fats(c *body) { goods("1516209821", "Biodiesel of rapeseed oil", "1000", "1000", "")(c) }

func asses(c *body) { goods("0101300000", "Live asses", "1000", "1000", "5")(c) }

func codes(taric, national string) change {
	return func(c *body) {
		first(c).TARICAdditionalCodes, first(c).NationalAdditionalCodes = strings.Fields(taric), strings.Fields(national)
	}
}

func biodieselTonne(c *body) {
	first(c).TaxLines = []datamodel.TaxLine{{Type: "A30", BaseQuantity: &datamodel.Measure{Value: number("1"), Unit: "TNE#I"}}}
}

// The measures of a code become findings: documents that they demand, codes that choose, what is claimed without ground, what is
// missing, and what would cost less. Each has the words that a reader needs.
func TestMeasures(t *testing.T) {
	l := storetest.Recorded(t, storetest.SQLite(t).Open(t), "1516209821_2025-06-04_uk.json", "0101300000_2022-09-05_uk.json", "0101210000_2025-02-20_uk.json")
	for name, c := range map[string]struct {
		changes []change
		want    string
	}{
		"documents and a code": {[]change{fats, madeIn("CA")},
			`DEC-130 warning items[0].documents: Measure 350 (Animal Health Certificate) under C0000/21 asks for 9120 (DE 2/3) with 1516209821, and the item has none.
DEC-130 warning items[0].documents: Measure 755 (Import control - waste) under S.I. 2019/590 asks for one of C672, C669, Y923, C670 (DE 2/3) with 1516209821, and the item has none.
DEC-134 warning items[0].taricAdditionalCodes: Duties on 1516209821 from CA differ by additional code: B107, B108, B999, C114. The item has none of them, and the highest is estimated.
DEC-135 info items[0].nationalAdditionalCodes: The tariff has the VAT rate VATZ for 1516209821 too, and the standard rate is estimated.
DEC-136 info items[0].commodityCode: The estimate for 1516209821 is not complete. How much is it in the unit 1000 kg/biodiesel?`},
		"everything is declared": {[]change{fats, madeIn("CA"), codes("B999", "VATZ"), biodieselTonne, claim("300"), with("U110 9120 Y923")}, ``},
		"universal waiver":       {[]change{fats, madeIn("CA"), codes("B999", "VATZ"), biodieselTonne, claim("300"), with("U110 999L")}, ``},
		"cheaper preference":     {[]change{asses, madeIn("FR")}, `DEC-137 info items[0].preferenceCode: £72.00 less with preference 300 (Tariff preference: European Union), which needs a proof of origin.`},
		"preference that is not": {[]change{asses, madeIn("CN"), claim("300"), with("C640 Y929")}, `DEC-133 warning items[0].preferenceCode: The item claims preference 300, which the tariff does not have for goods of CN, so the full duty is charged.`},
		"VAT rate that is not": {[]change{asses, madeIn("FR"), claim("300"), codes("", "VATZ"), with("U116")},
			`DEC-133 warning items[0].nationalAdditionalCodes: The code has no VAT measure for the choice VATZ.`},
		"quota that is not": {[]change{asses, madeIn("FR"), claim("320"), func(c *body) { first(c).QuotaOrderNumber = "050001" }},
			`DEC-133 warning items[0].preferenceCode: The item claims the quota 050001 with preference 320, which the tariff does not have for goods of FR, so the full duty is charged.
DEC-133 warning items[0].quotaOrderNumber: The code has no quota 050001 for this origin.
DEC-137 info items[0].preferenceCode: £72.00 less with preference 300 (Tariff preference: European Union), which needs a proof of origin.`},
		"two items alike": {[]change{fats, madeIn("CA"), codes("B999", "VATZ"), biodieselTonne, claim("300"), with("U110 9120"), repeated},
			`DEC-130 warning items[0].documents: Items 1 and 2: Measure 755 (Import control - waste) under S.I. 2019/590 asks for one of C672, C669, Y923, C670 (DE 2/3) with 1516209821, and the item has none.`},
		"code of the own table": {[]change{madeIn("BD")}, ``},
		"export":                {[]change{asses, func(c *body) { c.Declaration.DeclarationType = customs.Export }}, ``},
	} {
		var got []string
		for _, f := range measured(l, c.changes...) {
			got = append(got, f.Code+" "+string(f.Severity)+" "+f.Field+": "+f.Message)
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s:\n%s\nand not\n%s", name, text, c.want)
		}
	}
}

func repeated(c *body) { c.Declaration.Items = append(c.Declaration.Items, *first(c)) }

// What the tables of third-country duty only guess is left to the measures: the tariff knows the code, its preferences and remedies.
func TestMeasuresReplaceTables(t *testing.T) {
	l := storetest.Recorded(t, storetest.SQLite(t).Open(t), "1516209821_2025-06-04_uk.json")
	c := imported()
	fats(c)
	first(c).CountryOfOrigin = "CA"
	has := func(code string) bool {
		return slices.ContainsFunc(judged(c).Findings, func(f rules.Finding) bool { return f.Code == code })
	}
	if !has("DEC-022") {
		t.Error("without measures the code is known")
	}
	if c.Charges = customs.ChargeSource(l, nil); has("DEC-022") || has("DEC-062") || has("DEC-099") {
		t.Error("a table says what the measures say")
	}
}
