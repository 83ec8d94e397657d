package gvms_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
)

type body = *gvms.Movement

// facts contain lists with every code and every route except those that end with ZZZ.
var facts = rules.Facts{Now: now, Places: listing("list of the test"), Routes: listing("routes of the test")}

func listing(edition string) rules.Listing {
	return rules.Listing{Edition: edition, Find: func(code string) (string, bool) { return "", !strings.HasSuffix(code, "ZZZ") }}
}

// Empty and nonsensical bodies have blockers, and the same review each time.
func TestNonsense(t *testing.T) {
	long := strings.Repeat("Дувр\x00\xff ", 12)
	for _, m := range []body{{}, crossing(long, long+"x", long), crossing("-", "/", "-"), crossing("\u202e", "🚢", "🚚")} {
		r := gvms.Rules.Review(m, facts)
		if !r.HasBlockers || fmt.Sprint(r) != fmt.Sprint(gvms.Rules.Review(m, facts)) {
			t.Errorf("%q: %+v", m.RouteFrom, r)
		}
	}
}

// Without an imported list there are no findings about unlisted places and routes.
func TestWithoutList(t *testing.T) {
	m := crossing("GBTIL", "FRZZZ", "AB24 CDE")
	m.RouteID = "ZZZ"
	if r := gvms.Rules.Review(m, rules.Facts{Now: now}); len(r.Findings) > 0 {
		t.Errorf("%+v", r)
	}
}

// A review should take less than 200 µs.
func BenchmarkReview(b *testing.B) {
	for name, m := range map[string]body{"good": inbound(), "misspelt": crossing("Caliass-sur-Mer", "Doverr Eastern", "AB24CDE")} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				gvms.Rules.Review(m, facts)
			}
		})
	}
}

// The suggestion names the port if one or two letters are wrong, unless two ports are possible.
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

var (
	check = rulestest.NewCase[body]
)

type testCase = rulestest.Case[body]

var suite = rulestest.Suite[gvms.Movement, body]{
	Rules: gvms.Rules, Prefix: "GVMS", Examples: goodExamples,
	Cases: slices.Concat(placeCases, routeCases, vehicleCases, crossingCases, declarationCases, offeredCases),
	Body:  rulestest.Plain[gvms.Movement](facts),
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }

// A finding quotes the wrong value, in any script.
func TestMessagesQuoteTheValue(t *testing.T) {
	for _, c := range suite.Cases {
		m := c.Example()
		for _, f := range suite.Review(t, m).Findings {
			value := map[string]string{"routeFrom": m.RouteFrom, "routeTo": m.RouteTo, "vehicleReg": m.VehicleReg, "crossingDate": "20"}[f.Field]
			switch f.Code {
			case "GVMS-027":
				value = m.RouteTo
			case "GVMS-016":
				value = "Harwich"
			}
			if quoted := strings.Trim(fmt.Sprintf("%q", value), `"`); !strings.Contains(f.Message, quoted) {
				t.Errorf("%s: %s does not quote %q: %s", c.Name, f.Code, value, f.Message)
			}
		}
	}
}
