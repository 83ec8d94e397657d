// Package mapping recognises which column of an uploaded table holds which field of a client:
// by the headers, in twelve languages and in any spelling, and by the shape of the values. The
// same columns give the same answer.
package mapping

import (
	"cmp"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Column is a column of a table with its first values.
type Column struct {
	Header string
	Values []string
}

// Guess is the field that a column probably holds.
type Guess struct {
	Field      string  // empty for none
	Confidence float64 // 0 to 1, to two places; 0 without a field
	Reason     string  // one or two sentences
}

// Points of a match, and the number that a match needs.
const (
	enough    = 40
	certainty = 130 // the header names the field and the values have its shape
)

// Map guesses the field of every column, in their order. No two columns get the same field.
func Map(columns []Column) []Guess {
	read := make([]reading, len(columns))
	for i := range columns {
		read[i] = reading{header: headerOf(columns[i].Header), values: valuesOf(columns[i].Values)}
	}
	locate(columns, read)
	var matches []match
	for c := range read {
		for f := range fields {
			if m := read[c].match(f); m.points >= enough {
				m.column = c
				matches = append(matches, m)
			}
		}
	}
	taken := assign(codesBeforeNames(matches))
	fallbackName(read, taken)
	return guesses(read, matches, taken)
}

// codesBeforeNames leaves out columns with the names of countries if another one has their codes, which an import needs.
func codesBeforeNames(matches []match) []match {
	if !slices.ContainsFunc(matches, func(m match) bool { return fields[m.field] == country && m.values.kind == confirms }) {
		return matches
	}
	return slices.DeleteFunc(slices.Clone(matches), func(m match) bool { return fields[m.field] == country && m.values.kind == names })
}

// reading is the parsed header and values of a column.
type reading struct {
	header header
	values values
}

// match is how well a column fits a field.
type match struct {
	column, field int
	points        int
	header        headerMatch
	values        valueEvidence
}

// assign gives fields to columns, the best matches first. Of two equal ones the field that is
// recognised more reliably comes first, then the column further left.
func assign(matches []match) map[int]match {
	sorting.Stable(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(a.field, b.field), cmp.Compare(a.column, b.column))
	})
	taken := map[int]match{} // by column
	given := map[int]bool{}  // by field
	for _, m := range matches {
		if _, has := taken[m.column]; !has && !given[m.field] {
			taken[m.column], given[m.field] = m, true
		}
	}
	return taken
}

// fallbackName takes the leftmost column of words for the name if the headers mean nothing and
// no column is the name.
func fallbackName(read []reading, taken map[int]match) {
	for _, m := range taken {
		if fields[m.field] == name {
			return
		}
	}
	for c := range read {
		_, has := taken[c]
		if v := &read[c].values; !has && read[c].header.generic && len(taken) > 0 && v.mostly(plainWords) {
			taken[c] = match{column: c, field: slices.Index(fields, name), points: enough, values: valueEvidence{kind: onlyWords}}
			return
		}
	}
}

// guesses turns the matches into guesses with reasons.
func guesses(read []reading, matches []match, taken map[int]match) []Guess {
	out := make([]Guess, len(read))
	for c := range read {
		m, has := taken[c]
		if !has {
			out[c].Reason = unassignedReason(c, &read[c], matches)
			continue
		}
		percent := calibrated(min(m.points*100/certainty, 99))
		out[c] = Guess{Field: fields[m.field], Confidence: float64(percent) / 100, Reason: m.reason()}
	}
	return out
}
