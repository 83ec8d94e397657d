package tss_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

type (
	body   = *tss.Declaration
	change = func(body)
)

var (
	blocker = string(rules.Blocker)
	warning = string(rules.Warning)
	info    = string(rules.Info)
)

// found is the review of a changed example, each finding as "TSS-001 blocker traderEori".
func found(from func() body, change change) []string {
	d := from()
	change(d)
	codes := []string{}
	for _, f := range tss.Rules.Review(d, rules.Facts{Now: now}).Findings {
		codes = append(codes, fmt.Sprintf("%s %s %s", f.Code, f.Severity, f.Field))
	}
	slices.Sort(codes)
	return codes
}

// A declaration in good order has no findings at all, whichever way the goods go.
func TestGoodExamplesAreClean(t *testing.T) {
	for name, example := range goodExamples {
		if got := found(example, func(body) {}); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// scenario changes one thing about a good example and names all that is found then.
type scenario struct {
	name   string
	from   func() body
	change change
	want   []string
}

// Each fault is found by its own rule, on its own field, with its own severity, and by no other; what looks like it is let be.
func TestRules(t *testing.T) {
	for _, c := range slices.Concat(partyCases, schemeCases, riskCases, goodsCases, originCases, worthCases, movementCases) {
		t.Run(c.name, func(t *testing.T) {
			want := slices.Sorted(slices.Values(c.want))
			if got := found(c.from, c.change); !slices.Equal(got, want) {
				t.Errorf("found %q, not %q", got, want)
			}
		})
	}
}

// No rule goes without a case that it finds something in.
func TestEveryRuleIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range slices.Concat(partyCases, schemeCases, riskCases, goodsCases, originCases, worthCases, movementCases) {
		for _, w := range c.want {
			tried[strings.Fields(w)[0]] = true
		}
	}
	for _, e := range tss.Rules.Catalogue() {
		if !tried[e.Code] {
			t.Errorf("%s %s", e.Code, e.Title)
		}
	}
}

// The catalogue counts up without gaps, names fields of the body, and gives every rule a title and a source.
func TestCatalogue(t *testing.T) {
	raw, _ := json.Marshal(tss.Declaration{
		UKIMSNumber: "x", ConsignorEORI: "x", ConsignorCountry: "x", ConsigneeEORI: "x", ConsigneeCountry: "x", CustomsValueGBP: money("1"),
		CountryOfOrigin: "x", RiskCategorisation: "x", NotAtRiskReason: "x", TransportDocNumber: "x", VehicleReg: "x", ScheduledDispatchAt: &now,
	})
	var names map[string]any
	if err := json.Unmarshal(raw, &names); err != nil {
		t.Fatal(err)
	}
	for i, e := range tss.Rules.Catalogue() {
		if want := fmt.Sprintf("TSS-%03d", i+1); e.Code != want {
			t.Errorf("%s stands where %s belongs", e.Code, want)
		}
		if _, ok := names[e.Field]; !ok || e.Title == "" || e.Source == "" || e.Severity == "" {
			t.Errorf("%+v", e)
		}
	}
}

// A message names the value that it is about, and comes with advice.
func TestMessagesNameTheValue(t *testing.T) {
	for _, c := range []struct {
		change change
		code   string
		value  string
	}{
		{func(d body) { d.TraderEORI = "GB12" }, "TSS-001", `"GB12"`},
		{func(d body) { d.UKIMSNumber = "UKIM9" }, "TSS-011", `"UKIM9"`},
		{func(d body) { d.NotAtRiskReason, d.CountryOfOrigin = tss.UKOrigin, "VN" }, "TSS-018", "VN"},
		{func(d body) { d.GoodsDescription = "Spare parts" }, "TSS-024", `"Spare parts"`},
		{func(d body) { d.NetMassKg = quantity.Mass{} }, "TSS-029", "0 kg"},
		{func(d body) { d.CustomsValueGBP = money("0.5") }, "TSS-032", "£0.50"},
		{func(d body) { d.ScheduledDispatchAt = hence(-11 * 24 * time.Hour) }, "TSS-036", "10 December 2026"},
	} {
		d := fromGB()
		c.change(d)
		findings := tss.Rules.Review(d, rules.Facts{Now: now}).Findings
		at := slices.IndexFunc(findings, func(f rules.Finding) bool { return f.Code == c.code })
		if at < 0 || !strings.Contains(findings[at].Message, c.value) || findings[at].Suggestion == "" || findings[at].Source == "" {
			t.Errorf("%s does not name %s: %+v", c.code, c.value, findings)
		}
	}
}

// Where the origin is unknown, a trade measure is a possibility and no verdict.
func TestUnknownOriginIsNoVerdict(t *testing.T) {
	d := fromGB()
	d.CommodityCode, d.CountryOfOrigin = "7208510000", ""
	first := tss.Rules.Review(d, rules.Facts{Now: now}).Findings[0]
	if first.Code != "TSS-014" || !strings.Contains(first.Message, "may fall under") {
		t.Errorf("%+v", first)
	}
}

// An empty body is judged, not feared.
func TestEmptyBody(t *testing.T) {
	if r := tss.Rules.Review(&tss.Declaration{}, rules.Facts{Now: now}); !r.HasBlockers {
		t.Errorf("%+v", r)
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
