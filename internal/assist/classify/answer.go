package classify

import (
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

// Limits of a question and its answer.
const (
	MaxDescription = 4000 // characters
	MaxSuggestions = 10
	maxPerSix      = 2 // suggestions with the same six digits
	minSuggestions = 5 // after which suggestions with a confidence of 0 are left out
)

// Question asks for the code of goods.
type Question struct {
	Description string
	Day         string   // YYYY-MM-DD; the codes must be in force on it
	Own         *History // of the organisation that asks; nil for none
	Answers     []string // keys of choices of the questions that came before; see Inquiry
}

// Suggestion is a code that goods may have.
type Suggestion struct {
	Code        string
	Description string  // of the line, after those of the lines above it
	Confidence  float64 // how often a suggestion like this is right, 0 to 1
	Reasoning   string
	Validated   bool    // whether goods can be declared under the code on the day
	Weight      float64 // share of all evidence, from which the confidence is derived
}

// Answer is the suggestions, the best first, and advice for a better description.
type Answer struct {
	Suggestions []Suggestion
	Notes       []string
	Inquiry     *Inquiry // the question that would help most; nil for none
}

// Classify answers a question.
func (x *Index) Classify(q Question) Answer {
	if code, typed := typedCode(q.Description); typed {
		return x.lookUp(code, q.Day)
	}
	terms := x.lexicon.terms(q.Description)
	if len(terms) == 0 {
		return Answer{Notes: []string{emptyDescriptionNote}}
	}
	e := x.gather(terms, q.Own)
	vague := goods.Vague(q.Description) || !e.known
	var a Answer
	last := 1.0
	perSix := map[string]int{}
	replies := readReplies(q.Answers)
	table := x.calibration
	if positive(replies) {
		table = answered
	}
	left := x.remaining(e, replies, q.Day)
	for _, c := range x.rank(left) {
		six := x.lines[c.line].code[:digits[six]]
		if perSix[six]++; perSix[six] > maxPerSix {
			continue
		}
		s := x.suggest(c, e, q.Day, table)
		if vague && len(replies) == 0 {
			s.Confidence = min(s.Confidence, vagueConfidence)
		}
		s.Confidence = min(s.Confidence, last)
		if last = s.Confidence; last == 0 && len(a.Suggestions) >= minSuggestions {
			break
		}
		if a.Suggestions = append(a.Suggestions, s); len(a.Suggestions) == MaxSuggestions {
			break
		}
	}
	a.Notes = advice(a.Suggestions, vague)
	a.Inquiry = x.inquire(left, replies)
	return a
}

// suggest makes a suggestion of a ranked line.
func (x *Index) suggest(c ranked, e *evidence, day string, table calibration) Suggestion {
	t := &x.lines[c.line]
	confidence := table.confidence(c.share)
	if e.authoritative() == t.prefix[ten] {
		confidence = max(confidence, authoritativeConfidence)
	}
	return Suggestion{
		Code: t.code, Description: x.describe(t.node), Confidence: confidence,
		Reasoning: x.reason(c, e), Validated: x.tree.Declarable(t.code, day), Weight: c.share,
	}
}
