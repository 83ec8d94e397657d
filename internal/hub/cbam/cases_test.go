package cbam_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var periodCases = []testCase{
	check("the quarter runs", good, func(d *draft) { d.reviewed, d.terms.At = now, now }, "CBAM-001 info quarter"),
	check("the last second of the quarter", good, func(d *draft) {
		d.reviewed = time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
		d.terms.At = d.reviewed
	}, "CBAM-001 info quarter"),
	check("the first second after it", good, func(d *draft) {
		d.reviewed = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		d.terms.At = d.reviewed
	}),
	check("created too early", good, func(d *draft) { d.terms.At = now }, "CBAM-002 warning snapshotAt"),
	check("no imports", good, func(d *draft) { d.imports = nil }, "CBAM-003 warning totalImportsCount"),
	check("return late", in2027, func(d *draft) { d.reviewed = time.Date(2028, 6, 1, 0, 0, 0, 0, time.UTC) }, "CBAM-004 warning quarter"),
	check("return on its last day", in2027, func(d *draft) { d.reviewed = time.Date(2028, 5, 31, 22, 59, 0, 0, time.UTC) }),
	check("long after 2026", good, func(d *draft) { d.reviewed = time.Date(2029, 5, 31, 0, 0, 0, 0, time.UTC) }),
}

// code changes the commodity code of the first import.
func code(code string) func(*draft) { return func(d *draft) { d.imports[0].CommodityCode = code } }

var goodsCases = []testCase{
	check("code of letters", good, code("plates"), "CBAM-005 blocker imports.commodityCode"),
	check("code of four digits", good, code("7208"), "CBAM-005 blocker imports.commodityCode"),
	check("code of eleven digits", good, code("72085120000"), "CBAM-005 blocker imports.commodityCode"),
	check("code in other digits", good, code("٧٢٠٨٥١٢٠"), "CBAM-005 blocker imports.commodityCode"),
	check("code with points and spaces", good, code("7208.51 20.00")),
	check("code of six digits", good, code("720851"), "CBAM-006 warning imports.commodityCode"),
	check("code of six digits that may be calcined clay", good, func(d *draft) {
		d.imports[2].CommodityCode, d.imports[2].EmissionsKg = "250700", quantity.MustTotal("5600")
	},
		"CBAM-006 warning imports.commodityCode"),
	check("scrap", good, code("72044910"), "CBAM-007 blocker imports.commodityCode"),
	check("ferro-silicon", good, code("72022100"), "CBAM-007 blocker imports.commodityCode"),
	check("ferro-manganese", good, code("72021120")),
	check("steel screws", good, code("7318159590")),
	check("steel springs", good, code("73202081"), "CBAM-007 blocker imports.commodityCode"),
	check("kaolin that is not calcined", good, func(d *draft) { d.imports[2].CommodityCode = "25070020" }, "CBAM-007 blocker imports.commodityCode"),
	check("fertiliser of phosphate and potassium", fertilisers, func(d *draft) { d.imports[1].CommodityCode = "31056000" }, "CBAM-007 blocker imports.commodityCode"),
	check("mixed fertiliser", fertilisers, func(d *draft) { d.imports[1].CommodityCode = "31052010" }),
	check("furniture of six digits", good, code("940340"), "CBAM-007 blocker imports.commodityCode"),
	check("aluminium as steel", good, func(d *draft) { d.imports[1].Category = cbam.IronSteel }, "CBAM-008 blocker imports.category"),
	check("steel as cement", good, func(d *draft) { d.imports[0].Category = cbam.Cement }, "CBAM-008 blocker imports.category"),
	check("electricity", good, func(d *draft) {
		d.imports = append(d.imports, supplied(4, cbam.Electricity, "27160000", "MA", "30000", "19800", "2400"))
	}, "CBAM-009 info imports.category"),
}

// origin changes the country of origin of the last import, of cement.
func origin(country string) func(*draft) {
	return func(d *draft) { d.imports[len(d.imports)-1].CountryOfOrigin = country }
}

var originCases = []testCase{
	check("from Germany in 2026", good, origin("DE"), "CBAM-010 info imports.countryOfOrigin"),
	check("from Norway in 2026", good, origin("NO"), "CBAM-010 info imports.countryOfOrigin"),
	check("from Germany in 2027", in2027, origin("DE"), "CBAM-010 info imports.countryOfOrigin"),
	check("from Serbia", good, origin("RS")),
	check("from Great Britain", good, origin("GB"), "CBAM-011 warning imports.countryOfOrigin"),
	check("from Northern Ireland in 2027", in2027, origin("XI"), "CBAM-011 warning imports.countryOfOrigin"),
	check("from Jersey", good, origin("JE")),
	check("from Russia", good, origin("RU"), "CBAM-012 blocker imports.countryOfOrigin"),
	check("from Belarus", good, origin("BY"), "CBAM-012 warning imports.countryOfOrigin"),
	check("from Ukraine", good, origin("UA")),
	check("from China", good, origin("CN")),
	check("steel from Turkey", good, func(d *draft) { d.imports[0].CountryOfOrigin = "TR" }, "CBAM-013 info imports.countryOfOrigin"),
	check("aluminium from the Emirates", good, func(d *draft) { d.imports[1].CountryOfOrigin = "AE" }),
}

// weighing changes the mass of the first import, with matching emissions and value.
func weighing(tonnes int64) func(*draft) {
	return func(d *draft) {
		e := &d.imports[0]
		e.NetMassKg, e.CustomsValueGBP = quantity.MustMass(fmt.Sprint(tonnes*1000)), money(fmt.Sprint(tonnes*300))
		e.EmissionsKg = quantity.MustTotal(fmt.Sprint(tonnes * 2000))
	}
}

var amountCases = []testCase{
	check("no mass", good, func(d *draft) { d.imports[0].NetMassKg = quantity.Mass{} }, "CBAM-014 blocker imports.netMassKg"),
	check("a milligram", good, func(d *draft) {
		d.imports[0].NetMassKg, d.imports[0].EmissionsKg, d.imports[0].CustomsValueGBP = quantity.MustMass("0.000001"), quantity.MustTotal("0.000002"), money("0")
	}, "CBAM-017 info imports.customsValueGbp"),
	check("plates by the shipload", single, weighing(60_000), "CBAM-029 info totalNetMassKg"),
	check("more plates than that", single, weighing(60_001), "CBAM-015 warning imports.netMassKg", "CBAM-029 info totalNetMassKg"),
	check("more than all ships", single, weighing(1_000_001), "CBAM-015 blocker imports.netMassKg", "CBAM-029 info totalNetMassKg"),
	check("clinker by the shipload", func() *draft {
		d := single()
		d.imports[0].Category, d.imports[0].CommodityCode = cbam.Cement, "25231000"
		return d
	}, weighing(75_000), "CBAM-029 info totalNetMassKg"),
	check("recorded twice", good, func(d *draft) {
		again := d.imports[2]
		again.ID, again.RecordedAt = "0192f3c4-7a10-7c3e-8f00-000000000009", again.RecordedAt.Add(time.Minute)
		d.imports = append(d.imports, again)
	}, "CBAM-016 warning imports", "CBAM-029 info totalNetMassKg"),
	check("the same again a week later", good, func(d *draft) {
		again := d.imports[2]
		again.ID, again.RecordedAt = "0192f3c4-7a10-7c3e-8f00-000000000009", again.RecordedAt.Add(7*24*time.Hour)
		d.imports = append(d.imports, again)
	}, "CBAM-029 info totalNetMassKg"),
	check("the next lorry of a series", good, func(d *draft) {
		again := d.imports[2]
		again.ID, again.Notes = "0192f3c4-7a10-7c3e-8f00-000000000009", "lorry 2"
		d.imports = append(d.imports, again)
	}, "CBAM-029 info totalNetMassKg"),
	check("no value in 2026", good, func(d *draft) { d.imports[0].CustomsValueGBP = nil }, "CBAM-017 info imports.customsValueGbp"),
	check("no value in 2027", in2027, func(d *draft) { d.imports[0].CustomsValueGBP = nil }, "CBAM-017 warning imports.customsValueGbp"),
	check("worth nothing", good, func(d *draft) { d.imports[0].CustomsValueGBP = money("0") }, "CBAM-017 info imports.customsValueGbp"),
	check("pence for tonnes", good, func(d *draft) { d.imports[0].CustomsValueGBP = money("149.99") }, "CBAM-018 warning imports.customsValueGbp"),
	check("cheap", good, func(d *draft) { d.imports[0].CustomsValueGBP = money("150") }),
	check("plates of platinum", good, func(d *draft) { d.imports[0].CustomsValueGBP = money("75000001") }, "CBAM-018 warning imports.customsValueGbp"),
	check("screws of aircraft", good, func(d *draft) {
		d.imports[0].CommodityCode, d.imports[0].CustomsValueGBP = "73181595", money("30000000")
	}),
}

// estimate replaces the supplier's figure of an import with an estimate.
func estimate(e *cbam.Entry) { e.Source, e.Basis = cbam.EstimatedDefault, cbam.OnDefaultValue }

// figure changes the emissions of the first import.
func figure(kg string) func(*draft) {
	return func(d *draft) { d.imports[0].EmissionsKg = quantity.MustTotal(kg) }
}

var figureCases = []testCase{
	check("much without supplier", good, func(d *draft) { estimate(&d.imports[0]) }, "CBAM-019 warning imports.embeddedEmissionsKgCo2"),
	check("a little without supplier", good, func(d *draft) {
		estimate(&d.imports[2])
		d.imports[2].EmissionsKg = quantity.MustTotal("13000")
	}, "CBAM-019 info imports.embeddedEmissionsKgCo2"),
	check("all without supplier", single, func(d *draft) { estimate(&d.imports[0]) }, "CBAM-019 warning imports.embeddedEmissionsKgCo2"),
	check("estimated coarsely", good, func(d *draft) {
		estimate(&d.imports[0])
		d.imports[0].Basis = cbam.OnGoods
	}, "CBAM-019 warning imports.embeddedEmissionsKgCo2", "CBAM-020 info byBasis"),
	check("estimate of nothing", single, func(d *draft) {
		estimate(&d.imports[0])
		d.imports[0].EmissionsKg = quantity.Total{}
	}, "CBAM-019 warning imports.embeddedEmissionsKgCo2"),
	check("plates without emissions", single, figure("0"), "CBAM-021 blocker imports.embeddedEmissionsKgCo2"),
	check("hydrogen without emissions", fertilisers, func(d *draft) { d.imports[3].EmissionsKg = quantity.Total{} }, "CBAM-023 info imports.embeddedEmissionsKgCo2"),
	check("tonnes for kilograms", single, figure("31.5"), "CBAM-021 blocker imports.embeddedEmissionsKgCo2"),
	check("half of the least", single, figure("975"), "CBAM-022 warning imports.embeddedEmissionsKgCo2"),
	check("a gram under half of the least", single, figure("974.9"), "CBAM-021 blocker imports.embeddedEmissionsKgCo2"),
	check("the least", single, figure("1950"), "CBAM-023 info imports.embeddedEmissionsKgCo2"),
	check("the most", single, figure("123750")),
	check("more than the most", single, figure("123751"), "CBAM-022 warning imports.embeddedEmissionsKgCo2"),
	check("half as much again as the most", single, figure("185625"), "CBAM-022 warning imports.embeddedEmissionsKgCo2"),
	check("more than that", single, figure("185626"), "CBAM-021 blocker imports.embeddedEmissionsKgCo2"),
	check("an electric arc furnace", single, figure("9000"), "CBAM-023 info imports.embeddedEmissionsKgCo2"),
	check("half of the typical value", single, figure("15900")),
	check("aluminium from scrap", good, func(d *draft) {
		d.imports[1].EmissionsKg, d.imports[2].EmissionsKg = quantity.MustTotal("4800"), quantity.MustTotal("24000")
	},
		"CBAM-023 info imports.embeddedEmissionsKgCo2"),
	check("aluminium with its electricity", good, func(d *draft) {
		d.imports[1].NetMassKg, d.imports[1].EmissionsKg = quantity.MustMass("3000"), quantity.MustTotal("60000")
	}, "CBAM-022 warning imports.embeddedEmissionsKgCo2"),
	check("aluminium beyond that", good, func(d *draft) {
		d.imports[1].NetMassKg, d.imports[1].EmissionsKg = quantity.MustMass("3000"), quantity.MustTotal("60001")
	}, "CBAM-021 blocker imports.embeddedEmissionsKgCo2"),
	check("one factor for everything", good, func(d *draft) {
		for n, kg := range []string{"18000", "14400", "24000"} {
			d.imports[n].EmissionsKg = quantity.MustTotal(kg)
		}
	}, "CBAM-024 warning imports.embeddedEmissionsKgCo2"),
	check("one factor for two of three", good, func(d *draft) {
		d.imports[0].EmissionsKg, d.imports[1].EmissionsKg = quantity.MustTotal("25500"), quantity.MustTotal("20400")
	}),
	check("a figure without notes", good, func(d *draft) { d.imports[0].Notes = " \t" }, "CBAM-025 info imports.notes"),
	check("an estimate without notes", single, func(d *draft) { estimate(&d.imports[0]); d.imports[0].Notes = "" }, "CBAM-019 warning imports.embeddedEmissionsKgCo2"),
	check("implausible of an unknown code", single, func(d *draft) { code("x")(d); figure("300000")(d) }, "CBAM-005 blocker imports.commodityCode", "CBAM-021 blocker imports.embeddedEmissionsKgCo2"),
	check("plausible of an unknown code", single, func(d *draft) { code("x")(d); figure("150000")(d) }, "CBAM-005 blocker imports.commodityCode"),
}

var concentrationCases = []testCase{
	check("most from one country", good, func(d *draft) { d.imports[0].EmissionsKg = quantity.MustTotal("123000") }, "CBAM-026 info byCountry"),
	check("nearly all from one country", good, func(d *draft) {
		d.imports[1].CountryOfOrigin, d.imports[2].EmissionsKg = "KR", quantity.MustTotal("13200")
	}, "CBAM-026 warning byCountry"),
	check("a shipload and small imports", good, func(d *draft) {
		d.imports[0].EmissionsKg = quantity.MustTotal("210000")
		d.imports[0].NetMassKg = quantity.MustMass("90000")
	}, "CBAM-026 info byCountry", "CBAM-029 info totalNetMassKg"),
	check("two from one country", good, func(d *draft) { d.imports = d.imports[:2]; d.imports[1].CountryOfOrigin = "KR" }, "CBAM-026 info byCountry"),
	check("one import alone", single, func(*draft) {}),
	check("three from three countries", good, func(*draft) {}),
	check("one import with most", good, func(d *draft) {
		for n := range 3 {
			e := supplied(n+4, cbam.Aluminium, "76042990", []string{"AE", "BH", "CA"}[n], "1000", "2200", "2900")
			e.EmissionsKg = quantity.MustTotal(fmt.Sprint(2200 + n))
			d.imports = append(d.imports, e)
		}
		d.imports[0].EmissionsKg = quantity.MustTotal("48000")
		d.imports[2].NetMassKg = quantity.MustMass("18000")
	}, "CBAM-027 info imports"),
	check("five alike", good, func(d *draft) {
		d.imports = slices.Concat(d.imports, fertilisers().imports[:2])
		d.imports[3].ID, d.imports[4].ID = "0192f3c4-7a10-7c3e-8f00-000000000008", "0192f3c4-7a10-7c3e-8f00-000000000009"
	}, "CBAM-029 info totalNetMassKg"),
	check("the UK's threshold near", good, func(d *draft) { d.terms.YearPence = 40_000_00 }, "CBAM-028 info valueLast12MonthsGbp"),
	check("the UK's threshold reached", in2027, func(d *draft) { d.terms.YearPence = 50_000_00 }, "CBAM-028 info valueLast12MonthsGbp"),
	check("the UK's threshold far", in2027, func(d *draft) { d.terms.YearPence = 39_999_99 }),
	check("the Union's threshold", good, func(d *draft) { d.imports[2].NetMassKg = quantity.MustMass("23000") }, "CBAM-029 info totalNetMassKg"),
	check("short of the Union's threshold", good, func(d *draft) { d.imports[2].NetMassKg = quantity.MustMass("22999.999999") }),
	check("a later year", func() *draft {
		d := good()
		d.quarter = calendar.Quarter{Year: 2028, Number: 3}
		d.terms.At, d.reviewed = time.Date(2028, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2028, 11, 1, 0, 0, 0, 0, time.UTC)
		return d
	}, func(*draft) {}),
}
