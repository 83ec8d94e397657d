package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/nomenclature"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// folds is into how many parts the training samples are split: each is asked of an
// index of the others.
const folds = 4

// fit prints how often suggestions were right by their weight, from samples that their
// index had not seen: an isotonic regression, thinned to a table.
func fit(w io.Writer) error {
	tree, err := officialTree()
	if err != nil {
		return err
	}
	all, err := samples("train_hmrc.jsonl")
	if err != nil {
		return err
	}
	own := classify.Words(tariff.OwnTree())
	var judged []judgement
	for fold := range folds {
		s := classify.Sources{Tree: tree, References: own}
		var asked []sample
		for i, one := range all {
			if i%folds != fold {
				s.Labelled = append(s.Labelled, nomenclature.Text{Text: one.Query, Code: one.Code})
			} else if len(one.Code) == depths[3] {
				asked = append(asked, one)
			}
		}
		x := classify.New(s)
		for _, one := range asked {
			for _, f := range x.Classify(classify.Question{Description: one.Query, Day: day}).Suggestions {
				judged = append(judged, judgement{f.Weight, f.Code == one.Code})
			}
		}
	}
	for _, step := range isotonic(judged) {
		fmt.Fprintf(w, "\t{%.3f, %.3f}, // %d\n", step.value, step.right, step.count)
	}
	return nil
}

// step is a stretch of weights with how often what has them was right.
type step struct {
	value, right float64 // means
	count        int
}

// leastStep is how many judgements a step of the table rests on, at least.
const leastStep = 60

// isotonic pools neighbours until what is right never falls as the weight grows.
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
