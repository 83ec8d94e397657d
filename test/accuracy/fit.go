package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// folds is the number of parts of the training samples: each part is tested with an index of
// the other parts.
const folds = 4

// fit prints the fitted tables: how often suggestions were right by their weight, measured on samples that were not in the
// index (one isotonic regression for an index with the publisher's texts, and one for the own nomenclature alone), the
// weights and points of the comparison of declared codes with descriptions, and how often values of documents were right.
func fit(w io.Writer) error {
	tree, err := officialTree()
	if err != nil {
		return err
	}
	all, err := samples("train_hmrc.jsonl")
	if err != nil {
		return err
	}
	var with, without, answered []judgement
	alone := classify.New(classify.Sources{Tree: tariff.EmbeddedTree()})
	for fold := range folds {
		s := classify.Sources{Tree: tree, Words: classify.Words(tariff.EmbeddedTree())}
		var asked []sample
		for i, one := range all {
			if i%folds != fold {
				s.Labelled = append(s.Labelled, nomenclature.Text{Text: one.Query, Code: one.Code})
			} else if len(one.Code) == depths[3] {
				asked = append(asked, one)
			}
		}
		x := classify.New(s)
		with, answered = append(with, judge(x, asked)...), append(answered, judgeAnswered(x, asked)...)
		without = append(without, judge(alone, asked)...)
	}
	fmt.Fprintf(w, "Fitted on the %d texts of train_hmrc.jsonl, each with an index of the other %d quarters.\n\n", len(all), folds-1)
	fmt.Fprintln(w, "internal/assist/classify/confidence.go, withTexts (share, right, suggestions):")
	show(w, with)
	fmt.Fprintln(w, "\ninternal/assist/classify/confidence.go, alone:")
	show(w, without)
	fmt.Fprintln(w, "\ninternal/assist/classify/confidence.go, answered:")
	show(w, answered)
	if err := fitAgreement(w, all, classify.Sources{Tree: tree, Words: classify.Words(tariff.EmbeddedTree())}, alone); err != nil {
		return err
	}
	return fitReading(w)
}

// judge checks every suggestion for samples with known codes of ten digits.
func judge(x *classify.Index, asked []sample) (all []judgement) {
	for _, one := range asked {
		for _, f := range x.Classify(classify.Question{Description: one.Query, Day: day}).Suggestions {
			all = append(all, judgement{f.Weight, f.Code == one.Code})
		}
	}
	return all
}

// judgeAnswered checks every suggestion after questions that were answered, at least one of them with a choice and the supposed share of
// them wrongly.
func judgeAnswered(x *classify.Index, asked []sample) (all []judgement) {
	for _, one := range asked {
		chosen, answers := false, erring(x, one.Query, one.Code, supposedWrong)
		a, _ := ask(x, dialogue{one.Query, one.Query, one.Code}, func(q *classify.Inquiry) string {
			key := answers(q)
			chosen = chosen || key != noneOfThese(q)
			return key
		}, classify.MaxAnswers)
		for _, f := range a.Suggestions {
			if chosen {
				all = append(all, judgement{f.Weight, f.Code == one.Code})
			}
		}
	}
	return all
}

func show(w io.Writer, all []judgement) {
	for _, s := range isotonic(all) {
		fmt.Fprintf(w, "\t{%.3f, %.3f}, // %d\n", s.value, s.right, s.count)
	}
}

// step is a range of weights and how often suggestions in it were right.
type step struct {
	value, right float64 // means
	count        int
}

// leastStep is the smallest number of judgements in a step of the table.
const leastStep = 60

// isotonic merges neighbouring steps until the share of right answers never falls with growing
// weight.
func isotonic(all []judgement) (steps []step) {
	slices.SortStableFunc(all, func(a, b judgement) int { return cmp.Compare(a.value, b.value) })
	for _, j := range all {
		s := step{value: j.value, count: 1}
		if j.right {
			s.right = 1
		}
		steps = append(steps, s)
		for n := len(steps); n > 1 && (steps[n-2].right >= steps[n-1].right || steps[n-2].count < leastStep); n = len(steps) {
			steps = append(steps[:n-2], merged(steps[n-2], steps[n-1]))
		}
	}
	return steps
}

func merged(a, b step) step {
	n := float64(a.count + b.count)
	return step{
		value: (a.value*float64(a.count) + b.value*float64(b.count)) / n,
		right: (a.right*float64(a.count) + b.right*float64(b.count)) / n,
		count: a.count + b.count,
	}
}
