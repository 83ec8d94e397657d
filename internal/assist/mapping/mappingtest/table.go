// Package mappingtest measures the mapping of columns on labelled tables.
package mappingtest

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
)

// The tables that the engine was developed with, and those that it was not.
var (
	//go:embed work.txt
	developmentText string
	//go:embed held.txt
	heldOutText string
)

// Table is a table with the field of each column; empty for none.
type Table struct {
	Title   string
	Labels  []string
	Columns []mapping.Column
}

// DevelopmentTables returns the tables that the engine was developed with.
func DevelopmentTables() ([]Table, error) { return read(developmentText) }

// HeldOutTables returns tables that were written before they were measured and led to no change.
func HeldOutTables() ([]Table, error) { return read(heldOutText) }

// read splits a text into blocks: a title, the labels, the table.
func read(text string) (tables []Table, err error) {
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		title, found := strings.CutPrefix(block, "== ")
		if !found {
			continue
		}
		lines := strings.SplitN(title, "\n", 3)
		if len(lines) != 3 {
			return nil, fmt.Errorf("mappingtest: %q is no table", lines[0])
		}
		t := Table{Title: lines[0], Labels: strings.Fields(lines[1])}
		if t.Columns, err = columns(lines[2]); err != nil || len(t.Columns) != len(t.Labels) {
			return nil, fmt.Errorf("mappingtest: %s: %d columns, %d labels: %w", t.Title, len(t.Columns), len(t.Labels), err)
		}
		for i, label := range t.Labels {
			if label == "-" {
				t.Labels[i] = ""
			} else if !slices.Contains(mapping.Fields(), label) {
				return nil, fmt.Errorf("mappingtest: %s: %s is no field", t.Title, label)
			}
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// columns reads a table as an import does: a first row of values is not a header.
func columns(table string) ([]mapping.Column, error) {
	r := csv.NewReader(strings.NewReader(table))
	first, _, _ := strings.Cut(table, "\n")
	if strings.Count(first, ";") > strings.Count(first, ",") {
		r.Comma = ';'
	}
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	headless := slices.ContainsFunc(rows[0], mapping.IsValue)
	out := make([]mapping.Column, len(rows[0]))
	for i := range out {
		out[i].Header = strings.TrimSpace(rows[0][i])
		if headless {
			out[i].Header = fmt.Sprintf("Column %d", i+1)
		}
		for n, row := range rows {
			if n > 0 || headless {
				out[i].Values = append(out[i].Values, row[i])
			}
		}
	}
	return out, nil
}
