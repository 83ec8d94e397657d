package duty_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// The oracle computes what the engine computes in another way: slowly, by trying every answer that an unknown fact can have.
// It shares no code with the engine but the types of requests and measures.

// world is one set of answers to the facts that the conditions of a measure ask for.
type world struct {
	documents map[string]bool
	numbers   map[string]*big.Rat
}

// verdict is what a measure is in one world.
type verdict struct {
	effect string // APPLIES, NOT, REFUSED or CODE
	duty   []measure.Component
	text   string // of the duty, to compare
}

// numberKey names what a threshold is compared with.
func numberKey(c *measure.Condition) string {
	special := ""
	if c.Code == "V" || c.Code == "R" {
		special = c.Code
	}
	return fmt.Sprint(special, "/", c.Threshold.Currency, "/", c.Threshold.Unit, "/", c.Threshold.Qualifier)
}

// meets reports whether a condition is met in a world.
func (w *world) meets(c *measure.Condition) bool {
	if c.Document != "" {
		return w.documents[c.Document]
	}
	if c.Threshold == nil {
		return true
	}
	order := w.numbers[numberKey(c)].Cmp(c.Threshold.Amount)
	switch {
	case strings.Contains("EI", c.Code):
		return order <= 0
	case strings.Contains("JLOUX", c.Code):
		return order > 0
	}
	return order >= 0
}

// judge is what a measure is in a world: in each code the first condition that is met decides, and each code must allow it.
func (w *world) judge(m *measure.Measure) verdict {
	v := verdict{effect: "APPLIES", duty: m.Components}
	rank := map[string]int{"APPLIES": 0, "NOT": 1, "REFUSED": 2, "CODE": 3}
	var codes []string
	for _, c := range m.Conditions {
		if !slices.Contains(codes, c.Code) {
			codes = append(codes, c.Code)
		}
	}
	priced := false
	for _, code := range codes {
		effect := "NOT"
		for i := range m.Conditions {
			c := &m.Conditions[i]
			if c.Code != code || !w.meets(c) {
				continue
			}
			switch c.Action {
			case "07":
			case "08":
				effect = "CODE"
			case "04", "05", "06", "09", "10", "16", "30":
				effect = "REFUSED"
			default:
				effect = "APPLIES"
				if c.Action == "01" && !priced {
					v.duty, priced = c.Components, true
				}
			}
			break
		}
		if rank[effect] > rank[v.effect] {
			v.effect = effect
		}
	}
	for _, c := range v.duty {
		v.text += fmt.Sprint(c.Expression, c.Amount, c.Currency, c.Unit, c.Qualifier, ";")
	}
	return v
}

// question is a fact that the conditions of a measure ask for and that is not known, with the answers that differ.
type question struct {
	document string
	number   string // key; empty for a document
	field    string // of the request; empty if no answer gives it
	values   []*big.Rat
}

// worlds returns every world that is possible, and the questions of which they are the answers.
func (o *oracle) worlds(m *measure.Measure) (all []world, asked []question) {
	known := world{documents: map[string]bool{}, numbers: map[string]*big.Rat{}}
	for i := range m.Conditions {
		c := &m.Conditions[i]
		switch {
		case c.Document != "":
			held, sure := o.document(c.Document)
			known.documents[c.Document] = held
			if !sure && !slices.ContainsFunc(asked, func(q question) bool { return q.document == c.Document }) {
				asked = append(asked, question{document: c.Document, field: o.path("facts.documents[" + c.Document + "]")})
			}
		case c.Threshold != nil:
			key := numberKey(c)
			number, field := o.number(c)
			if number != nil {
				known.numbers[key] = number
				continue
			}
			at := slices.IndexFunc(asked, func(q question) bool { return q.number == key })
			if at < 0 {
				at = len(asked)
				asked = append(asked, question{number: key, field: field, values: []*big.Rat{new(big.Rat)}})
			}
			half := big.NewRat(1, 1000)
			t := c.Threshold.Amount
			for _, v := range []*big.Rat{t, new(big.Rat).Add(t, half), new(big.Rat).Sub(t, half)} {
				if v.Sign() >= 0 {
					asked[at].values = append(asked[at].values, v)
				}
			}
		}
	}
	return expand(known, asked), asked
}

func expand(known world, asked []question) []world {
	if len(asked) == 0 {
		return []world{known}
	}
	q := asked[0]
	var all []world
	if q.number == "" {
		for _, held := range []bool{true, false} {
			all = append(all, expand(known.with(q, held, nil), asked[1:])...)
		}
		return all
	}
	for _, v := range q.values {
		all = append(all, expand(known.with(q, false, v), asked[1:])...)
	}
	return all
}

func (w *world) with(q question, held bool, v *big.Rat) world {
	n := world{documents: map[string]bool{}, numbers: map[string]*big.Rat{}}
	for k, d := range w.documents {
		n.documents[k] = d
	}
	for k, d := range w.numbers {
		n.numbers[k] = d
	}
	if q.number == "" {
		n.documents[q.document] = held
	} else {
		n.numbers[q.number] = v
	}
	return n
}

// answers is the number of answers to a question.
func (q *question) answers() int {
	if q.number == "" {
		return 2
	}
	return len(q.values)
}

// judged is what is possible of a measure.
type judged struct {
	m        *measure.Measure
	worlds   []world
	verdicts []verdict
	asked    []question
}

func (o *oracle) judged(m *measure.Measure) *judged {
	j := &judged{m: m}
	j.worlds, j.asked = o.worlds(m)
	for i := range j.worlds {
		j.verdicts = append(j.verdicts, j.worlds[i].judge(m))
	}
	return j
}

// always reports whether the measure has an effect in every world.
func (j *judged) always(is func(verdict) bool) bool {
	return !slices.ContainsFunc(j.verdicts, func(v verdict) bool { return !is(v) })
}

// deciding returns the fields of facts of which one alone changes the answer to a question about a verdict. The flag reports
// whether one of them cannot be answered.
func (j *judged) deciding(differ func(a, b verdict) bool) (fields []string, unanswerable bool) {
	step := len(j.worlds) // between the worlds that differ only in the next answer to the question
	for _, q := range j.asked {
		found := false
		step /= q.answers()
		for a := range j.worlds {
			for b := a % (step * q.answers()) % step; b < step*q.answers() && !found; b += step {
				found = differ(j.verdicts[a], j.verdicts[a-a%(step*q.answers())+b])
			}
		}
		switch {
		case found && q.field == "":
			unanswerable = true
		case found && !slices.Contains(fields, q.field):
			fields = append(fields, q.field)
		}
	}
	return fields, unanswerable
}

// document reports whether a document is held, and whether that is known.
func (o *oracle) document(code string) (held, sure bool) {
	if code == "999L" {
		return false, true
	}
	f := &o.line.Facts
	if slices.ContainsFunc(f.Documents, func(d duty.Document) bool { return d.Code == code }) {
		return true, true
	}
	return false, slices.Contains(f.DocumentsAbsent, code) || f.OtherDocuments == "NONE"
}
