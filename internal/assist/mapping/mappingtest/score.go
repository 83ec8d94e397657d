package mappingtest

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
)

// Score is how well tables were mapped.
type Score struct {
	Tables, Flawless int
	Columns, Right   int // a column without a field for which no field is guessed is right
	Labelled, Found  int // columns with a field
	Guessed, Wrong   int // guesses
	Misses           []string
	Buckets          [5]Bucket // by confidence: below 0.8, 0.9, 0.95, 0.98, and above
}

// Bucket is the guesses in a range of confidence.
type Bucket struct{ Guessed, Right int }

// bounds are the upper bounds of the first four buckets.
var bounds = [4]float64{0.8, 0.9, 0.95, 0.98}

// Measure maps tables and compares the result with the labels.
func Measure(tables []Table) (s Score) {
	for _, t := range tables {
		s.Tables++
		before := len(s.Misses)
		for i, guess := range mapping.Map(t.Columns) {
			s.note(&t, i, guess)
		}
		if len(s.Misses) == before {
			s.Flawless++
		}
	}
	return s
}

func (s *Score) note(t *Table, column int, guess mapping.Guess) {
	label := t.Labels[column]
	right := guess.Field == label
	s.Columns++
	if label != "" {
		s.Labelled++
	}
	if right {
		s.Right++
	} else {
		s.Misses = append(s.Misses, fmt.Sprintf("%s: %q is %q, guessed as %q (%.2f: %s)", t.Title, t.Columns[column].Header, label, guess.Field, guess.Confidence, guess.Reason))
	}
	if guess.Field == "" {
		return
	}
	b := 0
	for b < len(bounds) && guess.Confidence >= bounds[b] {
		b++
	}
	s.Buckets[b].Guessed++
	s.Guessed++
	if right {
		s.Found++
		s.Buckets[b].Right++
	} else {
		s.Wrong++
	}
}
