package main

import (
	"fmt"
	"hash/fnv"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
)

// supposedWrong is the share of wrong answers for which the confidence after questions is fitted: about what the classifier itself
// supposes, where each of six other choices keeps 3 % of its evidence.
const supposedWrong = 1.0 / 6

// erring knows the code, but a share of its answers is wrong: then it takes the choice that the text supports most of the others. The same
// text errs at the same questions each time.
func erring(x *classify.Index, text, code string, share float64) oracle {
	knows, n := perfect(code), 0
	return func(q *classify.Inquiry) string {
		right := knows(q)
		n++
		if drawn(text, n) >= share {
			return right
		}
		support := x.Support(classify.Question{Description: text, Day: day}, q)
		at := -1
		for i := range q.Choices[:len(q.Choices)-1] {
			if q.Choices[i].Key != right && (at < 0 || support[i] > support[at]) {
				at = i
			}
		}
		return q.Choices[at].Key
	}
}

// drawn is a number from 0 to 1 that a text and the number of a question give.
func drawn(text string, n int) float64 {
	const parts = 10000
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", text, n)
	return float64(h.Sum64()%parts) / parts
}

// judgeErring judges the first suggestions after answers of which a share is wrong.
func judgeErring(x *classify.Index, asked []sample, share float64) (all []judgement) {
	for _, s := range asked {
		if len(s.Code) != depths[3] {
			continue
		}
		a, answers := ask(x, dialogue{s.Query, s.Query, s.Code}, erring(x, s.Query, s.Code, share), classify.MaxAnswers)
		if answers > 0 && len(a.Suggestions) > 0 {
			all = append(all, judgement{a.Suggestions[0].Confidence, a.Suggestions[0].Code == s.Code})
		}
	}
	return all
}

// wrongAnswers writes how the confidence after questions holds if some answers are wrong, on development texts.
func wrongAnswers(w io.Writer, x *classify.Index, asked []sample) {
	fmt.Fprint(w, "\n### Confidence after questions by the share of wrong answers\n\nA quarter of train_hmrc.jsonl, with the index of the other three (development).\n\n"+
		"| wrong answers | first suggestions right | of those with 0.9 and more | mean confidence of those | expected calibration error |\n|---|---|---|---|---|\n")
	for _, row := range []struct {
		name  string
		share float64
	}{{"none", 0}, {"one in ten", 0.1}, {"one in six", supposedWrong}, {"one in four", 0.25}, {"one in three", 1.0 / 3}, {"half", 0.5}} {
		all := judgeErring(x, asked, row.share)
		right, sure, rightSure, sum := 0, 0, 0, 0.0
		for _, j := range all {
			if j.right {
				right++
			}
			if j.value < bounds[len(bounds)-1] {
				continue
			}
			sure++
			sum += j.value
			if j.right {
				rightSure++
			}
		}
		fmt.Fprintf(w, "| %s | %s | %d of %d, %s | %.2f | %.3f |\n", row.name, wilson(right, len(all)), rightSure, sure, wilson(rightSure, sure), sum/float64(max(1, sure)), calibrationError(all))
	}
}
