package main

import (
	"fmt"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
)

// Reasons of a wrong code after the questions, by the first answer that is wrong.
const (
	noChoice    = iota // the first wrong answer is to a question without a choice that fits
	otherChoice        // it is to a question with one
	otherCode          // no answer is wrong
	reasons
)

const errorsText = `
Why the reader's dialogues end with a wrong code, on the development side. The reader always takes a choice, so it is wrong where none fits.

| set | wrong codes | no choice fits | another choice fits | all answers right |
|---|---|---|---|---|
`

// questionErrors counts the reasons of wrong codes after all questions.
func questionErrors(x *classify.Index, set []dialogue) (counts [reasons]int) {
	for _, d := range set {
		reason, reads, knows := otherCode, reader(x, d.full), perfect(d.code)
		a, _ := ask(x, d, func(q *classify.Inquiry) string {
			key, right := reads(q), knows(q)
			switch {
			case reason != otherCode || key == right:
			case right == noneOfThese(q):
				reason = noChoice
			default:
				reason = otherChoice
			}
			return key
		}, classify.MaxAnswers)
		if len(a.Suggestions) == 0 || a.Suggestions[0].Code != d.code {
			counts[reason]++
		}
	}
	return counts
}

func errorRow(w io.Writer, x *classify.Index, name string, set []dialogue) {
	n := questionErrors(x, set)
	fmt.Fprintf(w, "| %s | %d of %d | %d | %d | %d |\n", name, n[noChoice]+n[otherChoice]+n[otherCode], len(set), n[noChoice], n[otherChoice], n[otherCode])
}
