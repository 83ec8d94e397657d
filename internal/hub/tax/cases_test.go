package tax_test

import (
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
)

var salesCases = []testCase{
	check("VAT without sales", shop, func(b *returnCase) { b.Box6TotalSales = nil }, "TAX-002 warning box6TotalSales"),
	check("pence of sales", shop, func(b *returnCase) { b.Box6TotalSales = money("0.99") }, "TAX-002 warning box6TotalSales"),
	check("nothing sold, import VAT postponed", importer, func(b *returnCase) { b.Box1VATDueSales, b.Box6TotalSales = money("4140.40"), nil },
		"TAX-009 info box5NetVat"),
	check("nothing sold, more postponed than was declared here", importer, func(b *returnCase) { b.Box1VATDueSales, b.Box6TotalSales = money("5000"), nil },
		"TAX-002 info box6TotalSales", "TAX-009 info box5NetVat"),
	check("VAT above a fifth, as of reverse charges", shop, func(b *returnCase) { b.Box1VATDueSales = money("9356.21") }, "TAX-003 info box1VatDueSales"),
	check("VAT above a fifth, more than box 4 gives back", shop, func(b *returnCase) { b.Box1VATDueSales = money("13356.21") }, "TAX-003 warning box1VatDueSales"),
	check("VAT a fifth of sales with pence", shop, func(b *returnCase) { b.Box1VATDueSales = money("9356.20") }),
	check("postponed VAT and a fifth of sales", importer, func(b *returnCase) { b.Box1VATDueSales = money("13496.40") }),
	check("more than postponed VAT explains", importer, func(b *returnCase) { b.Box1VATDueSales = money("13600") }, "TAX-003 info box1VatDueSales"),
	check("more than box 4 explains", importer, func(b *returnCase) { b.Box1VATDueSales = money("17000") }, "TAX-003 warning box1VatDueSales"),
	check("import VAT looks postponed", importer, func(b *returnCase) { b.Trader.PostponedVAT = false },
		"TAX-003 info box1VatDueSales", "TAX-012 info box4ImportVat"),
	check("exports only", shop, func(b *returnCase) { b.Box1VATDueSales, b.Box4AdditionalReclaim = nil, nil }, "TAX-004 info box1VatDueSales"),
	check("suddenly exports only", withHistory, func(b *returnCase) { b.Box1VATDueSales, b.Box4AdditionalReclaim = nil, money("2104.60") },
		"TAX-004 warning box1VatDueSales", "TAX-009 info box5NetVat", "TAX-025 warning box1VatDueSales"),
	check("exports as ever", withHistory, func(b *returnCase) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim = nil, money("2104.60")
		for i := range b.Earlier {
			b.Earlier[i].Box1VATDueSales = *money("0")
			b.Earlier[i].Box3TotalVATDue = *money("0")
		}
	}, "TAX-004 info box1VatDueSales", "TAX-009 info box5NetVat", "TAX-028 info box5NetVat"),
	check("sales with VAT in them", shop, func(b *returnCase) { b.Box6TotalSales = money("50523") }, "TAX-005 info box6TotalSales"),
	check("sales ten pounds off", shop, func(b *returnCase) { b.Box6TotalSales = money("50533") }),
}

var purchaseCases = []testCase{
	check("reclaim without purchases", shop, func(b *returnCase) { b.Box7TotalPurchases = nil }, "TAX-006 warning box7TotalPurchases"),
	check("import VAT without purchases", importer, func(b *returnCase) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = nil, nil }, "TAX-006 warning box7TotalPurchases"),
	check("purchases without reclaim", shop, func(b *returnCase) { b.Box4AdditionalReclaim = nil }),
	check("reclaim above a fifth", shop, func(b *returnCase) { b.Box4AdditionalReclaim = money("3964.92") }, "TAX-007 warning box4VatReclaimed"),
	check("reclaim of a fifth and a bad debt", shop, func(b *returnCase) { b.Box4AdditionalReclaim = money("3964.90") }),
	check("imports left out of purchases", importer, func(b *returnCase) { b.Box7TotalPurchases = money("19340") }, "TAX-007 warning box4VatReclaimed"),
	check("import VAT on duty and freight", importer, func(b *returnCase) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("0.60"), money("18000") }),
	check("purchases with VAT in them", shop, func(b *returnCase) { b.Box7TotalPurchases = money("13864") }, "TAX-008 info box7TotalPurchases"),
	check("purchases ten pounds off", shop, func(b *returnCase) { b.Box7TotalPurchases = money("13880") }),
	check("a repayment", shop, func(b *returnCase) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8500"), money("44000") }, "TAX-009 info box5NetVat"),
	check("a large repayment for little sales", shop, func(b *returnCase) {
		b.Box1VATDueSales, b.Box6TotalSales, b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("1010.10"), money("5061"), money("48210.40"), money("250117")
	}, "TAX-009 info box5NetVat"),
	check("a large repayment as ever", withHistory, func(b *returnCase) {
		b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("20210.40"), money("102117")
		for i := range b.Earlier {
			b.Earlier[i].Box4VATReclaimed, b.Earlier[i].Box7TotalPurchases = *money("18117.10"), *money("90611")
		}
	}, "TAX-009 info box5NetVat", "TAX-028 info box5NetVat"),
	check("an exporter's repayment", shop, func(b *returnCase) {
		b.Box1VATDueSales, b.Box6TotalSales, b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("210.10"), money("350061"), money("38210.40"), money("250117")
	}, "TAX-009 info box5NetVat"),
}

var importCases = []testCase{
	check("import VAT reclaimed twice", importer, func(b *returnCase) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("4140.40"), money("42000") },
		"TAX-010 warning box4AdditionalReclaim"),
	check("a penny more than import VAT", importer, func(b *returnCase) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("4140.41"), money("42000") }),
	check("postponed VAT not in box 1", importer, func(b *returnCase) { b.Box1VATDueSales, b.Box6TotalSales = money("4140.39"), money("21000") },
		"TAX-009 info box5NetVat", "TAX-011 warning box1VatDueSales"),
	check("import VAT on certificates", importer, func(b *returnCase) { b.Trader.PostponedVAT, b.Box1VATDueSales = false, money("8420.50") }, "TAX-012 info box4ImportVat"),
	check("declarations without VAT", importer, func(b *returnCase) {
		b.Trader.PostponedVAT, b.Box1VATDueSales, b.ImportVAT = false, money("8420.50"), *money("0")
	}),
}

var unionCases = []testCase{
	check("Union's boxes in Great Britain", shop, func(b *returnCase) {
		b.Box2VATDueAcquisitions, b.Box8TotalSuppliesEU, b.Box9TotalAcquisitionsEU = money("640.20"), money("100"), money("3201")
	}, "TAX-013 warning box2VatDueAcquisitions", "TAX-013 warning box8TotalSuppliesEu", "TAX-013 warning box9TotalAcquisitionsEu"),
	check("boxes of the Union, unknown territory", belfastShop, func(b *returnCase) { b.Trader = tax.Trader{} },
		"TAX-013 info box2VatDueAcquisitions", "TAX-013 info box9TotalAcquisitionsEu", "TAX-034 info vatNumber"),
	check("VAT without acquisitions", belfastShop, func(b *returnCase) { b.Box9TotalAcquisitionsEU = nil }, "TAX-014 warning box9TotalAcquisitionsEu"),
	check("acquisitions without VAT", belfastShop, func(b *returnCase) { b.Box2VATDueAcquisitions = nil }, "TAX-015 info box2VatDueAcquisitions"),
	check("acquisitions above a fifth", belfastShop, func(b *returnCase) { b.Box2VATDueAcquisitions = money("640.41") }, "TAX-016 warning box2VatDueAcquisitions"),
	check("acquisitions of a fifth", belfastShop, func(b *returnCase) { b.Box2VATDueAcquisitions = money("640.40") }),
	check("supplies above sales", belfastShop, func(b *returnCase) { b.Box8TotalSuppliesEU = money("46781") },
		"TAX-017 warning box8TotalSuppliesEu", "TAX-019 info box8TotalSuppliesEu"),
	check("all sales to Ireland", belfastShop, func(b *returnCase) { b.Box8TotalSuppliesEU = money("46780") }, "TAX-019 info box8TotalSuppliesEu"),
	check("acquisitions above purchases", belfastShop, func(b *returnCase) { b.Box9TotalAcquisitionsEU = money("19341") }, "TAX-018 warning box9TotalAcquisitionsEu"),
	check("all purchases from Ireland", belfastShop, func(b *returnCase) { b.Box9TotalAcquisitionsEU = money("19340") }),
}

var oddCases = []testCase{
	check("sums that are none", shop, func(b *returnCase) {
		b.change = func(r *tax.Return) {
			r.Box3TotalVATDue, r.Box4VATReclaimed, r.Box5NetVAT = *money("8420.51"), *money("2310.76"), *money("6109.74")
		}
	}, "TAX-001 blocker box3TotalVatDue", "TAX-001 blocker box4VatReclaimed", "TAX-001 blocker box5NetVat"),
	check("credit notes", shop, func(b *returnCase) { b.Box1VATDueSales, b.Box6TotalSales = money("-84.20"), money("-421") },
		"TAX-009 info box5NetVat", "TAX-020 warning box1VatDueSales", "TAX-020 warning box6TotalSales"),
	check("a negative reclaim", shop, func(b *returnCase) { b.Box4AdditionalReclaim = money("-0.01") }, "TAX-020 warning box4AdditionalReclaim"),
	check("whole thousands", shop, func(b *returnCase) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("9000"), money("3000"), money("46000"), money("19000")
	}, "TAX-021 info box6TotalSales"),
	check("two whole thousands", shop, func(b *returnCase) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("9000"), nil, money("46000"), nil
	}),
	check("one box is not round", shop, func(b *returnCase) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("9000"), money("3000"), money("46001"), money("19000")
	}),
	check("nothing at all", shop, func(b *returnCase) { b.ReturnRequest = tax.ReturnRequest{} }, "TAX-022 info box6TotalSales"),
	check("nothing but purchases", shop, func(b *returnCase) { b.ReturnRequest = tax.ReturnRequest{Box7TotalPurchases: money("120")} }),
	check("99 pence", shop, func(b *returnCase) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8419.51"), money("44000") }, "TAX-023 info box5NetVat"),
	check("a pound", shop, func(b *returnCase) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8419.50"), money("44000") }),
}

var historyCases = []testCase{
	check("the boxes of last quarter", withHistory, func(b *returnCase) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("7900.25"), money("2104.60"), money("45100"), money("17610")
	}, "TAX-024 warning box6TotalSales"),
	check("a penny off last quarter", withHistory, func(b *returnCase) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("7900.26"), money("2104.60"), money("45100"), money("17610")
	}),
	check("nothing, as last quarter", shop, func(b *returnCase) {
		b.ReturnRequest = tax.ReturnRequest{}
		b.Earlier = []tax.Return{past("2026-Q2", "0", "0", "0", "0")}
	}, "TAX-022 info box6TotalSales"),
	check("sales fourfold", withHistory, func(b *returnCase) { b.Box6TotalSales = money("180000") }, "TAX-025 warning box6TotalSales"),
	check("sales twofold", withHistory, func(b *returnCase) { b.Box6TotalSales = money("90000") }),
	check("sales fourfold after two returns", withHistory, func(b *returnCase) { b.Box6TotalSales, b.Earlier = money("180000"), b.Earlier[:2] }),
	check("sales fourfold as every summer", withHistory, func(b *returnCase) { b.Box6TotalSales, b.Earlier[3].Box6TotalSales = money("230000"), *money("150000") }),
	check("a quarter of the purchases", withHistory, func(b *returnCase) { b.Box7TotalPurchases, b.Box4AdditionalReclaim = money("4400"), money("801.10") },
		"TAX-025 warning box7TotalPurchases"),
	check("a small trader", withHistory, func(b *returnCase) {
		b.Box1VATDueSales, b.Box6TotalSales = money("4000.10"), money("21900")
		for i := range b.Earlier {
			b.Earlier[i].Box6TotalSales = *money("22000")
		}
	}, "TAX-026 info box6TotalSales"),
	check("a small trader's limit", withHistory, func(b *returnCase) {
		b.Box1VATDueSales, b.Box6TotalSales = money("4000.10"), money("22000")
		for i := range b.Earlier {
			b.Earlier[i].Box6TotalSales = *money("22000")
		}
	}),
	check("a small trader with a gap", withHistory, func(b *returnCase) {
		b.Box1VATDueSales, b.Box6TotalSales = money("4000.10"), money("21900")
		for i := range b.Earlier {
			b.Earlier[i].Box6TotalSales = *money("22000")
		}
		b.Earlier = b.Earlier[1:]
	}),
	check("a large payer", shop, func(b *returnCase) { b.Box1VATDueSales, b.Box6TotalSales = money("2302310.76"), money("46780123") }, "TAX-027 info box5NetVat"),
	check("a large payer's limit", shop, func(b *returnCase) { b.Box1VATDueSales, b.Box6TotalSales = money("2302310.75"), money("46780123") }),
	check("a large payer in a year", withHistory, func(b *returnCase) {
		b.Box1VATDueSales, b.Box6TotalSales = money("602310.75"), money("4678012")
		for i := range b.Earlier {
			b.Earlier[i].Box1VATDueSales, b.Earlier[i].Box3TotalVATDue, b.Earlier[i].Box6TotalSales = *money("602310.75"), *money("602310.75"), *money("4608012")
		}
	}, "TAX-027 info box5NetVat"),
	check("repaid twice", withHistory, func(b *returnCase) {
		b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8500.10"), money("44000")
		b.Earlier[0].Box4VATReclaimed = *money("9000")
	}, "TAX-009 info box5NetVat"),
	check("repaid three times", withHistory, func(b *returnCase) {
		b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8500.10"), money("44000")
		b.Earlier[0].Box4VATReclaimed, b.Earlier[1].Box4VATReclaimed = *money("9000"), *money("9000")
	}, "TAX-009 info box5NetVat", "TAX-028 info box5NetVat"),
}

var timeCases = []testCase{
	check("the last millisecond of the period", shop, func(b *returnCase) { b.now = at("2026-09-30T22:59:59.999Z") }, "TAX-029 info periodId"),
	check("the first of the next", shop, func(b *returnCase) { b.now = at("2026-09-30T23:00:00Z") }),
	check("before the period", shop, func(b *returnCase) { b.now = at("2026-06-30T22:59:59Z") }, "TAX-029 blocker periodId"),
	check("eight days left", shop, func(b *returnCase) { b.now = at("2026-10-30T23:59:59Z") }),
	check("seven days left", shop, func(b *returnCase) { b.now = at("2026-10-31T00:00:00Z") }, "TAX-030 info periodId"),
	check("the last day", shop, func(b *returnCase) { b.now = at("2026-11-07T23:59:59Z") }, "TAX-030 info periodId"),
	check("a day late", shop, func(b *returnCase) { b.now = at("2026-11-08T00:00:00Z") }, "TAX-030 warning periodId"),
	check("four years late", shop, func(b *returnCase) { b.now = at("2030-11-07T23:59:59Z") }, "TAX-030 warning periodId"),
	check("more than four years late", shop, func(b *returnCase) { b.now = at("2030-11-08T00:00:00Z") }, "TAX-030 warning periodId", "TAX-031 warning box4VatReclaimed"),
	check("more than four years late with no reclaim", shop, func(b *returnCase) { b.now, b.Box4AdditionalReclaim = at("2030-11-08T00:00:00Z"), nil }, "TAX-030 warning periodId"),
}

var traderCases = []testCase{
	check("malformed number", shop, func(b *returnCase) { b.Trader.VATNumber = "GB12345" }, "TAX-032 blocker vatNumber"),
	check("number with spaces", shop, func(b *returnCase) { b.Trader.VATNumber = "gb 123 4567 82" }),
	check("number of a health authority", shop, func(b *returnCase) { b.Trader.VATNumber = "GBHA599" }),
	check("check digits", shop, func(b *returnCase) { b.Trader.VATNumber = "GB123456789" }, "TAX-033 info vatNumber"),
	check("no number", shop, func(b *returnCase) { b.Trader.VATNumber = "" }, "TAX-034 info vatNumber"),
}
