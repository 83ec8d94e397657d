package rules_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

func finding(s rules.Severity, code, field string) rules.Finding {
	return rules.Finding{Severity: s, Code: code, Field: field}
}

// Findings are sorted by severity, code and field.
func TestRanking(t *testing.T) {
	r := rules.NewReview([]rules.Finding{
		finding(rules.Info, "T-001", "a"), finding(rules.Warning, "T-009", "a"), finding(rules.Blocker, "T-005", "b"),
		finding(rules.Warning, "T-002", "z"), finding(rules.Blocker, "T-005", "a"), finding(rules.Warning, "T-002", "c"),
	})
	var got []string
	for _, f := range r.Findings {
		got = append(got, fmt.Sprintf("%s %s %s", f.Severity, f.Code, f.Field))
	}
	const want = "blocker T-005 a, blocker T-005 b, warning T-002 c, warning T-002 z, warning T-009 a, info T-001 a"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %v", got)
	}
}

// The same findings give the same review, byte for byte, in whatever order they come.
func TestDeterminism(t *testing.T) {
	var findings []rules.Finding
	for i := range 40 {
		findings = append(findings, finding([]rules.Severity{rules.Info, rules.Warning, rules.Blocker}[i%3], fmt.Sprintf("T-%03d", i%7), fmt.Sprintf("f%d", i)))
	}
	want, _ := json.Marshal(rules.NewReview(slices.Clone(findings)))
	chance := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		chance.Shuffle(len(findings), func(i, j int) { findings[i], findings[j] = findings[j], findings[i] })
		if got, _ := json.Marshal(rules.NewReview(slices.Clone(findings))); string(got) != string(want) {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	}
}

// The score is as documented: s / (1 + s).
func TestScore(t *testing.T) {
	const b, w, i = rules.Blocker, rules.Warning, rules.Info
	for _, c := range []struct {
		findings []rules.Severity
		want     float64
	}{
		{nil, 0}, {[]rules.Severity{i}, 0.029126214}, {[]rules.Severity{w}, 0.2}, {[]rules.Severity{b}, 0.5},
		{[]rules.Severity{b, b}, 0.666666667}, {[]rules.Severity{b, b, b}, 0.75}, {[]rules.Severity{b, w, i}, 0.561403509},
	} {
		var findings []rules.Finding
		for _, s := range c.findings {
			findings = append(findings, finding(s, "T-001", "a"))
		}
		if got := rules.NewReview(findings).RiskScore; got != c.want {
			t.Errorf("%v: %v, want %v", c.findings, got, c.want)
		}
	}
}

// A warning about a usual value adds little: every plain declaration has a dozen.
func TestScoreOfUsualValues(t *testing.T) {
	usual := finding(rules.Warning, "T-201", "a")
	usual.Value = "CIF"
	findings := slices.Repeat([]rules.Finding{usual}, 12)
	if got := rules.NewReview(findings).RiskScore; got != 0.107142857 {
		t.Errorf("twelve usual values: %v", got)
	}
	if got := rules.NewReview(append(findings, finding(rules.Warning, "T-001", "a"))).RiskScore; got != 0.270072993 {
		t.Errorf("and another warning: %v", got)
	}
}

// Every finding increases the score, and it stays below 1: a declaration with 999 items may have thousands of findings.
func TestScoreGrows(t *testing.T) {
	for _, before := range []int{0, 1, 14, 60, 999, 4000} {
		findings := slices.Repeat([]rules.Finding{finding(rules.Blocker, "T-001", "a")}, before)
		last := rules.NewReview(findings).RiskScore
		for _, s := range []rules.Severity{rules.Info, rules.Warning, rules.Blocker, rules.Info, rules.Warning} {
			findings = append(findings, finding(s, "T-001", "a"))
			score := rules.NewReview(findings).RiskScore
			if score <= last || score >= 1 {
				t.Errorf("after %d blockers, one more %s: from %v to %v", before, s, last, score)
			}
			last = score
		}
	}
}

// A record that the authority accepts only later is not called ready, whatever else was found. A blocker comes first.
func TestSummaryOfNotYet(t *testing.T) {
	early, blocker := finding(rules.Info, "T-001", "a"), finding(rules.Blocker, "T-002", "a")
	early.NotYet = true
	for want, findings := range map[string][]rules.Finding{
		"0 blockers, 0 warnings and 1 note. Do not submit it yet.":                  {early},
		"1 blocker, 0 warnings and 1 note. Correct the blockers before you submit.": {early, blocker},
	} {
		if r := rules.NewReview(findings); r.Summary != want || !r.NotYet() {
			t.Errorf("%d findings: %t, %q", len(findings), r.NotYet(), r.Summary)
		}
	}
}

// The summary contains the counts and what to do.
func TestSummary(t *testing.T) {
	const b, w, i = rules.Blocker, rules.Warning, rules.Info
	for _, c := range []struct {
		severities  []rules.Severity
		hasBlockers bool
		want        string
	}{
		{nil, false, "No findings: ready to submit."},
		{[]rules.Severity{i}, false, "0 blockers, 0 warnings and 1 note. Read them, then submit."},
		{[]rules.Severity{w, w, i, i}, false, "0 blockers, 2 warnings and 2 notes. Read them, then submit."},
		{[]rules.Severity{b, w}, true, "1 blocker, 1 warning and 0 notes. Correct the blockers before you submit."},
		{[]rules.Severity{b, b}, true, "2 blockers, 0 warnings and 0 notes. Correct the blockers before you submit."},
	} {
		var findings []rules.Finding
		for _, s := range c.severities {
			findings = append(findings, finding(s, "T-001", "a"))
		}
		if r := rules.NewReview(findings); r.Summary != c.want || r.HasBlockers != c.hasBlockers {
			t.Errorf("%v: %t, %q", c.severities, r.HasBlockers, r.Summary)
		}
	}
}

type crate struct{ Weight int }

var crateRules = rules.Set[crate]{
	{Code: "T-001", Severity: rules.Warning, Field: "weight", Title: "Heavy", Source: "Common sense", Check: func(c *crate, _ rules.Facts) []rules.Remark {
		if c.Weight <= 30 {
			return nil
		}
		return rules.Remarks(fmt.Sprintf("%d kg is heavy.", c.Weight), "Take two crates.")
	}},
	{Code: "T-002", Severity: rules.Info, Field: "weight", Title: "Odd", Source: "Superstition", Check: func(c *crate, _ rules.Facts) []rules.Remark {
		if c.Weight%2 == 0 {
			return nil
		}
		return []rules.Remark{{Message: "odd"}, {Message: "odder", Field: "weights[1]", Severity: rules.Blocker}}
	}},
}

// A finding has the severity and field of its rule, unless the remark overrides them.
func TestRules(t *testing.T) {
	got := crateRules.Review(&crate{Weight: 31}, rules.Facts{}).Findings
	want := []rules.Finding{
		{Code: "T-002", Severity: rules.Blocker, Field: "weights[1]", Message: "odder", Source: "Superstition"},
		{Code: "T-001", Severity: rules.Warning, Field: "weight", Message: "31 kg is heavy.", Suggestion: "Take two crates.", Source: "Common sense"},
		{Code: "T-002", Severity: rules.Info, Field: "weight", Message: "odd", Source: "Superstition"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// Without findings, the JSON has an empty list and not null.
func TestNoFindings(t *testing.T) {
	text, err := json.Marshal(crateRules.Review(&crate{Weight: 2}, rules.Facts{}))
	if err != nil || string(text) != `{"findings":[],"hasBlockers":false,"riskScore":0,"summary":"No findings: ready to submit."}` {
		t.Errorf("%s, %v", text, err)
	}
}

// The catalogue has every rule in its order, without running any.
func TestCatalogue(t *testing.T) {
	want := []rules.Entry{
		{Code: "T-001", Field: "weight", Title: "Heavy", Source: "Common sense", Severity: rules.Warning},
		{Code: "T-002", Field: "weight", Title: "Odd", Source: "Superstition", Severity: rules.Info},
	}
	if got := crateRules.Catalogue(); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// Once makes a value once per review.
func TestOnce(t *testing.T) {
	made := 0
	look := func(b *crate, f rules.Facts) []rules.Remark {
		type key struct{}
		if rules.Once(f, key{}, func() int { made++; return made }) != made {
			t.Error("another value")
		}
		return nil
	}
	both := rules.Set[crate]{{Code: "X-1", Check: look}, {Code: "X-2", Check: look}}
	for n := 1; n <= 2; n++ {
		both.Review(&crate{}, rules.Facts{})
		if made != n {
			t.Errorf("made %d times in %d reviews", made, n)
		}
	}
	look(&crate{}, rules.Facts{})
	if made != 3 {
		t.Error("a rule outside of a review did not make the value")
	}
}
