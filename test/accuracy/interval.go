package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// wilson writes a share in percent with its 95 % Wilson interval.
func wilson(part, of int) string {
	if of == 0 {
		return "–"
	}
	const z = 1.96
	n, p := float64(of), float64(part)/float64(of)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return fmt.Sprintf("%.1f (%.1f–%.1f)", 100*p, 100*max(0, middle-half), 100*min(1, middle+half))
}

// missing reports whether the published files are missing, and writes so.
func missing(w io.Writer, err error) bool {
	if !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	fmt.Fprintf(w, "Not measured: the published files are not at %s.\n", published)
	return true
}

// quarter is a quarter of the training samples.
func quarter(all []sample, fold int) (asked []sample) {
	for i, s := range all {
		if i%folds == fold {
			asked = append(asked, s)
		}
	}
	return asked
}

// withoutPart adds the other quarters to the sources of an index.
func withoutPart(s classify.Sources, all []sample, fold int) classify.Sources {
	s.Labelled = nil
	for i, one := range all {
		if i%folds != fold {
			s.Labelled = append(s.Labelled, nomenclature.Text{Text: one.Query, Code: one.Code})
		}
	}
	return s
}
