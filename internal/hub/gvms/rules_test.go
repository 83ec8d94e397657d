package gvms_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
)

type body = *gvms.Movement

// facts have a list of places in which every code is but those of ZZZ.
var facts = rules.Facts{Now: now, Places: rules.Listing{Edition: "list of the test", Find: func(code string) (string, bool) {
	return "", !strings.HasSuffix(code, "ZZZ")
}}}

var (
	blocker = string(rules.Blocker)
	warning = string(rules.Warning)
	info    = string(rules.Info)
)

// findings are those of a movement, each as "GVMS-001 blocker routeFrom".
func findings(m body) []string {
	codes := []string{}
	for _, f := range gvms.Rules.Review(m, facts).Findings {
		codes = append(codes, fmt.Sprintf("%s %s %s", f.Code, f.Severity, f.Field))
	}
	slices.Sort(codes)
	return codes
}

// A movement in good order has no findings at all, whichever way it goes.
func TestGoodExamplesAreClean(t *testing.T) {
	for name, example := range goodExamples {
		if got := findings(example()); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// scenario changes one thing about a good example and names all that is found then.
type scenario struct {
	name   string
	from   func() body
	change func(body)
	want   []string
}

var scenarios = slices.Concat(placeCases, routeCases, vehicleCases, crossingCases)

// Each fault is found by its own rule, on its own field, with its own severity, and by no other; what looks like it is let be.
func TestRules(t *testing.T) {
	for _, c := range scenarios {
		t.Run(c.name, func(t *testing.T) {
			m := c.from()
			c.change(m)
			want := slices.Sorted(slices.Values(c.want))
			if got := findings(m); !slices.Equal(got, want) {
				t.Errorf("found %q, not %q", got, want)
			}
		})
	}
}

// No rule goes without a case that it finds something in.
func TestEveryRuleIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range scenarios {
		for _, w := range c.want {
			tried[strings.Fields(w)[0]] = true
		}
	}
	for _, e := range gvms.Rules.Catalogue() {
		if !tried[e.Code] {
			t.Errorf("%s %s", e.Code, e.Title)
		}
	}
}

// The catalogue counts up without gaps, names fields of the body, and gives every rule a title and a source.
func TestCatalogue(t *testing.T) {
	fields := []string{"routeFrom", "routeTo", "vehicleReg", "crossingDate"}
	for i, e := range gvms.Rules.Catalogue() {
		if want := fmt.Sprintf("GVMS-%03d", i+1); e.Code != want {
			t.Errorf("%s stands where %s belongs", e.Code, want)
		}
		if !slices.Contains(fields, e.Field) || e.Title == "" || e.Source == "" || e.Severity == "" {
			t.Errorf("%+v", e)
		}
	}
}

// A message names the value that it is about, and comes with advice; it does so in
// every script that the value may be in.
func TestMessagesNameTheValue(t *testing.T) {
	for _, c := range scenarios {
		m := c.from()
		c.change(m)
		for _, f := range gvms.Rules.Review(m, facts).Findings {
			value := map[string]string{"routeFrom": m.RouteFrom, "routeTo": m.RouteTo, "vehicleReg": m.VehicleReg, "crossingDate": "20"}[f.Field]
			if f.Code == "GVMS-027" {
				value = m.RouteTo
			}
			if f.Code == "GVMS-016" {
				value = "Harwich"
			}
			if quoted := strings.Trim(fmt.Sprintf("%q", value), `"`); !strings.Contains(f.Message, quoted) || f.Suggestion == "" || f.Source == "" {
				t.Errorf("%s: %s does not name %q: %s", c.name, f.Code, value, f.Message)
			}
		}
	}
}

// An empty body and one of nonsense are judged, not feared, and the same each time.
func TestNonsense(t *testing.T) {
	long := strings.Repeat("Дувр\x00\xff ", 12)
	for _, m := range []body{{}, crossing(long, long+"x", long), crossing("-", "/", "-"), crossing("\u202e", "🚢", "🚚")} {
		r := gvms.Rules.Review(m, facts)
		if !r.HasBlockers || fmt.Sprint(r) != fmt.Sprint(gvms.Rules.Review(m, facts)) {
			t.Errorf("%q: %+v", m.RouteFrom, r)
		}
	}
}

// Where no list is imported, nothing is said of what is not in it.
func TestWithoutList(t *testing.T) {
	if r := gvms.Rules.Review(crossing("GBTIL", "FRZZZ", "AB24 CDE"), rules.Facts{Now: now}); len(r.Findings) > 0 {
		t.Errorf("%+v", r)
	}
}

// A review takes far less than 200 µs.
func BenchmarkReview(b *testing.B) {
	for name, m := range map[string]body{"good": inbound(), "misspelt": crossing("Caliass-sur-Mer", "Doverr Eastern", "AB24CDE")} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				gvms.Rules.Review(m, facts)
			}
		})
	}
}

// What is misspelt by a letter or two is recognised, unless it could be two ports.
func TestNearest(t *testing.T) {
	for text, want := range map[string]string{
		"Caliass": "Calais (FRCQF)", "Rotterdm": "Rotterdam (NLRTM)", "Zebrugge": "Zeebrugge (BEZEE)", "Holyheda": "Holyhead (GBHLY)",
		"Grimsdyke Sands": "", "Narni": "", strings.Repeat("Calais", 8): "",
	} {
		r := gvms.Rules.Review(crossing(text, "Dover", "AB24 CDE"), facts)
		if len(r.Findings) != 1 || r.Findings[0].Code != "GVMS-004" || want != "" && !strings.Contains(r.Findings[0].Suggestion, want) || want == "" && strings.Contains(r.Findings[0].Suggestion, "Perhaps") {
			t.Errorf("%q: %+v", text, r.Findings)
		}
	}
}
