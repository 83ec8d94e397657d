package tss_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

type body = *tss.Declaration

// If the origin is unknown, the message says that a trade measure may apply.
func TestUnknownOrigin(t *testing.T) {
	d := fromGB()
	d.CommodityCode, d.CountryOfOrigin = "7208510000", ""
	first := tss.Rules.Review(d, rules.Facts{Now: now}).Findings[0]
	if first.Code != "TSS-014" || !strings.Contains(first.Message, "may fall under") {
		t.Errorf("%+v", first)
	}
}

func has(d body, code string) bool {
	return slices.ContainsFunc(tss.Rules.Review(d, rules.Facts{Now: now}).Findings, func(f rules.Finding) bool { return f.Code == code })
}

func BenchmarkReview(b *testing.B) {
	for name, example := range goodExamples {
		b.Run(name, func(b *testing.B) {
			d := example()
			for b.Loop() {
				tss.Rules.Review(d, rules.Facts{Now: now})
			}
		})
	}
}

var (
	check   = rulestest.NewCase[body]
	message = rulestest.NewMessage[body]
)

type testCase = rulestest.Case[body]

var suite = rulestest.Suite[tss.Declaration, body]{
	Rules: tss.Rules, Prefix: "TSS", Examples: goodExamples,
	Cases: slices.Concat(partyCases, schemeCases, riskCases, goodsCases, originCases, valueCases, movementCases, declaredCases),
	Messages: []rulestest.Message[body]{
		message(fromGB, func(d body) { d.TraderEORI = "GB12" }, "TSS-001", `"GB12"`),
		message(fromGB, func(d body) { d.UKIMSNumber = "UKIM9" }, "TSS-011", `"UKIM9"`),
		message(fromGB, func(d body) { d.NotAtRiskReason, d.CountryOfOrigin = tss.UKOrigin, "VN" }, "TSS-018", "VN"),
		message(fromGB, func(d body) { d.GoodsDescription = "Spare parts" }, "TSS-024", `"Spare parts"`),
		message(fromGB, func(d body) { d.NetMassKg = quantity.Mass{} }, "TSS-029", "0 kg"),
		message(fromGB, func(d body) { d.CustomsValueGBP = money("0.5") }, "TSS-032", "£0.50"),
		message(fromGB, func(d body) { d.ScheduledDispatchAt = hence(-11 * 24 * time.Hour) }, "TSS-036", "10 December 2026"),
	},
	Body: rulestest.Plain[tss.Declaration](rules.Facts{Now: now}),
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }
