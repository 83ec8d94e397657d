// Package rules judges a filing before it goes out: rules with stable codes
// that look at one record and at facts gathered beforehand, and never refuse
// anything. The same record and facts give the same review.
package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// Severity is how much a finding matters.
type Severity string

// Severities, gravest first.
const (
	Blocker Severity = "blocker" // the authority will refuse it, or it breaks the law
	Warning Severity = "warning" // likely wrong, or likely to be looked at
	Info    Severity = "info"    // worth knowing
)

// weight is how much one finding adds to the risk.
var riskWeights = map[Severity]float64{Blocker: 1, Warning: 0.25, Info: 0.03}

// Finding is one thing that a rule has to say about a record.
type Finding struct {
	Code       string   `json:"code" doc:"Stable code of the rule" example:"TSS-014"`
	Severity   Severity `json:"severity" enum:"info,warning,blocker" doc:"How much it matters"`
	Field      string   `json:"field" doc:"Input field that it is about" example:"goodsDescription"`
	Message    string   `json:"message" doc:"What is wrong with the value that is there"`
	Suggestion string   `json:"suggestion" doc:"What to do about it"`
	Source     string   `json:"source" doc:"Law or guidance behind the rule"`
}

// Review is every finding on one record, blockers first.
type Review struct {
	Findings    []Finding `json:"findings" doc:"Findings, gravest first"`
	HasBlockers bool      `json:"hasBlockers" doc:"Whether any finding is a blocker"`
	RiskScore   float64   `json:"riskScore" minimum:"0" maximum:"1" doc:"0 is clean; every finding raises it: s / (1 + s), where s is the sum of 1 for each blocker, 0.25 for each warning and 0.03 for each info"`
	Summary     string    `json:"summary" doc:"The review in a sentence"`
}

// Facts are what a rule may know besides the record.
type Facts struct {
	Now     time.Time // the instant of the review, UTC
	Country func(alpha2 string) bool

	Places         Listing // UN/LOCODE: the places of trade and transport
	ExciseProducts Listing // EMCS table E200: by CN code the excise products that the goods may be

	made map[any]any // what the rules of one review share
}

// Once is what several rules of one review look at, made when the first of them asks.
// Its key is of a type of the caller's own.
func Once[V any](f Facts, key any, make func() V) V {
	if v, ok := f.made[key].(V); ok {
		return v
	}
	v := make()
	if f.made != nil {
		f.made[key] = v
	}
	return v
}

// Listing is a table that others publish, as far as an operator has imported it. The
// zero Listing has nothing, and a rule that asks it says nothing more than it can
// tell without.
type Listing struct {
	Edition string // the table and its day, for messages
	Find    func(key string) (entry string, listed bool)
}

// Loaded tells whether there is a table.
func (l Listing) Loaded() bool { return l.Find != nil }

// Lacks tells whether there is a table and a key is not in it.
func (l Listing) Lacks(key string) bool {
	if l.Find == nil {
		return false
	}
	_, listed := l.Find(key)
	return !listed
}

// Remark is what a rule says when it fires. Field and Severity stand in for the
// rule's own where they are set, such as items[2].description.
type Remark struct {
	Message    string
	Suggestion string
	Field      string
	Severity   Severity
}

// Say is the one remark of a rule that fires once.
func Say(message, suggestion string) []Remark {
	return []Remark{{Message: message, Suggestion: suggestion}}
}

// Rule judges one aspect of a body. A code is never used again for another rule.
type Rule[B any] struct {
	Code     string
	Severity Severity
	Field    string
	Title    string // what it looks for, for docs/rules.md
	Source   string // law or guidance
	Judge    func(b *B, f Facts) []Remark
}

// Set are the rules of one kind of filing.
type Set[B any] []Rule[B]

// Entry describes a rule in the catalogue.
type Entry struct {
	Code, Field, Title, Source string
	Severity                   Severity
}

// Catalogue lists the rules as data.
func (rs Set[B]) Catalogue() []Entry {
	entries := make([]Entry, len(rs))
	for i, r := range rs {
		entries[i] = Entry{Code: r.Code, Field: r.Field, Title: r.Title, Source: r.Source, Severity: r.Severity}
	}
	return entries
}

// Review judges a body by every rule.
func (rs Set[B]) Review(b *B, f Facts) Review {
	findings := []Finding{}
	f.made = map[any]any{}
	for _, r := range rs {
		for _, m := range r.Judge(b, f) {
			findings = append(findings, Finding{
				Code: r.Code, Severity: cmp.Or(m.Severity, r.Severity), Field: cmp.Or(m.Field, r.Field),
				Message: m.Message, Suggestion: m.Suggestion, Source: r.Source,
			})
		}
	}
	return NewReview(findings)
}

// NewReview ranks findings and sums them up.
func NewReview(findings []Finding) Review {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(riskWeights[b.Severity], riskWeights[a.Severity]),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Field, b.Field))
	})
	count := map[Severity]int{}
	for _, f := range findings {
		count[f.Severity]++
	}
	return Review{
		Findings:    findings,
		HasBlockers: count[Blocker] > 0,
		RiskScore:   score(count),
		Summary:     summary(count),
	}
}

// score grows with every finding and never reaches 1, however many there are.
func score(count map[Severity]int) float64 {
	risk := 0.0
	for _, s := range []Severity{Blocker, Warning, Info} {
		risk += riskWeights[s] * float64(count[s])
	}
	return math.Round(risk/(1+risk)*1e9) / 1e9
}

func summary(count map[Severity]int) string {
	if len(count) == 0 {
		return "Nothing found: ready to submit."
	}
	advice := "Ready to submit once you have read them."
	if count[Blocker] > 0 {
		advice = "Mend the blockers before you submit."
	}
	return fmt.Sprintf("%s, %s and %s. %s",
		counted(count[Blocker], "blocker", "blockers"),
		counted(count[Warning], "warning", "warnings"),
		counted(count[Info], "note", "notes"), advice)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
