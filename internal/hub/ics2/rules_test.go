package ics2_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
)

type (
	body   = *ics2.Filing
	change = func(body)
)

// facts contain a list with every code except those that end with ZZZ.
var facts = rules.Facts{Now: now, Places: rules.Listing{Edition: "list of the test", Find: func(code string) (string, bool) {
	return "", !strings.HasSuffix(code, "ZZZ")
}}}

// A review should take less than 200 µs.
func BenchmarkReview(b *testing.B) {
	many := func(n int) body {
		f := deepSea()
		for i := range n - 1 {
			f.CommodityCodes = append(f.CommodityCodes, fmt.Sprintf("%d%04d", 6101+i%17, i))
		}
		return f
	}
	for name, f := range map[string]body{"good": deepSea(), "empty": {}, "20 codes": many(20), "999 codes": many(999)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ics2.Rules.Review(f, facts)
			}
		})
	}
}

var (
	check   = rulestest.NewCase[body]
	message = rulestest.NewMessage[body]
)

// unchanged leaves an example as it is.
func unchanged(body) {}

type testCase = rulestest.Case[body]

var suite = rulestest.Suite[ics2.Filing, body]{
	Rules: ics2.Rules, Prefix: "ICS2", Examples: goodExamples,
	Cases: slices.Concat(modeCases, routeCases, eoriCases, partyCases, goodsCases, codeCases, riskCases, sanctionCases, loadCases, documentCases, arrivalCases, messageCases),
	Messages: []rulestest.Message[body]{
		message(deepSea, func(f body) { f.ModeOfTransport = "12" }, "ICS2-001", `"12"`),
		message(deepSea, func(f body) { f.ModeOfTransport = "4" }, "ICS2-003", "4, air"),
		message(deepSea, func(f body) { f.PortOfLoading = "Busan" }, "ICS2-006", `"Busan"`),
		message(deepSea, func(f body) { f.CarrierEORI = "GB12" }, "ICS2-010", `"GB12"`),
		message(deepSea, func(f body) { f.PortOfLoading = "KRZZZ" }, "ICS2-052", "KRZZZ is not in the list of the test"),
		message(deepSea, func(f body) { f.CarrierEORI = "" }, "ICS2-012", `"Northern Star Lines"`),
		message(deepSea, func(f body) { f.GoodsDescription = "Spare parts" }, "ICS2-023", `"Spare parts"`),
		message(deepSea, func(f body) { f.CommodityCodes[0] = "85x" }, "ICS2-029", `"85x"`),
		message(deepSea, func(f body) { f.PortOfLoading = "RUVVO" }, "ICS2-036", "RUVVO in RU"),
		message(deepSea, func(f body) { f.TotalGrossMassKg = mass("0.042") }, "ICS2-043", "0.042 kg in 420"),
		message(deepSea, func(f body) { f.EstimatedArrival = hence(3 * time.Hour) }, "ICS2-050", "21 November 2026 15:00 UTC is 3 hours away"),
		message(deepSea, func(f body) { f.EstimatedArrival = hence(90 * time.Minute) }, "ICS2-050", "90 minutes away"),
		message(deepSea, func(f body) { f.EstimatedArrival = hence(4 * aDay) }, "ICS2-050", "4 days away"),
	},
	Body: rulestest.Plain[ics2.Filing](facts),
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }
