package ics2_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
)

type (
	body   = *ics2.Filing
	change = func(body)
)

func same(body) {}

// facts have a list of places in which every code is but those of ZZZ.
var facts = rules.Facts{Now: now, Places: rules.Listing{Edition: "list of the test", Find: func(code string) (string, bool) {
	return "", !strings.HasSuffix(code, "ZZZ")
}}}

// found is the review of a changed example, each finding as "001 blocker modeOfTransport".
func found(from func() body, change change) []string {
	f := from()
	change(f)
	codes := []string{}
	for _, x := range ics2.Rules.Review(f, facts).Findings {
		codes = append(codes, fmt.Sprintf("%s %s %s", strings.TrimPrefix(x.Code, "ICS2-"), x.Severity, x.Field))
	}
	slices.Sort(codes)
	return codes
}

// A filing in good order has no findings at all, however the goods come.
func TestGoodExamplesAreClean(t *testing.T) {
	for name, example := range goodExamples {
		if got := found(example, same); len(got) > 0 {
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

var allCases = slices.Concat(modeCases, routeCases, eoriCases, partyCases, goodsCases, codeCases, riskCases, sanctionCases, loadCases, documentCases, arrivalCases)

// Each fault is found by its own rule, on its own field, with its own severity, and by no other; what looks like it is let be.
func TestRules(t *testing.T) {
	for _, c := range allCases {
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
	for _, c := range allCases {
		for _, w := range c.want {
			tried["ICS2-"+strings.Fields(w)[0]] = true
		}
	}
	for _, e := range ics2.Rules.Catalogue() {
		if !tried[e.Code] {
			t.Errorf("%s %s", e.Code, e.Title)
		}
	}
}

// The catalogue counts up without gaps, names fields of the body, and gives every rule a title and a source.
func TestCatalogue(t *testing.T) {
	full := ferry()
	full.ConsignorEORI = "FR1"
	raw, _ := json.Marshal(full)
	var names map[string]any
	if err := json.Unmarshal(raw, &names); err != nil {
		t.Fatal(err)
	}
	for i, e := range ics2.Rules.Catalogue() {
		if want := fmt.Sprintf("ICS2-%03d", i+1); e.Code != want {
			t.Errorf("%s stands where %s belongs", e.Code, want)
		}
		if _, ok := names[e.Field]; !ok || e.Title == "" || e.Source == "" || e.Severity == "" {
			t.Errorf("%+v", e)
		}
	}
}

// A message names the value that it is about, and comes with advice and a source.
func TestMessagesNameTheValue(t *testing.T) {
	for _, c := range []struct {
		change change
		code   string
		value  string
	}{
		{func(f body) { f.ModeOfTransport = "12" }, "ICS2-001", `"12"`},
		{func(f body) { f.ModeOfTransport = "4" }, "ICS2-003", "4, air"},
		{func(f body) { f.PortOfLoading = "Busan" }, "ICS2-006", `"Busan"`},
		{func(f body) { f.CarrierEORI = "GB12" }, "ICS2-010", `"GB12"`},
		{func(f body) { f.PortOfLoading = "KRZZZ" }, "ICS2-052", "KRZZZ is not in the list of the test"},
		{func(f body) { f.CarrierEORI = "" }, "ICS2-012", `"Northern Star Lines"`},
		{func(f body) { f.GoodsDescription = "Spare parts" }, "ICS2-023", `"Spare parts"`},
		{func(f body) { f.CommodityCodes[0] = "85x" }, "ICS2-029", `"85x"`},
		{func(f body) { f.PortOfLoading = "RUVVO" }, "ICS2-036", "RUVVO in RU"},
		{func(f body) { f.TotalGrossMassKg = mass("0.042") }, "ICS2-043", "0.042 kg in 420"},
		{func(f body) { f.EstimatedArrival = hence(3 * time.Hour) }, "ICS2-050", "21 November 2026 15:00 UTC is 3 hours away"},
		{func(f body) { f.EstimatedArrival = hence(90 * time.Minute) }, "ICS2-050", "90 minutes away"},
		{func(f body) { f.EstimatedArrival = hence(4 * aDay) }, "ICS2-050", "4 days away"},
	} {
		f := deepSea()
		c.change(f)
		findings := ics2.Rules.Review(f, facts).Findings
		at := slices.IndexFunc(findings, func(x rules.Finding) bool { return x.Code == c.code })
		if at < 0 || !strings.Contains(findings[at].Message, c.value) || findings[at].Suggestion == "" || findings[at].Source == "" {
			t.Errorf("%s does not name %s: %+v", c.code, c.value, findings)
		}
	}
}

// Every remark of every case has a message and advice.
func TestEveryFindingSaysWhatToDo(t *testing.T) {
	for _, c := range allCases {
		f := c.from()
		c.change(f)
		for _, x := range ics2.Rules.Review(f, facts).Findings {
			if !strings.HasSuffix(x.Message, ".") || !strings.HasSuffix(x.Suggestion, ".") || strings.Contains(x.Message+x.Suggestion, "%!") {
				t.Errorf("%s: %+v", c.name, x)
			}
		}
	}
}

// An empty body is judged, not feared.
func TestEmptyBody(t *testing.T) {
	if r := ics2.Rules.Review(&ics2.Filing{}, rules.Facts{Now: now}); !r.HasBlockers {
		t.Errorf("%+v", r)
	}
}

// A review takes less than 200 µs.
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
