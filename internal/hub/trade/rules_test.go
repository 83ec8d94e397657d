package trade_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/trade"
)

type body = *trade.Licence

// An empty body and one of maximum length can be reviewed.
func TestExtremeBodies(t *testing.T) {
	trade.Rules.Review(&trade.Licence{}, rules.Facts{Now: now})
	l := machine()
	l.ProductDescription, l.EndUse, l.EndUserAddress = strings.Repeat("Ж", 1000), strings.Repeat("不", 1000), strings.Repeat(", ", 250)
	if r := trade.Rules.Review(l, rules.Facts{Now: now}); len(r.Findings) > len(trade.Rules) {
		t.Errorf("%d findings", len(r.Findings))
	}
}

// Cost of a review.
func BenchmarkReview(b *testing.B) {
	long := machine()
	long.ProductDescription, long.EndUse = strings.Repeat("five-axis milling ", 55), strings.Repeat("turbine blades for ", 50)
	for name, l := range map[string]body{"good": machine(), "empty": {}, "long": long} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				trade.Rules.Review(l, rules.Facts{Now: now})
			}
		})
	}
}

var (
	check   = rulestest.NewCase[body]
	message = rulestest.NewMessage[body]
)

type testCase = rulestest.Case[body]

var suite = rulestest.Suite[trade.Licence, body]{
	Rules: trade.Rules, Prefix: "TRD", Examples: goodExamples,
	Cases: slices.Concat(partyCases, destinationCases, useCases, productCases, paperCases, amountCases),
	Messages: []rulestest.Message[body]{
		message(machine, func(l body) { l.ExporterEORI = "GB12" }, "TRD-001", `"GB12"`),
		message(machine, func(l body) { l.EndUserName = "Dalian Freight Forwarding" }, "TRD-006", `"freight"`),
		message(machine, func(l body) { l.EndUserCountry = "KP" }, "TRD-010", "KP"),
		message(machine, func(l body) { l.EndUse = "Warhead of a ballistic missile" }, "TRD-018", "ballistic missile"),
		message(machine, func(l body) { l.ProductCode = "XY-7" }, "TRD-020", `"XY-7"`),
		message(machine, func(l body) { l.ProductCode = "ML10" }, "TRD-024", "ML10"),
		message(machine, func(l body) { l.Quantity = number("0.5") }, "TRD-034", "0.5"),
		message(machine, func(l body) { l.ValidUntil = on("2026-06-30") }, "TRD-035", "30 June 2026"),
		message(machine, func(l body) { l.ValidUntil = on("2029-12-01") }, "TRD-037", "15 December 2028"),
	},
	Body: rulestest.Plain[trade.Licence](rules.Facts{Now: now}),
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }
