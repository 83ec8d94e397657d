package trade_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/trade"
)

type (
	body   = *trade.Licence
	change = func(body)
)

var (
	blocker = string(rules.Blocker)
	warning = string(rules.Warning)
	info    = string(rules.Info)
)

// found is the review of a changed example, each finding as "TRD-001 blocker exporterEori".
func found(from func() body, change change) []string {
	l := from()
	change(l)
	codes := []string{}
	for _, f := range trade.Rules.Review(l, rules.Facts{Now: now}).Findings {
		codes = append(codes, fmt.Sprintf("%s %s %s", f.Code, f.Severity, f.Field))
	}
	slices.Sort(codes)
	return codes
}

// A licence in good order has no findings at all, whatever its type.
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

func cases() []scenario {
	return slices.Concat(partyCases, destinationCases, useCases, productCases, paperCases, amountCases)
}

// Each fault is found by its own rule, on its own field, with its own severity, and by no other; what looks like it is let be.
func TestRules(t *testing.T) {
	for _, c := range cases() {
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
	for _, c := range cases() {
		for _, w := range c.want {
			tried[strings.Fields(w)[0]] = true
		}
	}
	for _, e := range trade.Rules.Catalogue() {
		if !tried[e.Code] {
			t.Errorf("%s %s", e.Code, e.Title)
		}
	}
}

// The catalogue counts up without gaps, names fields of the body, and gives every rule a title and a source.
func TestCatalogue(t *testing.T) {
	full := machine()
	raw, _ := json.Marshal(full)
	var names map[string]any
	if err := json.Unmarshal(raw, &names); err != nil {
		t.Fatal(err)
	}
	for i, e := range trade.Rules.Catalogue() {
		if want := fmt.Sprintf("TRD-%03d", i+1); e.Code != want {
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
		{func(l body) { l.ExporterEORI = "GB12" }, "TRD-001", `"GB12"`},
		{func(l body) { l.EndUserName = "Dalian Freight Forwarding" }, "TRD-006", `"freight"`},
		{func(l body) { l.EndUserCountry = "KP" }, "TRD-010", "KP"},
		{func(l body) { l.EndUse = "Warhead of a ballistic missile" }, "TRD-018", "ballistic missile"},
		{func(l body) { l.ProductCode = "XY-7" }, "TRD-020", `"XY-7"`},
		{func(l body) { l.ProductCode = "ML10" }, "TRD-024", "ML10"},
		{func(l body) { l.Quantity = number("0.5") }, "TRD-034", "0.5"},
		{func(l body) { l.ValidUntil = on("2026-06-30") }, "TRD-035", "30 June 2026"},
		{func(l body) { l.ValidUntil = on("2029-12-01") }, "TRD-037", "15 December 2028"},
	} {
		l := machine()
		c.change(l)
		findings := trade.Rules.Review(l, rules.Facts{Now: now}).Findings
		at := slices.IndexFunc(findings, func(f rules.Finding) bool { return f.Code == c.code })
		if at < 0 || !strings.Contains(findings[at].Message+findings[at].Suggestion, c.value) || findings[at].Suggestion == "" || findings[at].Source == "" {
			t.Errorf("%s does not name %s: %+v", c.code, c.value, findings)
		}
	}
}

// An empty body and one as long as may be are judged, not feared.
func TestExtremeBodies(t *testing.T) {
	trade.Rules.Review(&trade.Licence{}, rules.Facts{Now: now})
	l := machine()
	l.ProductDescription, l.EndUse, l.EndUserAddress = strings.Repeat("Ж", 1000), strings.Repeat("不", 1000), strings.Repeat(", ", 250)
	if r := trade.Rules.Review(l, rules.Facts{Now: now}); len(r.Findings) > len(trade.Rules) {
		t.Errorf("%d findings", len(r.Findings))
	}
}

// What a review costs.
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
