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
	"github.com/tidewaiter/tidewaiter/internal/hub/corporate"
)

type (
	body   = *corporate.Filing
	change = func(body)
)

var (
	blocker = string(rules.Blocker)
	warning = string(rules.Warning)
	info    = string(rules.Info)
)

func reviewed(f body) []rules.Finding {
	return corporate.Rules.Review(f, rules.Facts{Now: now}).Findings
}

// found is the review of a changed example, each finding as "COR-001 blocker companyNumber".
func found(from func() body, change change) []string {
	f := from()
	change(f)
	codes := []string{}
	for _, f := range reviewed(f) {
		codes = append(codes, fmt.Sprintf("%s %s %s", f.Code, f.Severity, strings.TrimPrefix(f.Field, "formData.")))
	}
	slices.Sort(codes)
	return codes
}

// A filing in good order has no findings at all, whatever its form.
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

// with sets members of the form, given as JSON; "-" takes one out.
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

// also takes several changes together.
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

func cases() []scenario {
	return slices.Concat(companyCases, dueCases, memberCases, statementCases, controlCases, personCases, officeCases, accountsCases, taxCases, protectionCases, trustCases)
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
	for _, e := range corporate.Rules.Catalogue() {
		if !tried[e.Code] {
			t.Errorf("%s %s", e.Code, e.Title)
		}
	}
}

// The catalogue counts up without gaps, names fields of the body or members of the
// form, and gives every rule a title and a source.
func TestCatalogue(t *testing.T) {
	field := regexp.MustCompile(`^(filingType|companyNumber|companyName|subject|dueDate|formData(\.[a-zA-Z]+)?)$`)
	for i, e := range corporate.Rules.Catalogue() {
		if want := fmt.Sprintf("COR-%03d", i+1); e.Code != want {
			t.Errorf("%s stands where %s belongs", e.Code, want)
		}
		if !field.MatchString(e.Field) || e.Title == "" || e.Source == "" || e.Severity == "" {
			t.Errorf("%+v", e)
		}
	}
}

// A message names the value that it is about, and comes with advice.
func TestMessagesNameTheValue(t *testing.T) {
	for _, c := range []struct {
		from   func() body
		change change
		code   string
		value  string
	}{
		{statement, number("1234567"), "COR-001", `"1234567"`},
		{accounts, also(with("periodStart", `"2025-01-01"`, "periodEnd", `"2025-12-31"`), dueOn("2026-09-30")), "COR-006", "£375"},
		{accounts, also(named("Harbour Kitchens plc"), with("accountsType", `"full"`, "periodStart", `"2025-01-01"`, "periodEnd", `"2025-12-31"`), dueOn("2026-06-30")), "COR-006", "£3,000"},
		{accounts, also(with("periodStart", `"2024-06-01"`, "periodEnd", `"2025-05-31"`), dueOn("2026-02-28")), "COR-006", "£1,500"},
		{accounts, also(with("periodStart", `"2025-02-01"`, "periodEnd", `"2026-01-31"`), dueOn("2026-10-31")), "COR-006", "£150"},
		{tax, also(with("periodStart", `"2024-08-01"`, "periodEnd", `"2025-07-31"`), dueOn("2026-07-31")), "COR-006", "£400"},
		{tax, also(with("periodStart", `"2024-04-01"`, "periodEnd", `"2025-03-31"`), dueOn("2026-03-31")), "COR-006", "£200 so far, and 10%"},
		{psc, with("dateBecamePsc", `"2026-10-01"`), "COR-033", "1 October 2026; the 14 days to notify it ended on 15 October 2026, 37 days ago"},
		{appointment, with("dateOfBirth", `"2011-01-01"`), "COR-036", "is 15 on 16 November 2026"},
		{tax, with("corporationTax", "25000.01"), "COR-058", "£25,000.01"},
		{tax, with("corporationTax", "24625"), "COR-058", "1 associated"},
		{fee, with("tier", "1"), "COR-063", "tier 1 (£52)"},
	} {
		f := c.from()
		c.change(f)
		findings := reviewed(f)
		at := slices.IndexFunc(findings, func(f rules.Finding) bool { return f.Code == c.code })
		if at < 0 || !strings.Contains(findings[at].Message, c.value) || findings[at].Suggestion == "" || findings[at].Source == "" {
			t.Errorf("%s does not name %s: %+v", c.code, c.value, findings)
		}
	}
}

// An empty body is judged, not feared, and so is one in which every member is of the wrong type.
func TestNonsense(t *testing.T) {
	if len(reviewed(&corporate.Filing{})) == 0 {
		t.Error("an empty body is clean")
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

// Every code in the list of Companies House is known, and no other of five figures.
func TestSIC(t *testing.T) {
	list, err := os.ReadFile("../../../../shared/domain/data/corporate/companieshouse_api-enumerations_constants.yml")
	if err != nil {
		t.Skip("the list of SIC codes is not beside the project")
	}
	real := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^ +'([0-9]{5})' ?:`).FindAllStringSubmatch(string(list), -1) {
		real[m[1]] = true
	}
	f := statement()
	for n := range 100_000 {
		code := fmt.Sprintf("%05d", n)
		f.FormData["sicCodes"] = json.RawMessage(`["` + code + `"]`)
		if fault := sicFault(f); fault == real[code] {
			t.Fatalf("%s: found %v, real %v", code, fault, real[code])
		}
	}
}

// sicFault asks the one rule alone, for speed.
func sicFault(f body) bool {
	for _, r := range corporate.Rules {
		if r.Code == "COR-023" {
			return len(r.Judge(f, rules.Facts{Now: now})) > 0
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
