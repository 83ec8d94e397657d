package corporate_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/corporate"
)

type (
	body   = *corporate.Filing
	change = func(body)
)

func reviewed(f body) []rules.Finding {
	return corporate.Rules.Review(f, rules.Facts{Now: now}).Findings
}

// with sets members of the form, given as JSON; "-" removes one.
func with(members ...string) change {
	return func(f body) {
		for i := 0; i < len(members); i += 2 {
			if members[i+1] == "-" {
				delete(f.FormData, members[i])
				continue
			}
			f.FormData[members[i]] = json.RawMessage(members[i+1])
		}
	}
}

// also combines several changes.
func also(changes ...change) change {
	return func(f body) {
		for _, c := range changes {
			c(f)
		}
	}
}

func number(n string) change  { return func(f body) { f.CompanyNumber = n } }
func named(n string) change   { return func(f body) { f.CompanyName = n } }
func dueOn(day string) change { return func(f body) { f.DueDate = until(day) } }

// An empty body and bodies with members of the wrong type can be reviewed.
func TestNonsense(t *testing.T) {
	if len(reviewed(&corporate.Filing{})) == 0 {
		t.Error("an empty body has no findings")
	}
	for name, example := range goodExamples {
		for _, nonsense := range []string{`null`, `true`, `[]`, `{}`, `[[[{"a":[1e99]}]]]`, `{"day":[],"month":{},"year":null}`, `""`, `"\u0000"`, `-1`, `99999999999999999999999999`, `1e30`, `"` + strings.Repeat("9", 60_000) + `"`} {
			f := example()
			for member := range f.FormData {
				f.FormData[member] = json.RawMessage(nonsense)
			}
			if got := corporate.Rules.Review(f, rules.Facts{Now: now}); !got.HasBlockers {
				t.Errorf("%s of %.20s: %+v", name, nonsense, got)
			}
		}
	}
}

// Exactly the codes in the list of Companies House are known.
func TestSIC(t *testing.T) {
	list, err := os.ReadFile("../../../../shared/domain/data/corporate/companieshouse_api-enumerations_constants.yml")
	if err != nil {
		t.Skip("the list of SIC codes is not available")
	}
	real := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^ +'([0-9]{5})' ?:`).FindAllStringSubmatch(string(list), -1) {
		real[m[1]] = true
	}
	f := statement()
	for n := range 100_000 {
		code := fmt.Sprintf("%05d", n)
		f.FormData["sicCodes"] = json.RawMessage(`["` + code + `"]`)
		if found := hasSICFinding(f); found == real[code] {
			t.Fatalf("%s: found %v, real %v", code, found, real[code])
		}
	}
}

// hasSICFinding runs only one rule, for speed.
func hasSICFinding(f body) bool {
	for _, r := range corporate.Rules {
		if r.Code == "COR-023" {
			return len(r.Check(f, rules.Facts{Now: now})) > 0
		}
	}
	return false
}

func BenchmarkReview(b *testing.B) {
	for _, name := range []string{"statement", "accounts", "psc", "appointment", "tax"} {
		b.Run(name, func(b *testing.B) {
			f := goodExamples[name]()
			for b.Loop() {
				corporate.Rules.Review(f, rules.Facts{Now: now})
			}
		})
	}
}

var (
	check   = rulestest.NewCase[body]
	message = rulestest.NewMessage[body]
)

type testCase = rulestest.Case[body]

var suite = rulestest.Suite[corporate.Filing, body]{
	Rules: corporate.Rules, Prefix: "COR", Examples: goodExamples,
	Cases: slices.Concat(companyCases, dueCases, memberCases, statementCases, controlCases, personCases, officeCases, accountsCases, taxCases, protectionCases, trustCases),
	Messages: []rulestest.Message[body]{
		message(statement, number("1234567"), "COR-001", `"1234567"`),
		message(accounts, also(with("periodStart", `"2025-01-01"`, "periodEnd", `"2025-12-31"`), dueOn("2026-09-30")), "COR-006", "£375"),
		message(accounts, also(named("Harbour Kitchens plc"), with("accountsType", `"full"`, "periodStart", `"2025-01-01"`, "periodEnd", `"2025-12-31"`), dueOn("2026-06-30")), "COR-006", "£3,000"),
		message(accounts, also(with("periodStart", `"2024-06-01"`, "periodEnd", `"2025-05-31"`), dueOn("2026-02-28")), "COR-006", "£1,500"),
		message(accounts, also(with("periodStart", `"2025-02-01"`, "periodEnd", `"2026-01-31"`), dueOn("2026-10-31")), "COR-006", "£150"),
		message(tax, also(with("periodStart", `"2024-08-01"`, "periodEnd", `"2025-07-31"`), dueOn("2026-07-31")), "COR-006", "£400"),
		message(tax, also(with("periodStart", `"2024-04-01"`, "periodEnd", `"2025-03-31"`), dueOn("2026-03-31")), "COR-006", "£200 so far, and 10%"),
		message(psc, with("dateBecamePsc", `"2026-10-01"`), "COR-033", "1 October 2026; the 14 days to notify it ended on 15 October 2026, 37 days ago"),
		message(appointment, with("dateOfBirth", `"2011-01-01"`), "COR-036", "is 15 on 16 November 2026"),
		message(tax, with("corporationTax", "25000.01"), "COR-058", "£25,000.01"),
		message(tax, with("corporationTax", "24625"), "COR-058", "1 associated"),
		message(fee, with("tier", "1"), "COR-063", "tier 1 (£52)"),
	},
	Body: rulestest.Plain[corporate.Filing](rules.Facts{Now: now}),
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }
