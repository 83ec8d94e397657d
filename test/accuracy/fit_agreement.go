package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
)

// fitAgreement prints the logistic regression of wrong chapters on the logarithms of shares, and the points for some rates of
// right codes called wrong, beside those in use.
func fitAgreement(w io.Writer, all []sample, s classify.Sources, alone *classify.Index) error {
	const fold = 1
	asked := quarter(all, fold)
	found := slices.Concat(trials(alone, asked), trials(classify.New(withoutPart(s, all, fold)), asked))
	weights := regression(found)
	fmt.Fprintf(w, "\ninternal/assist/classify/agreement.go, ln b + (%.2f) ln c + (%.2f) ln h; in use 1, -1.5, -2\n", weights[1]/weights[0], weights[2]/weights[0])
	for _, rate := range []float64{0.01, 0.015, 0.02, 0.03, 0.04, 0.05} {
		fmt.Fprintf(w, "\t%.1f %% of right codes called wrong: ChapterPoint %.2f, HeadingPoint %.2f\n", 100*rate,
			point(found, rate, classify.Agreement.Contradiction), point(found, rate, classify.Agreement.HeadingContradiction))
	}
	fmt.Fprintf(w, "\tin use: ChapterPoint %v, HeadingPoint %v\n", classify.ChapterPoint, classify.HeadingPoint)
	return nil
}

// point is the value that a share of right codes reaches.
func point(all []trial, rate float64, of func(classify.Agreement) float64) float64 {
	var values []float64
	for _, t := range all {
		if t.kind == rightCode {
			values = append(values, of(t.Agreement))
		}
	}
	slices.Sort(values)
	return values[int(float64(len(values))*(1-rate))]
}

// regression fits a logistic regression by gradient descent: wrong chapters against right codes, by the logarithms of the shares
// of the best chapter, the declared chapter and the declared heading.
func regression(all []trial) (weights [3]float64) {
	const passes, rate, smoothing = 400, 2, 0.02
	var rows [][3]float64
	var wrong []float64
	for _, t := range all {
		if t.kind == otherHeading {
			continue
		}
		rows = append(rows, [3]float64{math.Log(t.Best + smoothing), math.Log(t.Chapter + smoothing), math.Log(t.Heading + smoothing)})
		wrong = append(wrong, float64(t.kind))
	}
	spreads := standardise(rows)
	bias := 0.0
	for range passes {
		var slope [3]float64
		shift := 0.0
		for i, r := range rows {
			z := bias
			for k := range r {
				z += weights[k] * r[k]
			}
			miss := 1/(1+math.Exp(-z)) - wrong[i]
			shift += miss
			for k := range r {
				slope[k] += miss * r[k]
			}
		}
		n := float64(len(rows))
		bias -= rate * shift / n
		for k := range slope {
			weights[k] -= rate * slope[k] / n
		}
	}
	for k := range weights {
		weights[k] /= spreads[k]
	}
	return weights
}

// standardise gives each column the mean 0 and the standard deviation 1, and returns the standard deviations.
func standardise(rows [][3]float64) (spreads [3]float64) {
	var means [3]float64
	n := float64(len(rows))
	for k := range means {
		for _, r := range rows {
			means[k] += r[k] / n
		}
		for _, r := range rows {
			spreads[k] += (r[k] - means[k]) * (r[k] - means[k]) / n
		}
		spreads[k] = math.Sqrt(spreads[k])
		for i := range rows {
			rows[i][k] = (rows[i][k] - means[k]) / spreads[k]
		}
	}
	return spreads
}
