package origin

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Answer decides a question under its schemes.
func (d *Data) Answer(q *Question, r Rates) AnswerBody {
	a := AnswerBody{Date: q.Date, OriginData: strconv.FormatInt(d.Version, 10), EngineVersion: EngineVersion, Schemes: []SchemeBody{}}
	sums, missing := q.measure(r)
	for _, s := range d.chosen(q) {
		v := q.decide(s, &sums, missing)
		a.Schemes = append(a.Schemes, v.body(q))
	}
	return a
}

// chosen returns the schemes of a question in order of code.
func (d *Data) chosen(q *Question) (all []*Scheme) {
	if len(q.Schemes) == 0 {
		for _, s := range d.Schemes(q.Service) {
			if s.names(q.ExportCountry) && s.holds(q.Date) {
				all = append(all, s)
			}
		}
		return all
	}
	for _, code := range q.Schemes {
		if s, ok := d.Scheme(q.Service, code); ok {
			all = append(all, s)
		}
	}
	return all
}

func (f *finding) decision() string {
	switch {
	case f.is == yes:
		return Qualifies
	case f.is == no:
		return Fails
	case f.person:
		return NeedsPerson
	}
	return NeedsFacts
}

func (v *verdict) body(q *Question) SchemeBody {
	b := SchemeBody{
		Scheme: v.scheme.Code, Title: v.scheme.Title, Decision: v.decision(), PossibleRules: []RuleBody{},
		Tolerance: v.tolerance.body(), Cumulation: v.cumulation.body(), MinimalOperations: v.minimal.body(), Transport: v.transport.body(), Drawback: v.drawback.body(),
		Proofs: v.scheme.proofsFor(q), FactsNeeded: []FactBody{}, Why: strings.Join(v.why, " "),
	}
	if v.chosen != nil {
		b.Rule = &AppliedRule{v.chosen.body(v.rules[v.chosen])}
	}
	for _, s := range v.possible {
		b.PossibleRules = append(b.PossibleRules, s.body(v.rules[s]))
	}
	for _, f := range v.facts {
		b.FactsNeeded = append(b.FactsNeeded, FactBody{f.Field, f.Question, f.Unit, append([]string{}, f.Values...)})
	}
	return b
}

func (s *RuleSet) body(findings []finding) RuleBody {
	b := RuleBody{RuleSet: s.Min + "-" + s.Max, Heading: s.Heading, Subdivision: s.Subdivision, Alternatives: []AlternativeBody{}}
	var texts []string
	for i, r := range s.Rules {
		texts = append(texts, r.Text)
		b.Alternatives = append(b.Alternatives, AlternativeBody{r.Text, findings[i].decision(), strings.Join(findings[i].why, " ")})
	}
	b.Text = strings.Join(texts, "\nor\n")
	if s.Unsure {
		b.Text = strings.Join(texts, "\n")
	}
	return b
}

func (s *state) body() StateBody {
	if !s.reached {
		return StateBody{State: "NOT_REACHED"}
	}
	return StateBody{[...]string{no: "UNMET", open: "UNKNOWN", yes: "MET"}[s.is], strings.Join(s.why, " "), s.read}
}

// proofsFor returns the proofs, without declarations that only an approved exporter may make out if the exporter is not.
func (s *Scheme) proofsFor(q *Question) []ProofBody {
	all := []ProofBody{}
	for _, p := range s.Proofs {
		b := ProofBody{Code: p.Class, Title: p.Title, Wording: p.Wording}
		if limit, err := quantity.ParseMoney(p.Limit); err == nil && p.Limit != "" {
			b.Limit = &limit
			if q.Consignment != nil && q.Consignment.Cmp(limit.Rat()) > 0 && q.Approved != nil && !*q.Approved {
				continue
			}
		}
		all = append(all, b)
	}
	return all
}
