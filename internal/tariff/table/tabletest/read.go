package tabletest

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// Table builds a table of the report of some codes.
func Table(codes int) (*table.Table, error) {
	in, out := io.Pipe()
	go func() {
		_, _, err := Report(out, codes)
		_ = out.CloseWithError(err) // it never fails
	}()
	return Read(in)
}

// Read builds a table of a report.
func Read(from io.Reader) (*table.Table, error) {
	rows := csv.NewReader(from)
	rows.ReuseRecord = true
	first, err := rows.Read()
	if err != nil {
		return nil, err
	}
	at := positions(slices.Clone(first))
	b, cells := table.NewBuilder(), make([]string, len(at))
	for line := 2; ; line++ {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = b.Add(choose(cells, row, at), line)
		}
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", line, err)
		}
	}
	t, faults := b.Table()
	if len(faults) > 0 {
		return nil, faults[0].Err
	}
	return t, nil
}

func positions(header []string) (at []int) {
	for _, column := range slices.Concat(table.Must, table.May) {
		at = append(at, slices.Index(header, column))
	}
	return at
}

func choose(cells, row []string, at []int) []string {
	for i, position := range at {
		cells[i] = ""
		if position >= 0 && row[position] != none {
			cells[i] = row[position]
		}
	}
	return cells
}

// none is how the publisher writes an empty cell.
const none = "#NA"
