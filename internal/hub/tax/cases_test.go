package tax_test

import (
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
)

var salesCases = []scenario{
	{"VAT without sales", shop, func(b *books) { b.Box6TotalSales = nil }, []string{"002 " + warning + " box6TotalSales"}},
	{"pence of sales", shop, func(b *books) { b.Box6TotalSales = money("0.99") }, []string{"002 " + warning + " box6TotalSales"}},
	{"nothing sold, import VAT postponed", importer, func(b *books) { b.Box1VATDueSales, b.Box6TotalSales = money("4140.40"), nil },
		[]string{"009 " + info + " box5NetVat"}},
	{"nothing sold, more postponed than was declared here", importer, func(b *books) { b.Box1VATDueSales, b.Box6TotalSales = money("5000"), nil },
		[]string{"002 " + info + " box6TotalSales", "009 " + info + " box5NetVat"}},
	{"VAT above a fifth, as of reverse charges", shop, func(b *books) { b.Box1VATDueSales = money("9356.21") }, []string{"003 " + info + " box1VatDueSales"}},
	{"VAT above a fifth, more than box 4 gives back", shop, func(b *books) { b.Box1VATDueSales = money("13356.21") }, []string{"003 " + warning + " box1VatDueSales"}},
	{"VAT a fifth of sales with pence", shop, func(b *books) { b.Box1VATDueSales = money("9356.20") }, nil},
	{"postponed VAT and a fifth of sales", importer, func(b *books) { b.Box1VATDueSales = money("13496.40") }, nil},
	{"more than postponed VAT explains", importer, func(b *books) { b.Box1VATDueSales = money("13600") }, []string{"003 " + info + " box1VatDueSales"}},
	{"more than box 4 explains", importer, func(b *books) { b.Box1VATDueSales = money("17000") }, []string{"003 " + warning + " box1VatDueSales"}},
	{"import VAT looks postponed", importer, func(b *books) { b.Trader.PostponedVAT = false },
		[]string{"003 " + info + " box1VatDueSales", "012 " + info + " box4ImportVat"}},
	{"exports only", shop, func(b *books) { b.Box1VATDueSales, b.Box4AdditionalReclaim = nil, nil }, []string{"004 " + info + " box1VatDueSales"}},
	{"suddenly exports only", regular, func(b *books) { b.Box1VATDueSales, b.Box4AdditionalReclaim = nil, money("2104.60") },
		[]string{"004 " + warning + " box1VatDueSales", "009 " + info + " box5NetVat", "025 " + warning + " box1VatDueSales"}},
	{"exports as ever", regular, func(b *books) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim = nil, money("2104.60")
		for i := range b.Earlier {
			b.Earlier[i].Box1VATDueSales = *money("0")
			b.Earlier[i].Box3TotalVATDue = *money("0")
		}
	}, []string{"004 " + info + " box1VatDueSales", "009 " + info + " box5NetVat", "028 " + info + " box5NetVat"}},
	{"sales with VAT in them", shop, func(b *books) { b.Box6TotalSales = money("50523") }, []string{"005 " + info + " box6TotalSales"}},
	{"sales ten pounds off", shop, func(b *books) { b.Box6TotalSales = money("50533") }, nil},
}

var purchaseCases = []scenario{
	{"reclaim without purchases", shop, func(b *books) { b.Box7TotalPurchases = nil }, []string{"006 " + warning + " box7TotalPurchases"}},
	{"import VAT without purchases", importer, func(b *books) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = nil, nil }, []string{"006 " + warning + " box7TotalPurchases"}},
	{"purchases without reclaim", shop, func(b *books) { b.Box4AdditionalReclaim = nil }, nil},
	{"reclaim above a fifth", shop, func(b *books) { b.Box4AdditionalReclaim = money("3964.92") }, []string{"007 " + warning + " box4VatReclaimed"}},
	{"reclaim of a fifth and a bad debt", shop, func(b *books) { b.Box4AdditionalReclaim = money("3964.90") }, nil},
	{"imports left out of purchases", importer, func(b *books) { b.Box7TotalPurchases = money("19340") }, []string{"007 " + warning + " box4VatReclaimed"}},
	{"import VAT on duty and freight", importer, func(b *books) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("0.60"), money("18000") }, nil},
	{"purchases with VAT in them", shop, func(b *books) { b.Box7TotalPurchases = money("13864") }, []string{"008 " + info + " box7TotalPurchases"}},
	{"purchases ten pounds off", shop, func(b *books) { b.Box7TotalPurchases = money("13880") }, nil},
	{"a repayment", shop, func(b *books) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8500"), money("44000") }, []string{"009 " + info + " box5NetVat"}},
	{"a large repayment for little sales", shop, func(b *books) {
		b.Box1VATDueSales, b.Box6TotalSales, b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("1010.10"), money("5061"), money("48210.40"), money("250117")
	}, []string{"009 " + info + " box5NetVat"}},
	{"a large repayment as ever", regular, func(b *books) {
		b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("20210.40"), money("102117")
		for i := range b.Earlier {
			b.Earlier[i].Box4VATReclaimed, b.Earlier[i].Box7TotalPurchases = *money("18117.10"), *money("90611")
		}
	}, []string{"009 " + info + " box5NetVat", "028 " + info + " box5NetVat"}},
	{"an exporter's repayment", shop, func(b *books) {
		b.Box1VATDueSales, b.Box6TotalSales, b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("210.10"), money("350061"), money("38210.40"), money("250117")
	}, []string{"009 " + info + " box5NetVat"}},
}

var importCases = []scenario{
	{"import VAT reclaimed twice", importer, func(b *books) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("4140.40"), money("42000") },
		[]string{"010 " + warning + " box4AdditionalReclaim"}},
	{"a penny more than import VAT", importer, func(b *books) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("4140.41"), money("42000") }, nil},
	{"postponed VAT not in box 1", importer, func(b *books) { b.Box1VATDueSales, b.Box6TotalSales = money("4140.39"), money("21000") },
		[]string{"009 " + info + " box5NetVat", "011 " + warning + " box1VatDueSales"}},
	{"import VAT on certificates", importer, func(b *books) { b.Trader.PostponedVAT, b.Box1VATDueSales = false, money("8420.50") }, []string{"012 " + info + " box4ImportVat"}},
	{"declarations without VAT", importer, func(b *books) {
		b.Trader.PostponedVAT, b.Box1VATDueSales, b.ImportVAT = false, money("8420.50"), *money("0")
	}, nil},
}

var unionCases = []scenario{
	{"Union's boxes in Great Britain", shop, func(b *books) {
		b.Box2VATDueAcquisitions, b.Box8TotalSuppliesEU, b.Box9TotalAcquisitionsEU = money("640.20"), money("100"), money("3201")
	}, []string{"013 " + warning + " box2VatDueAcquisitions", "013 " + warning + " box8TotalSuppliesEu", "013 " + warning + " box9TotalAcquisitionsEu"}},
	{"Union's boxes nobody knows where", lagan, func(b *books) { b.Trader = tax.Trader{} },
		[]string{"013 " + info + " box2VatDueAcquisitions", "013 " + info + " box9TotalAcquisitionsEu", "034 " + info + " vatNumber"}},
	{"VAT without acquisitions", lagan, func(b *books) { b.Box9TotalAcquisitionsEU = nil }, []string{"014 " + warning + " box9TotalAcquisitionsEu"}},
	{"acquisitions without VAT", lagan, func(b *books) { b.Box2VATDueAcquisitions = nil }, []string{"015 " + info + " box2VatDueAcquisitions"}},
	{"acquisitions above a fifth", lagan, func(b *books) { b.Box2VATDueAcquisitions = money("640.41") }, []string{"016 " + warning + " box2VatDueAcquisitions"}},
	{"acquisitions of a fifth", lagan, func(b *books) { b.Box2VATDueAcquisitions = money("640.40") }, nil},
	{"supplies above sales", lagan, func(b *books) { b.Box8TotalSuppliesEU = money("46781") },
		[]string{"017 " + warning + " box8TotalSuppliesEu", "019 " + info + " box8TotalSuppliesEu"}},
	{"all sales to Ireland", lagan, func(b *books) { b.Box8TotalSuppliesEU = money("46780") }, []string{"019 " + info + " box8TotalSuppliesEu"}},
	{"acquisitions above purchases", lagan, func(b *books) { b.Box9TotalAcquisitionsEU = money("19341") }, []string{"018 " + warning + " box9TotalAcquisitionsEu"}},
	{"all purchases from Ireland", lagan, func(b *books) { b.Box9TotalAcquisitionsEU = money("19340") }, nil},
}

var oddCases = []scenario{
	{"sums that are none", shop, func(b *books) {
		b.alter = func(r *tax.Return) {
			r.Box3TotalVATDue, r.Box4VATReclaimed, r.Box5NetVAT = *money("8420.51"), *money("2310.76"), *money("6109.74")
		}
	}, []string{"001 " + blocker + " box3TotalVatDue", "001 " + blocker + " box4VatReclaimed", "001 " + blocker + " box5NetVat"}},
	{"credit notes", shop, func(b *books) { b.Box1VATDueSales, b.Box6TotalSales = money("-84.20"), money("-421") },
		[]string{"009 " + info + " box5NetVat", "020 " + warning + " box1VatDueSales", "020 " + warning + " box6TotalSales"}},
	{"a negative reclaim", shop, func(b *books) { b.Box4AdditionalReclaim = money("-0.01") }, []string{"020 " + warning + " box4AdditionalReclaim"}},
	{"whole thousands", shop, func(b *books) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("9000"), money("3000"), money("46000"), money("19000")
	}, []string{"021 " + info + " box6TotalSales"}},
	{"two whole thousands", shop, func(b *books) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("9000"), nil, money("46000"), nil
	}, nil},
	{"one box is not round", shop, func(b *books) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("9000"), money("3000"), money("46001"), money("19000")
	}, nil},
	{"nothing at all", shop, func(b *books) { b.Ask = tax.Ask{} }, []string{"022 " + info + " box6TotalSales"}},
	{"nothing but purchases", shop, func(b *books) { b.Ask = tax.Ask{Box7TotalPurchases: money("120")} }, nil},
	{"99 pence", shop, func(b *books) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8419.51"), money("44000") }, []string{"023 " + info + " box5NetVat"}},
	{"a pound", shop, func(b *books) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8419.50"), money("44000") }, nil},
}

var historyCases = []scenario{
	{"the boxes of last quarter", regular, func(b *books) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("7900.25"), money("2104.60"), money("45100"), money("17610")
	}, []string{"024 " + warning + " box6TotalSales"}},
	{"a penny off last quarter", regular, func(b *books) {
		b.Box1VATDueSales, b.Box4AdditionalReclaim, b.Box6TotalSales, b.Box7TotalPurchases = money("7900.26"), money("2104.60"), money("45100"), money("17610")
	}, nil},
	{"nothing, as last quarter", shop, func(b *books) {
		b.Ask = tax.Ask{}
		b.Earlier = []tax.Return{past("2026-Q2", "0", "0", "0", "0")}
	}, []string{"022 " + info + " box6TotalSales"}},
	{"sales fourfold", regular, func(b *books) { b.Box6TotalSales = money("180000") }, []string{"025 " + warning + " box6TotalSales"}},
	{"sales twofold", regular, func(b *books) { b.Box6TotalSales = money("90000") }, nil},
	{"sales fourfold after two returns", regular, func(b *books) { b.Box6TotalSales, b.Earlier = money("180000"), b.Earlier[:2] }, nil},
	{"sales fourfold as every summer", regular, func(b *books) { b.Box6TotalSales, b.Earlier[3].Box6TotalSales = money("230000"), *money("150000") }, nil},
	{"a quarter of the purchases", regular, func(b *books) { b.Box7TotalPurchases, b.Box4AdditionalReclaim = money("4400"), money("801.10") },
		[]string{"025 " + warning + " box7TotalPurchases"}},
	{"a small trader", regular, func(b *books) {
		b.Box1VATDueSales, b.Box6TotalSales = money("4000.10"), money("21900")
		for i := range b.Earlier {
			b.Earlier[i].Box6TotalSales = *money("22000")
		}
	}, []string{"026 " + info + " box6TotalSales"}},
	{"a small trader's limit", regular, func(b *books) {
		b.Box1VATDueSales, b.Box6TotalSales = money("4000.10"), money("22000")
		for i := range b.Earlier {
			b.Earlier[i].Box6TotalSales = *money("22000")
		}
	}, nil},
	{"a small trader with a gap", regular, func(b *books) {
		b.Box1VATDueSales, b.Box6TotalSales = money("4000.10"), money("21900")
		for i := range b.Earlier {
			b.Earlier[i].Box6TotalSales = *money("22000")
		}
		b.Earlier = b.Earlier[1:]
	}, nil},
	{"a large payer", shop, func(b *books) { b.Box1VATDueSales, b.Box6TotalSales = money("2302310.76"), money("46780123") }, []string{"027 " + info + " box5NetVat"}},
	{"a large payer's limit", shop, func(b *books) { b.Box1VATDueSales, b.Box6TotalSales = money("2302310.75"), money("46780123") }, nil},
	{"a large payer in a year", regular, func(b *books) {
		b.Box1VATDueSales, b.Box6TotalSales = money("602310.75"), money("4678012")
		for i := range b.Earlier {
			b.Earlier[i].Box1VATDueSales, b.Earlier[i].Box3TotalVATDue, b.Earlier[i].Box6TotalSales = *money("602310.75"), *money("602310.75"), *money("4608012")
		}
	}, []string{"027 " + info + " box5NetVat"}},
	{"repaid twice", regular, func(b *books) {
		b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8500.10"), money("44000")
		b.Earlier[0].Box4VATReclaimed = *money("9000")
	}, []string{"009 " + info + " box5NetVat"}},
	{"repaid three times", regular, func(b *books) {
		b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("8500.10"), money("44000")
		b.Earlier[0].Box4VATReclaimed, b.Earlier[1].Box4VATReclaimed = *money("9000"), *money("9000")
	}, []string{"009 " + info + " box5NetVat", "028 " + info + " box5NetVat"}},
}

var timeCases = []scenario{
	{"the last millisecond of the period", shop, func(b *books) { b.now = at("2026-09-30T22:59:59.999Z") }, []string{"029 " + info + " periodId"}},
	{"the first of the next", shop, func(b *books) { b.now = at("2026-09-30T23:00:00Z") }, nil},
	{"before the period", shop, func(b *books) { b.now = at("2026-06-30T22:59:59Z") }, []string{"029 " + blocker + " periodId"}},
	{"eight days left", shop, func(b *books) { b.now = at("2026-10-30T23:59:59Z") }, nil},
	{"seven days left", shop, func(b *books) { b.now = at("2026-10-31T00:00:00Z") }, []string{"030 " + info + " periodId"}},
	{"the last day", shop, func(b *books) { b.now = at("2026-11-07T23:59:59Z") }, []string{"030 " + info + " periodId"}},
	{"a day late", shop, func(b *books) { b.now = at("2026-11-08T00:00:00Z") }, []string{"030 " + warning + " periodId"}},
	{"four years late", shop, func(b *books) { b.now = at("2030-11-07T23:59:59Z") }, []string{"030 " + warning + " periodId"}},
	{"more than four years late", shop, func(b *books) { b.now = at("2030-11-08T00:00:00Z") }, []string{"030 " + warning + " periodId", "031 " + warning + " box4VatReclaimed"}},
	{"more than four years late with no reclaim", shop, func(b *books) { b.now, b.Box4AdditionalReclaim = at("2030-11-08T00:00:00Z"), nil }, []string{"030 " + warning + " periodId"}},
}

var traderCases = []scenario{
	{"malformed number", shop, func(b *books) { b.Trader.VATNumber = "GB12345" }, []string{"032 " + blocker + " vatNumber"}},
	{"number with spaces", shop, func(b *books) { b.Trader.VATNumber = "gb 123 4567 82" }, nil},
	{"number of a health authority", shop, func(b *books) { b.Trader.VATNumber = "GBHA599" }, nil},
	{"check digits", shop, func(b *books) { b.Trader.VATNumber = "GB123456789" }, []string{"033 " + info + " vatNumber"}},
	{"no number", shop, func(b *books) { b.Trader.VATNumber = "" }, []string{"034 " + info + " vatNumber"}},
}
