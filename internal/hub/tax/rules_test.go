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

// returnCase are the data that a return is computed from, and the time of the review.
type returnCase struct {
	tax.ReturnRequest
	tax.Ledger
	key    string
	now    time.Time
	change func(*tax.Return) // what became of it later
}

// shop is a shop in Felixstowe that sells what it buys in the United Kingdom.
func shop() *returnCase {
	return &returnCase{
		ReturnRequest: tax.ReturnRequest{
			PeriodID: "p", Box1VATDueSales: money("8420.50"), Box4AdditionalReclaim: money("2310.75"),
			Box6TotalSales: money("46780"), Box7TotalPurchases: money("19340"),
		},
		Ledger: tax.Ledger{Trader: tax.Trader{VATNumber: "GB123456782", EORI: "GB123456782000", Postcode: "IP11 3SY"}},
		key:    "2026-Q3", now: at("2026-10-12T09:00:00Z"),
	}
}

// importer is the shop with goods from abroad, whose import VAT is postponed.
func importer() *returnCase {
	b := shop()
	b.ImportVAT, b.Declarations, b.Trader.PostponedVAT = *money("4140.40"), 3, true
	b.Box1VATDueSales, b.Box7TotalPurchases = money("12560.90"), money("40042")
	return b
}

// belfastShop is a shop in Belfast that buys in Ireland.
func belfastShop() *returnCase {
	b := shop()
	b.Trader = tax.Trader{VATNumber: "GB123456782", EORI: "XI123456782000", Postcode: "BT1 5GS"}
	b.Box2VATDueAcquisitions, b.Box9TotalAcquisitionsEU, b.Box4AdditionalReclaim = money("640.20"), money("3201"), money("2950.95")
	return b
}

// withHistory is the shop with four returns before this one.
func withHistory() *returnCase {
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

var goodExamples = map[string]func() *returnCase{"shop": shop, "importer": importer, "lagan": belfastShop, "regular": withHistory}

// computed returns the return of a case and the facts of its review.
func computed(t testing.TB, b *returnCase) (*tax.Return, rules.Facts) {
	t.Helper()
	r, err := tax.Compute(b.ReturnRequest, period(b.key), b.Ledger)
	if err != nil {
		t.Fatal(err)
	}
	if b.change != nil {
		b.change(&r)
	}
	return &r, rules.Facts{Now: b.now}
}

// A review takes less than 200 µs.
func BenchmarkReview(b *testing.B) {
	faulty := withHistory()
	faulty.Box1VATDueSales, faulty.Box2VATDueAcquisitions, faulty.Box8TotalSuppliesEU = money("-99999999.01"), money("77777.77"), money("888888")
	faulty.now = at("2031-11-06T09:00:00Z")
	for name, from := range map[string]*returnCase{"good": withHistory(), "faulty": faulty} {
		r := compute(b, from.ReturnRequest, from.Ledger)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tax.Rules.Review(&r, rules.Facts{Now: from.now})
			}
		})
	}
}

var (
	check   = rulestest.NewCase[*returnCase]
	message = rulestest.NewMessage[*returnCase]
)

type testCase = rulestest.Case[*returnCase]

var suite = rulestest.Suite[tax.Return, *returnCase]{
	Rules: tax.Rules, Prefix: "TAX", Examples: goodExamples,
	Cases: slices.Concat(salesCases, purchaseCases, importCases, unionCases, oddCases, historyCases, timeCases, traderCases),
	Messages: []rulestest.Message[*returnCase]{
		message(shop, func(b *returnCase) { b.Box1VATDueSales = money("11200") }, "TAX-003", "£11,200.00 on sales of £46,780 in box 6; at 20% it would be £9,356.00"),
		message(shop, func(b *returnCase) { b.Box4AdditionalReclaim = money("9000") }, "TAX-007", "£9,000.00 on purchases of £19,340 in box 7; at 20% it would be £3,868.00"),
		message(shop, func(b *returnCase) { b.Box4AdditionalReclaim, b.Box7TotalPurchases = money("9000.10"), money("52340") }, "TAX-009", "repays £579.60"),
		message(shop, func(b *returnCase) { b.Box8TotalSuppliesEU = money("1200.99") }, "TAX-013", "£1,200;"),
		message(shop, func(b *returnCase) { b.Box7TotalPurchases = money("-1234567.89") }, "TAX-020", "-£1,234,567."),
		message(withHistory, func(b *returnCase) { b.Box6TotalSales = money("180000") }, "TAX-025", "£180,000; in the last 4 returns it was £45,415.00"),
		message(shop, func(b *returnCase) { b.now = at("2026-11-21T09:00:00Z") }, "TAX-030", "due on 7 November 2026, 14 days ago. On the £6,109.75"),
		message(shop, func(b *returnCase) { b.now = at("2026-11-06T09:00:00Z") }, "TAX-030", "by 7 November 2026, in 1 day."),
		message(shop, func(b *returnCase) { b.Trader.VATNumber = "GB1" }, "TAX-032", `"GB1" is not a VAT registration number: it must be nine digits`),
	},
	Body: computed,
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }
