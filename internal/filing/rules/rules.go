// Package rules reviews a filing before it is submitted. Rules have stable codes, use one record and facts gathered
// beforehand, and never block a request. The same record and facts give the same review.
package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Severity is the severity of a finding.
type Severity string

// Severities, most severe first.
const (
	Blocker Severity = "blocker" // the authority will reject it, or it breaks the law
	Warning Severity = "warning" // likely wrong, or likely to be inspected
	Info    Severity = "info"    // worth knowing
)

// riskWeights are the contributions of one finding to the risk.
var riskWeights = map[Severity]float64{Blocker: 1, Warning: 0.25, Info: 0.03}

// usualWeight is that of a warning about a usual value. Every plain declaration has about ten of them, so that with the weight
// of other warnings the risk of all declarations would be the same.
const usualWeight = 0.01

// Finding is a result of a rule about a record.
type Finding struct {
	Code       string   `json:"code" doc:"Stable code of the rule" example:"TSS-014"`
	Severity   Severity `json:"severity" enum:"info,warning,blocker" doc:"Severity of the finding"`
	Field      string   `json:"field" doc:"Input field" example:"goodsDescription"`
	Message    string   `json:"message" doc:"What is wrong"`
	Suggestion string   `json:"suggestion" doc:"What to do"`
	Source     string   `json:"source" doc:"Legal basis or guidance of the rule"`
	// Value is set for findings about usual values only.
	Value       string `json:"value,omitempty" doc:"The usual value that the service adds for an absent field: text as it stands, anything else as JSON" example:"CIF"`
	CustomsCode string `json:"customsCode,omitempty" doc:"The CDS error code with which customs would refuse it" example:"CDS12056"`
	// Fields is set for findings that several entries of a list have.
	Fields []string `json:"fields,omitempty" doc:"The fields of all entries with this finding, if there are several; field is the first"`
	// NotYet is whether the authority will accept the record later, but not now.
	NotYet bool `json:"-"`
}

// Review holds all findings about one record, blockers first.
type Review struct {
	Findings    []Finding `json:"findings" doc:"Findings, most severe first"`
	HasBlockers bool      `json:"hasBlockers" doc:"Whether any finding is a blocker"`
	RiskScore   float64   `json:"riskScore" minimum:"0" maximum:"1" doc:"s / (1 + s), where s is 1 for each blocker, 0.25 for each warning (0.01 with a value) and 0.03 for each info"`
	Summary     string    `json:"summary" doc:"Summary of the review in one or two sentences"`
}

// Facts are the inputs of a rule apart from the record.
type Facts struct {
	Now     time.Time // the instant of the review, UTC
	Country func(alpha2 string) bool

	Places         Listing // UN/LOCODE, by code
	ExciseProducts Listing // EMCS table E200: possible excise products by CN code
	Routes         Listing // of the authority that the organisation is connected to, by their numbers

	shared map[any]any // values that the rules of one review share
}

// Once returns a value that several rules of one review share, and makes it at the first call. The key's type belongs to
// the caller, so that keys do not collide.
func Once[V any](f Facts, key any, make func() V) V {
	if v, ok := f.shared[key].(V); ok {
		return v
	}
	v := make()
	if f.shared != nil {
		f.shared[key] = v
	}
	return v
}

// Listing is a published table that an operator may have imported. The zero Listing has no table; rules then skip the
// checks that need it.
type Listing struct {
	Edition string // name and date of the table, for messages
	Find    func(key string) (entry string, listed bool)
}

// Loaded reports whether there is a table.
func (l Listing) Loaded() bool { return l.Find != nil }

// Lacks reports whether there is a table that does not contain a key.
func (l Listing) Lacks(key string) bool {
	if l.Find == nil {
		return false
	}
	_, listed := l.Find(key)
	return !listed
}

// Remark is the result of a rule that applies. Field (such as items[2].description) and Severity override the rule's own
// if set, and so do Code and Source.
type Remark struct {
	Message     string
	Suggestion  string
	Field       string
	Severity    Severity
	NotYet      bool   // whether the authority will accept the record later, but not now
	Value       string // that the service adds because the field is absent
	CustomsCode string // with which customs would refuse it

	Code, Source string // of a rule of an authority that this service's rule stands for; they replace the rule's own
}

// Remarks returns a single remark.
func Remarks(message, suggestion string) []Remark {
	return []Remark{{Message: message, Suggestion: suggestion}}
}

// Rule checks one aspect of a body. A code is never reused for another rule.
type Rule[B any] struct {
	Code     string
	Severity Severity
	Field    string
	Title    string // what the rule checks, for docs/rules.md
	Source   string // law or guidance
	Check    func(b *B, f Facts) []Remark
}

// Set holds the rules of one kind of filing.
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

// Review applies every rule to a body.
func (rs Set[B]) Review(b *B, f Facts) Review {
	findings := []Finding{}
	f.shared = map[any]any{}
	for _, r := range rs {
		for _, m := range r.Check(b, f) {
			findings = append(findings, Finding{
				Code: cmp.Or(m.Code, r.Code), Severity: cmp.Or(m.Severity, r.Severity), Field: cmp.Or(m.Field, r.Field),
				Message: m.Message, Suggestion: m.Suggestion, Source: cmp.Or(m.Source, r.Source), Value: m.Value, CustomsCode: m.CustomsCode, NotYet: m.NotYet,
			})
		}
	}
	return NewReview(findings)
}

// NewReview sorts findings and summarises them.
func NewReview(findings []Finding) Review {
	sorting.Stable(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(riskWeights[b.Severity], riskWeights[a.Severity]),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Field, b.Field))
	})
	count, usual := map[Severity]int{}, 0
	for _, f := range findings {
		count[f.Severity]++
		if f.Severity == Warning && f.Value != "" {
			usual++
		}
	}
	return Review{
		Findings:    findings,
		HasBlockers: count[Blocker] > 0,
		RiskScore:   score(count, usual),
		Summary:     summary(count, slices.ContainsFunc(findings, isNotYet)),
	}
}

func isNotYet(f Finding) bool { return f.NotYet }

// NotYet reports whether the authority will accept the record later, but not now.
func (r Review) NotYet() bool { return slices.ContainsFunc(r.Findings, isNotYet) }

// score increases with every finding and stays below 1. Of the warnings, usual ones are about usual values.
func score(count map[Severity]int, usual int) float64 {
	risk := float64(usual) * (usualWeight - riskWeights[Warning])
	for _, s := range []Severity{Blocker, Warning, Info} {
		risk += riskWeights[s] * float64(count[s])
	}
	return math.Round(risk/(1+risk)*1e9) / 1e9
}

func summary(count map[Severity]int, notYet bool) string {
	if len(count) == 0 {
		return "No findings: ready to submit."
	}
	advice := "Read them, then submit."
	switch {
	case count[Blocker] > 0:
		advice = "Correct the blockers before you submit."
	case notYet:
		advice = "Do not submit it yet."
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
