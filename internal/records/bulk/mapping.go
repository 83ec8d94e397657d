package bulk

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
)

// Mapping says which header a field of a client comes from; nil for none.
type Mapping map[string]*string

// Mapper guesses what each column of a table holds, in their order.
type Mapper func(context.Context, []mapping.Column) ([]mapping.Guess, error)

// sampled is how many rows a mapper sees.
const sampled = 200

// Columns are the columns of the table with their first values.
func (s *Sheet) Columns() []mapping.Column {
	columns := make([]mapping.Column, len(s.Headers))
	for i, header := range s.Headers {
		columns[i].Header = header
	}
	n := 0
	for cells := range s.Rows() {
		if n++; n > sampled {
			break
		}
		for i, cell := range cells {
			columns[i].Values = append(columns[i].Values, cell)
		}
	}
	return columns
}

// Mapping is what guesses of the columns come to, with every field of a client.
func (s *Sheet) Mapping(guesses []mapping.Guess) Mapping {
	m := Mapping{}
	for _, field := range mapping.Fields() {
		m[field] = nil
	}
	for i, g := range guesses {
		if known, ours := m[g.Field]; ours && known == nil && i < len(s.Headers) {
			m[g.Field] = &s.Headers[i]
		}
	}
	return m
}
