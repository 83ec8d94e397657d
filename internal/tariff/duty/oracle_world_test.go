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
	numbers   map[numberKey]*big.Rat
}

// verdict is what a measure is in one world.
type verdict struct {
	effect string // APPLIES, NOT, REFUSED or CODE
	duty   []measure.Component
	text   string // of the duty, to compare
}

// numberKey names what a threshold is compared with.
type numberKey struct{ special, currency, unit, qualifier string }

func keyOf(c *measure.Condition) numberKey {
	k := numberKey{currency: c.Threshold.Currency, unit: c.Threshold.Unit, qualifier: c.Threshold.Qualifier}
	if c.Code == "V" || c.Code == "R" {
		k.special = c.Code
	}
	return k
}

// meets reports whether a condition is met in a world.
func (w *world) meets(c *measure.Condition) bool {
	if c.Document != "" {
		return w.documents[c.Document]
	}
	if c.Threshold == nil {
		return true
	}
	order := w.numbers[keyOf(c)].Cmp(c.Threshold.Amount)
	switch {
	case strings.Contains("EI", c.Code):
		return order <= 0
	case strings.Contains("JLOUX", c.Code):
		return order > 0
	}
	return order >= 0
}

var rank = map[string]int{"APPLIES": 0, "NOT": 1, "REFUSED": 2, "CODE": 3}

// judge is what a measure is in a world: in each code the first condition that is met decides, and each code must allow it.
func (j *judged) judge(w *world) verdict {
	v := verdict{effect: "APPLIES", duty: j.m.Components}
	priced := false
	for _, conditions := range j.codes {
		effect := "NOT"
		for _, c := range conditions {
			if !w.meets(c) {
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
	v.text = j.text(v.duty)
	return v
}

// text writes a duty, each once.
func (j *judged) text(duty []measure.Component) (text string) {
	if len(duty) == 0 {
		return ""
	}
	if text, known := j.texts[&duty[0]]; known {
		return text
	}
	for _, c := range duty {
		text += fmt.Sprint(c.Expression, c.Amount, c.Currency, c.Unit, c.Qualifier, ";")
	}
	j.texts[&duty[0]] = text
	return text
}

// question is a fact that the conditions of a measure ask for and that is not known, with the answers that differ.
type question struct {
	document string
	number   numberKey
	field    string // of the request; empty if no answer gives it
	values   []*big.Rat
}

// known is what the request says about the facts of a measure's conditions, and the questions that it leaves open.
func (o *oracle) known(m *measure.Measure) (known world, asked []question) {
	known = world{documents: map[string]bool{}, numbers: map[numberKey]*big.Rat{}}
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
			key := keyOf(c)
			number, field := o.number(c)
			if number != nil {
				known.numbers[key] = number
				continue
			}
			at := slices.IndexFunc(asked, func(q question) bool { return q.document == "" && q.number == key })
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
	return known, asked
}

// expand judges the measure in every world that is possible: with each answer to the first question those with each to the next.
func (j *judged) expand(w *world, asked []question) {
	if len(asked) == 0 {
		j.verdicts = append(j.verdicts, j.judge(w))
		return
	}
	q := asked[0]
	if q.document != "" {
		for _, held := range []bool{true, false} {
			w.documents[q.document] = held
			j.expand(w, asked[1:])
		}
		return
	}
	for _, v := range q.values {
		w.numbers[q.number] = v
		j.expand(w, asked[1:])
	}
}

// answers is the number of answers to a question.
func (q *question) answers() int {
	if q.document != "" {
		return 2
	}
	return len(q.values)
}

// judged is what is possible of a measure: a verdict for each world.
type judged struct {
	m        *measure.Measure
	codes    [][]*measure.Condition // the conditions by code
	verdicts []verdict
	asked    []question
	texts    map[*measure.Component]string // of duties, by their first components
}

// judged judges a measure, each once.
func (o *oracle) judged(m *measure.Measure) *judged {
	if j, known := o.cases[m]; known {
		return j
	}
	j := &judged{m: m, texts: map[*measure.Component]string{}}
	for i := range m.Conditions {
		c := &m.Conditions[i]
		at := slices.IndexFunc(j.codes, func(of []*measure.Condition) bool { return of[0].Code == c.Code })
		if at < 0 {
			at, j.codes = len(j.codes), append(j.codes, nil)
		}
		j.codes[at] = append(j.codes[at], c)
	}
	known, asked := o.known(m)
	j.asked = asked
	j.expand(&known, asked)
	o.cases[m] = j
	return j
}

// always reports whether the measure has an effect in every world.
func (j *judged) always(is func(verdict) bool) bool {
	return !slices.ContainsFunc(j.verdicts, func(v verdict) bool { return !is(v) })
}

// deciding returns the fields of facts of which one alone changes the answer to a question about a verdict. The flag reports
// whether one of them cannot be answered.
func (j *judged) deciding(differ func(a, b verdict) bool) (fields []string, unanswerable bool) {
	step := len(j.verdicts) // between the worlds that differ only in the next answer to the question
	for _, q := range j.asked {
		found := false
		step /= q.answers()
		for a := range j.verdicts {
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
