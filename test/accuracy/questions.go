package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
)

// dialogue is a question in short form, and the text that the oracle answers from.
type dialogue struct{ short, full, code string }

// oracle answers a question; an empty key for no answer.
type oracle func(q *classify.Inquiry) string

// ask asks and answers up to most questions, and returns the last answer and how many questions were answered.
func ask(x *classify.Index, d dialogue, o oracle, most int) (a classify.Answer, asked int) {
	var answers []string
	for {
		a = x.Classify(classify.Question{Description: d.short, Day: day, Answers: answers})
		if a.Inquiry == nil || len(answers) == most {
			return a, len(answers)
		}
		key := o(a.Inquiry)
		if key == "" {
			return a, len(answers)
		}
		answers = append(answers, key)
	}
}

// perfect knows the code, as a person would who reads the tariff without error.
func perfect(code string) oracle {
	return func(q *classify.Inquiry) string {
		for _, c := range q.Choices {
			from, to, isRange := strings.Cut(c.Key, "-")
			if !isRange {
				to = from
			}
			if len(from) == depths[3] && from <= code && code <= to {
				return c.Key
			}
		}
		return noneOfThese(q)
	}
}

// noneOfThese is the key of the choice before the last one.
func noneOfThese(q *classify.Inquiry) string { return q.Choices[len(q.Choices)-2].Key }

// reader answers from a text alone: it takes the choice whose codes the text supports most. It knows neither the code nor
// the answers before.
func reader(x *classify.Index, text string) oracle {
	return func(q *classify.Inquiry) string {
		support := x.Support(classify.Question{Description: text, Day: day}, q)
		at := 0
		for n := range q.Choices {
			if support[n] > support[at] {
				at = n
			}
		}
		if support[at] == 0 {
			at = len(q.Choices) - 1
		}
		return q.Choices[at].Key
	}
}

// rulings are UK rulings in short form: the first clause of the text, at most eight words.
func rulings(all []sample) (found []dialogue) {
	for _, s := range all {
		if s.Source == "atar_uk" && len(s.Code) == depths[3] {
			found = append(found, dialogue{shortForm(s.Query), s.Query, s.Code})
		}
	}
	return found
}

// clauseEnd is the end of a clause; the point of a decimal number is none.
var clauseEnd = regexp.MustCompile(`[;:(]|\.(\D|$)`)

func shortForm(text string) string {
	const most = 8
	text = strings.TrimPrefix(strings.TrimSpace(text), "product: ")
	if at := clauseEnd.FindStringIndex(text); at != nil && at[0] > 0 {
		text = text[:at[0]]
	}
	words := strings.Fields(text)
	return strings.Join(words[:min(most, len(words))], " ")
}

// traders are traders' questions with all other texts about goods of the same code, in which at least one word is the same.
func traders(all []sample) (found []dialogue) {
	for _, s := range all {
		if s.Source != "hmrc_persona" || len(s.Code) != depths[3] {
			continue
		}
		var texts []string
		for _, o := range all {
			if o.Code == s.Code && o.Query != s.Query && (o.Source == "atar_uk" || o.Source == "hmrc_persona") && (o.Source == "hmrc_persona" || sharesWord(s.Query, o.Query)) {
				texts = append(texts, o.Query)
			}
		}
		found = append(found, dialogue{s.Query, strings.Join(append([]string{s.Query}, texts...), ". "), s.Code})
	}
	return found
}

func sharesWord(a, b string) bool {
	other := strings.Fields(strings.ToLower(b))
	return slices.ContainsFunc(strings.Fields(strings.ToLower(a)), func(w string) bool { return len(w) > 3 && slices.Contains(other, w) })
}

const questionsText = `The classifier asks up to three questions in the words of the tariff; after each, the codes that do not fit the answer keep a thirtieth of their evidence.
Two sets of texts of ` + "`dev.jsonl`" + `: UK rulings in short form (the first clause of the ruling, at most eight words), whose full text is the ruling, and traders' questions, whose full text is that of all rulings and questions about goods of the same code. ` +
	`The reader is an oracle that answers from the full text alone, with the classifier itself, so it reads no better than that. The perfect oracle knows the right code. ` +
	`The figures are first suggestions that are right at ten digits, in percent with 95 %% Wilson intervals. Limits of the questions were chosen on the codes with an even sum of the fourth and sixth digit (development); the others were held apart.
The aim is 45 %% with the reader, which is its limit: the perfect oracle is far above. Choices of chapters where many headings are alike were chosen on the development texts. On the development texts none of these read better than chance: the answer “none of these” if the full text fits other codes better, all words of the full text with the same weight, up to 30 headings instead of 12, words of the choices in the full text as further evidence, the answer “I do not know” if the reader is unsure, 0.01 and 0.1 of the evidence instead of a thirtieth, choices of at most 25 %% or 60 %% instead of 40 %%, five choices instead of seven, only codes that fit the answers before as choices, a first question about headings and chapters alone, and both with 30 headings. Together with the 197 US rulings, cut in the same way and judged at six digits, these last ones changed 82 right ends of 280 by three at most.
`

// questions measures how much questions help.
func questions(w io.Writer) error {
	dev, err := samples("dev.jsonl")
	if missing(w, err) {
		return nil
	} else if err != nil {
		return err
	}
	indexes, err := settings()
	if err != nil {
		return err
	}
	x := classify.New(indexes[2].sources)
	fmt.Fprintf(w, questionsText+"\n| set | n | oracle | no question | one | two | three | full text at once |\n|---|---|---|---|---|---|---|---|\n")
	sets := []struct {
		name string
		all  []dialogue
	}{{"rulings in short form", rulings(dev)}, {"traders' questions", traders(dev)}}
	for _, set := range sets {
		questionRows(w, x, set.name+", development", ofSide(set.all, false))
		questionRows(w, x, set.name+", held apart", ofSide(set.all, true))
	}
	fmt.Fprint(w, errorsText)
	for _, set := range sets {
		errorRow(w, x, set.name, ofSide(set.all, false))
	}
	return nil
}

// ofSide returns the dialogues of the development side or those held apart.
func ofSide(all []dialogue, apart bool) []dialogue {
	return slices.DeleteFunc(slices.Clone(all), func(d dialogue) bool { return d.apart() != apart })
}

// apart reports whether a dialogue is held apart.
func (d dialogue) apart() bool { return (d.code[3]+d.code[5])%2 == 1 }

func questionRows(w io.Writer, x *classify.Index, name string, set []dialogue) {
	right := func(o func(dialogue) oracle, most int) string {
		n := 0
		for _, d := range set {
			if a, _ := ask(x, d, o(d), most); len(a.Suggestions) > 0 && a.Suggestions[0].Code == d.code {
				n++
			}
		}
		return wilson(n, len(set))
	}
	reads := func(d dialogue) oracle { return reader(x, d.full) }
	knows := func(d dialogue) oracle { return perfect(d.code) }
	whole := 0
	for _, d := range set {
		if a := x.Classify(classify.Question{Description: d.full, Day: day}); len(a.Suggestions) > 0 && a.Suggestions[0].Code == d.code {
			whole++
		}
	}
	fmt.Fprintf(w, "| %s | %d | reader | %s | %s | %s | %s | %s |\n", name, len(set), right(reads, 0), right(reads, 1), right(reads, 2), right(reads, 3), wilson(whole, len(set)))
	fmt.Fprintf(w, "| %s | %d | perfect | %s | %s | %s | %s | – |\n", name, len(set), right(knows, 0), right(knows, 1), right(knows, 2), right(knows, 3))
}
