package classify

import (
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

// Limits of a question and its answer.
const (
	MaxDescription = 4000 // characters
	MaxSuggestions = 10
	maxPerSix      = 2 // suggestions with the same six digits
	enough         = 5 // suggestions, after which none without any confidence follows
)

// Question asks for the code of goods.
type Question struct {
	Description string
	Day         string   // YYYY-MM-DD, on which the codes have to be in force
	Own         *History // of the organisation that asks; nil for none
}

// Suggestion is a code that goods may have.
type Suggestion struct {
	Code        string
	Description string  // of the line, after those it stands under
	Confidence  float64 // how often such a suggestion is right, 0 to 1
	Reasoning   string
	Validated   bool    // whether goods can be declared under the code on the day
	Weight      float64 // share of all that speaks for any code, from which the confidence is told
}

// Answer are the suggestions, the best first, and what would make them better.
type Answer struct {
	Suggestions []Suggestion
	Notes       []string
}

// Classify answers a question.
func (x *Index) Classify(q Question) Answer {
	if code, typed := typedCode(q.Description); typed {
		return x.lookUp(code, q.Day)
	}
	terms := x.lexicon.terms(q.Description)
	if len(terms) == 0 {
		return Answer{Notes: []string{nothingSaid}}
	}
	e := x.weigh(terms, q.Own)
	vague := goods.Vague(q.Description) || !e.known
	var a Answer
	last := 1.0
	perSix := map[string]int{}
	for _, c := range x.decide(e, q.Day) {
		six := x.tips[c.tip].code[:digits[six]]
		if perSix[six]++; perSix[six] > maxPerSix {
			continue
		}
		s := x.suggest(c, e, q.Day)
		if vague {
			s.Confidence = min(s.Confidence, vagueConfidence)
		}
		s.Confidence = min(s.Confidence, last)
		if last = s.Confidence; last == 0 && len(a.Suggestions) >= enough {
			break
		}
		if a.Suggestions = append(a.Suggestions, s); len(a.Suggestions) == MaxSuggestions {
			break
		}
	}
	a.Notes = advice(a.Suggestions, vague)
	return a
}

// suggest makes a suggestion of a choice.
func (x *Index) suggest(c choice, e *evidence, day string) Suggestion {
	t := &x.tips[c.tip]
	sure := x.sure.confidence(c.share)
	if e.settled() == t.class[ten] {
		sure = max(sure, settledConfidence)
	}
	return Suggestion{
		Code: t.code, Description: x.describe(t.node), Confidence: sure,
		Reasoning: x.reason(c, e), Validated: x.tree.Declarable(t.code, day), Weight: c.share,
	}
}
