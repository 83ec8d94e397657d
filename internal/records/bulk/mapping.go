package bulk

import (
	"slices"

	"context"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
)

// Mapping is the column header of each field of a client; nil for none.
type Mapping map[string]*string

// Mapper proposes a field for each column of a table, in order.
type Mapper func(context.Context, []mapping.Column) ([]mapping.Guess, error)

// sampled is the number of rows that a Mapper sees.
const sampled = 200

// Columns returns the columns with their first values.
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

// ownNames are the fields of a client that are recognised by their own names only, as in an export of this service.
var ownNames = []string{"representation", "defermentAccount", "xiEori", "defermentAuthority", "vatDefermentAccount", "paymentMethod", "vatAccounting", "ukims", "representationAuthority", "guarantees", "authorisations"}

// Mapping converts guesses to a mapping with every field of a client.
func (s *Sheet) Mapping(guesses []mapping.Guess) Mapping {
	m := Mapping{}
	for _, field := range mapping.Fields() {
		m[field] = nil
	}
	for _, field := range ownNames {
		m[field] = nil
		if i := slices.Index(s.Headers, field); i >= 0 {
			m[field] = &s.Headers[i]
		}
	}
	for i, g := range guesses {
		if known, ours := m[g.Field]; ours && known == nil && i < len(s.Headers) {
			m[g.Field] = &s.Headers[i]
		}
	}
	return m
}
