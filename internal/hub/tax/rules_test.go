package tax_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
)

// books are the data that a return is computed from, and the time of the review.
type books struct {
	tax.ReturnRequest
	tax.Ledger
	key   string
	now   time.Time
	alter func(*tax.Return) // what became of it later
}

// shop is a shop in Felixstowe that sells what it buys in the United Kingdom.
func shop() *books {
	return &books{
		ReturnRequest: tax.ReturnRequest{
			PeriodID: "p", Box1VATDueSales: money("8420.50"), Box4AdditionalReclaim: money("2310.75"),
			Box6TotalSales: money("46780"), Box7TotalPurchases: money("19340"),
		},
		Ledger: tax.Ledger{Trader: tax.Trader{VATNumber: "GB123456782", EORI: "GB123456782000", Postcode: "IP11 3SY"}},
		key:    "2026-Q3", now: at("2026-10-12T09:00:00Z"),
	}
}

// importer is the shop with goods from abroad, whose import VAT is postponed.
func importer() *books {
	b := shop()
	b.ImportVAT, b.Declarations, b.Trader.PostponedVAT = *money("4140.40"), 3, true
	b.Box1VATDueSales, b.Box7TotalPurchases = money("12560.90"), money("40042")
	return b
}

// lagan is a shop in Belfast that buys in Ireland.
func lagan() *books {
	b := shop()
	b.Trader = tax.Trader{VATNumber: "GB123456782", EORI: "XI123456782000", Postcode: "BT1 5GS"}
	b.Box2VATDueAcquisitions, b.Box9TotalAcquisitionsEU, b.Box4AdditionalReclaim = money("640.20"), money("3201"), money("2950.95")
	return b
}

// regular is the shop with four returns before this one.
func regular() *books {
	b := shop()
	for i, key := range []string{"2026-Q2", "2026-Q1", "2025-Q4", "2025-Q3"} {
		b.Earlier = append(b.Earlier, past(key, fmt.Sprintf("%d.25", 7900+100*i), "2104.60", fmt.Sprint(45100+210*i), fmt.Sprint(17610+90*i)))
	}
	return b
}

func past(key, box1, box4, box6, box7 string) tax.Return {
	r, err := tax.Compute(tax.ReturnRequest{Box1VATDueSales: money(box1), Box4AdditionalReclaim: money(box4), Box6TotalSales: money(box6), Box7TotalPurchases: money(box7)}, period(key), tax.Ledger{})
	if err != nil {
		panic(err)
	}
	return r
}

var goodExamples = map[string]func() *books{"shop": shop, "importer": importer, "lagan": lagan, "regular": regular}

// drawn returns the return that is drawn from the books, and the facts of its review.
func drawn(t testing.TB, b *books) (*tax.Return, rules.Facts) {
	t.Helper()
	r, err := tax.Compute(b.ReturnRequest, period(b.key), b.Ledger)
	if err != nil {
		t.Fatal(err)
	}
	if b.alter != nil {
		b.alter(&r)
	}
	return &r, rules.Facts{Now: b.now}
}

// A review takes less than 200 µs.
func BenchmarkReview(b *testing.B) {
	faulty := regular()
	faulty.Box1VATDueSales, faulty.Box2VATDueAcquisitions, faulty.Box8TotalSuppliesEU = money("-99999999.01"), money("77777.77"), money("888888")
	faulty.now = at("2031-11-06T09:00:00Z")
	for name, from := range map[string]*books{"good": regular(), "faulty": faulty} {
		r := draw(b, from.ReturnRequest, from.Ledger)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tax.Rules.Review(&r, rules.Facts{Now: from.now})
			}
		})
	}
}

var (
	check   = rulestest.NewCase[*books]
	message = rulestest.NewMessage[*books]
)

type testCase = rulestest.Case[*books]

var suite = rulestest.Suite[tax.Return, *books]{
	Rules: tax.Rules, Prefix: "TAX", Examples: goodExamples,
	Cases: slices.Concat(salesCases, purchaseCases, importCases, unionCases, oddCases, historyCases, timeCases, traderCases),
	Messages: []rulestest.Message[*books]{
		message(shop, func(b *books) { b.Box1VATDueSales = money("11200") }, "TAX-003", "£11,200.00 on sales of £46,780 in box 6; at 20% it would be £9,356.00"),
		message(shop, func(b *books) { b.Box4AdditionalReclaim = money("9000") }, "TAX-007", "£9,000.00 on purchases of £19,340 in box 7; at 20% it would be £3,868.00"),
		message(shop, func(b *books) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("9000.10"), money("52340") }, "TAX-009", "repays £579.60"),
		message(shop, func(b *books) { b.Box8TotalSuppliesEU = money("1200.99") }, "TAX-013", "£1,200;"),
		message(shop, func(b *books) { b.Box7TotalPurchases = money("-1234567.89") }, "TAX-020", "-£1,234,567."),
		message(regular, func(b *books) { b.Box6TotalSales = money("180000") }, "TAX-025", "£180,000; in the last 4 returns it was £45,415.00"),
		message(shop, func(b *books) { b.now = at("2026-11-21T09:00:00Z") }, "TAX-030", "due on 7 November 2026, 14 days ago. On the £6,109.75"),
		message(shop, func(b *books) { b.now = at("2026-11-06T09:00:00Z") }, "TAX-030", "by 7 November 2026, in 1 day."),
		message(shop, func(b *books) { b.Trader.VATNumber = "GB1" }, "TAX-032", `"GB1" is not a VAT registration number: it must be nine digits`),
	},
	Body: drawn,
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }
