package cbam_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var periodCases = []scenario{
	{"the quarter runs", good, func(d *draft) { d.reviewed, d.terms.At = now, now }, []string{"001 " + info + " quarter"}},
	{"the last second of the quarter", good, func(d *draft) {
		d.reviewed = time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
		d.terms.At = d.reviewed
	}, []string{"001 " + info + " quarter"}},
	{"the first second after it", good, func(d *draft) {
		d.reviewed = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		d.terms.At = d.reviewed
	}, nil},
	{"drawn up too early", good, func(d *draft) { d.terms.At = now }, []string{"002 " + warning + " snapshotAt"}},
	{"no imports", good, func(d *draft) { d.imports = nil }, []string{"003 " + warning + " totalImportsCount"}},
	{"return late", in2027, func(d *draft) { d.reviewed = time.Date(2028, 6, 1, 0, 0, 0, 0, time.UTC) }, []string{"004 " + warning + " quarter"}},
	{"return on its last day", in2027, func(d *draft) { d.reviewed = time.Date(2028, 5, 31, 22, 59, 0, 0, time.UTC) }, nil},
	{"long after 2026", good, func(d *draft) { d.reviewed = time.Date(2029, 5, 31, 0, 0, 0, 0, time.UTC) }, nil},
}

// code gives the first import another commodity code.
func code(code string) func(*draft) { return func(d *draft) { d.imports[0].CommodityCode = code } }

var goodsCases = []scenario{
	{"code of letters", good, code("plates"), []string{"005 " + blocker + " imports.commodityCode"}},
	{"code of four digits", good, code("7208"), []string{"005 " + blocker + " imports.commodityCode"}},
	{"code of eleven digits", good, code("72085120000"), []string{"005 " + blocker + " imports.commodityCode"}},
	{"code in other digits", good, code("٧٢٠٨٥١٢٠"), []string{"005 " + blocker + " imports.commodityCode"}},
	{"code with points and spaces", good, code("7208.51 20.00"), nil},
	{"code of six digits", good, code("720851"), []string{"006 " + warning + " imports.commodityCode"}},
	{"code of six digits that may be calcined clay", good, func(d *draft) {
		d.imports[2].CommodityCode, d.imports[2].EmissionsKg = "250700", quantity.MustTotal("5600")
	},
		[]string{"006 " + warning + " imports.commodityCode"}},
	{"scrap", good, code("72044910"), []string{"007 " + blocker + " imports.commodityCode"}},
	{"ferro-silicon", good, code("72022100"), []string{"007 " + blocker + " imports.commodityCode"}},
	{"ferro-manganese", good, code("72021120"), nil},
	{"steel screws", good, code("7318159590"), nil},
	{"steel springs", good, code("73202081"), []string{"007 " + blocker + " imports.commodityCode"}},
	{"kaolin that is not calcined", good, func(d *draft) { d.imports[2].CommodityCode = "25070020" }, []string{"007 " + blocker + " imports.commodityCode"}},
	{"fertiliser of phosphate and potassium", fertilisers, func(d *draft) { d.imports[1].CommodityCode = "31056000" }, []string{"007 " + blocker + " imports.commodityCode"}},
	{"mixed fertiliser", fertilisers, func(d *draft) { d.imports[1].CommodityCode = "31052010" }, nil},
	{"furniture of six digits", good, code("940340"), []string{"007 " + blocker + " imports.commodityCode"}},
	{"aluminium as steel", good, func(d *draft) { d.imports[1].Category = cbam.IronSteel }, []string{"008 " + blocker + " imports.category"}},
	{"steel as cement", good, func(d *draft) { d.imports[0].Category = cbam.Cement }, []string{"008 " + blocker + " imports.category"}},
	{"electricity", good, func(d *draft) {
		d.imports = append(d.imports, supplied(4, cbam.Electricity, "27160000", "MA", "30000", "19800", "2400"))
	}, []string{"009 " + info + " imports.category"}},
}

// origin gives the last import, of cement, another country of origin.
func origin(country string) func(*draft) {
	return func(d *draft) { d.imports[len(d.imports)-1].CountryOfOrigin = country }
}

var originCases = []scenario{
	{"from Germany in 2026", good, origin("DE"), []string{"010 " + info + " imports.countryOfOrigin"}},
	{"from Norway in 2026", good, origin("NO"), []string{"010 " + info + " imports.countryOfOrigin"}},
	{"from Germany in 2027", in2027, origin("DE"), []string{"010 " + info + " imports.countryOfOrigin"}},
	{"from Serbia", good, origin("RS"), nil},
	{"from Great Britain", good, origin("GB"), []string{"011 " + warning + " imports.countryOfOrigin"}},
	{"from Northern Ireland in 2027", in2027, origin("XI"), []string{"011 " + warning + " imports.countryOfOrigin"}},
	{"from Jersey", good, origin("JE"), nil},
	{"from Russia", good, origin("RU"), []string{"012 " + blocker + " imports.countryOfOrigin"}},
	{"from Belarus", good, origin("BY"), []string{"012 " + warning + " imports.countryOfOrigin"}},
	{"from Ukraine", good, origin("UA"), nil},
	{"from China", good, origin("CN"), nil},
	{"steel from Turkey", good, func(d *draft) { d.imports[0].CountryOfOrigin = "TR" }, []string{"013 " + info + " imports.countryOfOrigin"}},
	{"aluminium from the Emirates", good, func(d *draft) { d.imports[1].CountryOfOrigin = "AE" }, nil},
}

// weighing gives the first import another mass, and emissions and a value to match.
func weighing(tonnes int64) func(*draft) {
	return func(d *draft) {
		e := &d.imports[0]
		e.NetMassKg, e.CustomsValueGBP = quantity.MustMass(fmt.Sprint(tonnes*1000)), money(fmt.Sprint(tonnes*300))
		e.EmissionsKg = quantity.MustTotal(fmt.Sprint(tonnes * 2000))
	}
}

var amountCases = []scenario{
	{"no mass", good, func(d *draft) { d.imports[0].NetMassKg = quantity.Mass{} }, []string{"014 " + blocker + " imports.netMassKg"}},
	{"a milligram", good, func(d *draft) {
		d.imports[0].NetMassKg, d.imports[0].EmissionsKg, d.imports[0].CustomsValueGBP = quantity.MustMass("0.000001"), quantity.MustTotal("0.000002"), money("0")
	}, []string{"017 " + info + " imports.customsValueGbp"}},
	{"plates by the shipload", single, weighing(60_000), []string{"029 " + info + " totalNetMassKg"}},
	{"more plates than that", single, weighing(60_001), []string{"015 " + warning + " imports.netMassKg", "029 " + info + " totalNetMassKg"}},
	{"more than all ships", single, weighing(1_000_001), []string{"015 " + blocker + " imports.netMassKg", "029 " + info + " totalNetMassKg"}},
	{"clinker by the shipload", func() *draft {
		d := single()
		d.imports[0].Category, d.imports[0].CommodityCode = cbam.Cement, "25231000"
		return d
	}, weighing(75_000), []string{"029 " + info + " totalNetMassKg"}},
	{"recorded twice", good, func(d *draft) {
		again := d.imports[2]
		again.ID, again.RecordedAt = "0192f3c4-7a10-7c3e-8f00-000000000009", again.RecordedAt.Add(time.Minute)
		d.imports = append(d.imports, again)
	}, []string{"016 " + warning + " imports", "029 " + info + " totalNetMassKg"}},
	{"the same again a week later", good, func(d *draft) {
		again := d.imports[2]
		again.ID, again.RecordedAt = "0192f3c4-7a10-7c3e-8f00-000000000009", again.RecordedAt.Add(7*24*time.Hour)
		d.imports = append(d.imports, again)
	}, []string{"029 " + info + " totalNetMassKg"}},
	{"the next lorry of a series", good, func(d *draft) {
		again := d.imports[2]
		again.ID, again.Notes = "0192f3c4-7a10-7c3e-8f00-000000000009", "lorry 2"
		d.imports = append(d.imports, again)
	}, []string{"029 " + info + " totalNetMassKg"}},
	{"no value in 2026", good, func(d *draft) { d.imports[0].CustomsValueGBP = nil }, []string{"017 " + info + " imports.customsValueGbp"}},
	{"no value in 2027", in2027, func(d *draft) { d.imports[0].CustomsValueGBP = nil }, []string{"017 " + warning + " imports.customsValueGbp"}},
	{"worth nothing", good, func(d *draft) { d.imports[0].CustomsValueGBP = money("0") }, []string{"017 " + info + " imports.customsValueGbp"}},
	{"pence for tonnes", good, func(d *draft) { d.imports[0].CustomsValueGBP = money("149.99") }, []string{"018 " + warning + " imports.customsValueGbp"}},
	{"cheap", good, func(d *draft) { d.imports[0].CustomsValueGBP = money("150") }, nil},
	{"plates of platinum", good, func(d *draft) { d.imports[0].CustomsValueGBP = money("75000001") }, []string{"018 " + warning + " imports.customsValueGbp"}},
	{"screws of aircraft", good, func(d *draft) {
		d.imports[0].CommodityCode, d.imports[0].CustomsValueGBP = "73181595", money("30000000")
	}, nil},
}

// estimate takes the supplier's figure out of an import.
func estimate(e *cbam.Entry) { e.Source, e.Basis = cbam.EstimatedDefault, cbam.OnDefaultValue }

// figure gives the plates other emissions than the supplier's.
func figure(kg string) func(*draft) {
	return func(d *draft) { d.imports[0].EmissionsKg = quantity.MustTotal(kg) }
}

var figureCases = []scenario{
	{"much without supplier", good, func(d *draft) { estimate(&d.imports[0]) }, []string{"019 " + warning + " imports.embeddedEmissionsKgCo2"}},
	{"a little without supplier", good, func(d *draft) {
		estimate(&d.imports[2])
		d.imports[2].EmissionsKg = quantity.MustTotal("13000")
	}, []string{"019 " + info + " imports.embeddedEmissionsKgCo2"}},
	{"all without supplier", single, func(d *draft) { estimate(&d.imports[0]) }, []string{"019 " + warning + " imports.embeddedEmissionsKgCo2"}},
	{"estimated coarsely", good, func(d *draft) {
		estimate(&d.imports[0])
		d.imports[0].Basis = cbam.OnGoods
	}, []string{"019 " + warning + " imports.embeddedEmissionsKgCo2", "020 " + info + " byBasis"}},
	{"estimate of nothing", single, func(d *draft) {
		estimate(&d.imports[0])
		d.imports[0].EmissionsKg = quantity.Total{}
	}, []string{"019 " + warning + " imports.embeddedEmissionsKgCo2"}},
	{"plates without emissions", single, figure("0"), []string{"021 " + blocker + " imports.embeddedEmissionsKgCo2"}},
	{"hydrogen without emissions", fertilisers, func(d *draft) { d.imports[3].EmissionsKg = quantity.Total{} }, []string{"023 " + info + " imports.embeddedEmissionsKgCo2"}},
	{"tonnes for kilograms", single, figure("31.5"), []string{"021 " + blocker + " imports.embeddedEmissionsKgCo2"}},
	{"half of the least", single, figure("975"), []string{"022 " + warning + " imports.embeddedEmissionsKgCo2"}},
	{"a gram under half of the least", single, figure("974.9"), []string{"021 " + blocker + " imports.embeddedEmissionsKgCo2"}},
	{"the least", single, figure("1950"), []string{"023 " + info + " imports.embeddedEmissionsKgCo2"}},
	{"the most", single, figure("123750"), nil},
	{"more than the most", single, figure("123751"), []string{"022 " + warning + " imports.embeddedEmissionsKgCo2"}},
	{"half as much again as the most", single, figure("185625"), []string{"022 " + warning + " imports.embeddedEmissionsKgCo2"}},
	{"more than that", single, figure("185626"), []string{"021 " + blocker + " imports.embeddedEmissionsKgCo2"}},
	{"an electric arc furnace", single, figure("9000"), []string{"023 " + info + " imports.embeddedEmissionsKgCo2"}},
	{"half of what is typical", single, figure("15900"), nil},
	{"aluminium from scrap", good, func(d *draft) {
		d.imports[1].EmissionsKg, d.imports[2].EmissionsKg = quantity.MustTotal("4800"), quantity.MustTotal("24000")
	},
		[]string{"023 " + info + " imports.embeddedEmissionsKgCo2"}},
	{"aluminium with its electricity", good, func(d *draft) {
		d.imports[1].NetMassKg, d.imports[1].EmissionsKg = quantity.MustMass("3000"), quantity.MustTotal("60000")
	}, []string{"022 " + warning + " imports.embeddedEmissionsKgCo2"}},
	{"aluminium beyond that", good, func(d *draft) {
		d.imports[1].NetMassKg, d.imports[1].EmissionsKg = quantity.MustMass("3000"), quantity.MustTotal("60001")
	}, []string{"021 " + blocker + " imports.embeddedEmissionsKgCo2"}},
	{"one factor for everything", good, func(d *draft) {
		for n, kg := range []string{"18000", "14400", "24000"} {
			d.imports[n].EmissionsKg = quantity.MustTotal(kg)
		}
	}, []string{"024 " + warning + " imports.embeddedEmissionsKgCo2"}},
	{"one factor for two of three", good, func(d *draft) {
		d.imports[0].EmissionsKg, d.imports[1].EmissionsKg = quantity.MustTotal("25500"), quantity.MustTotal("20400")
	}, nil},
	{"a figure without notes", good, func(d *draft) { d.imports[0].Notes = " \t" }, []string{"025 " + info + " imports.notes"}},
	{"an estimate without notes", single, func(d *draft) { estimate(&d.imports[0]); d.imports[0].Notes = "" }, []string{"019 " + warning + " imports.embeddedEmissionsKgCo2"}},
	{"implausible of an unknown code", single, func(d *draft) { code("x")(d); figure("300000")(d) }, []string{"005 " + blocker + " imports.commodityCode", "021 " + blocker + " imports.embeddedEmissionsKgCo2"}},
	{"plausible of an unknown code", single, func(d *draft) { code("x")(d); figure("150000")(d) }, []string{"005 " + blocker + " imports.commodityCode"}},
}

var concentrationCases = []scenario{
	{"most from one country", good, func(d *draft) { d.imports[0].EmissionsKg = quantity.MustTotal("123000") }, []string{"026 " + info + " byCountry"}},
	{"nearly all from one country", good, func(d *draft) {
		d.imports[1].CountryOfOrigin, d.imports[2].EmissionsKg = "KR", quantity.MustTotal("13200")
	}, []string{"026 " + warning + " byCountry"}},
	{"a shipload beside little", good, func(d *draft) {
		d.imports[0].EmissionsKg = quantity.MustTotal("210000")
		d.imports[0].NetMassKg = quantity.MustMass("90000")
	}, []string{"026 " + info + " byCountry", "029 " + info + " totalNetMassKg"}},
	{"two from one country", good, func(d *draft) { d.imports = d.imports[:2]; d.imports[1].CountryOfOrigin = "KR" }, []string{"026 " + info + " byCountry"}},
	{"one import alone", single, func(*draft) {}, nil},
	{"three from three countries", good, func(*draft) {}, nil},
	{"one import with most", good, func(d *draft) {
		for n := range 3 {
			e := supplied(n+4, cbam.Aluminium, "76042990", []string{"AE", "BH", "CA"}[n], "1000", "2200", "2900")
			e.EmissionsKg = quantity.MustTotal(fmt.Sprint(2200 + n))
			d.imports = append(d.imports, e)
		}
		d.imports[0].EmissionsKg = quantity.MustTotal("48000")
		d.imports[2].NetMassKg = quantity.MustMass("18000")
	}, []string{"027 " + info + " imports"}},
	{"five alike", good, func(d *draft) {
		d.imports = slices.Concat(d.imports, fertilisers().imports[:2])
		d.imports[3].ID, d.imports[4].ID = "0192f3c4-7a10-7c3e-8f00-000000000008", "0192f3c4-7a10-7c3e-8f00-000000000009"
	}, []string{"029 " + info + " totalNetMassKg"}},
	{"the UK's threshold near", good, func(d *draft) { d.terms.YearPence = 40_000_00 }, []string{"028 " + info + " valueLast12MonthsGbp"}},
	{"the UK's threshold reached", in2027, func(d *draft) { d.terms.YearPence = 50_000_00 }, []string{"028 " + info + " valueLast12MonthsGbp"}},
	{"the UK's threshold far", in2027, func(d *draft) { d.terms.YearPence = 39_999_99 }, nil},
	{"the Union's threshold", good, func(d *draft) { d.imports[2].NetMassKg = quantity.MustMass("23000") }, []string{"029 " + info + " totalNetMassKg"}},
	{"short of the Union's threshold", good, func(d *draft) { d.imports[2].NetMassKg = quantity.MustMass("22999.999999") }, nil},
	{"a later year", func() *draft {
		d := good()
		d.quarter = calendar.Quarter{Year: 2028, Number: 3}
		d.terms.At, d.reviewed = time.Date(2028, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2028, 11, 1, 0, 0, 0, 0, time.UTC)
		return d
	}, func(*draft) {}, nil},
}
