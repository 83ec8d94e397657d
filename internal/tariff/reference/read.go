package reference

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxRows is five times the rows of UN/LOCODE, the largest table.
const maxRows = 500_000

var (
	errNoRows   = errors.New("the file has a heading and no rows")
	errManyRows = fmt.Errorf("the file has more than %d rows", maxRows)
	errNotUTF8  = errors.New("is not UTF-8")
)

// read fills a table from its publisher's file line by line, and returns the first errors.
func read(t table, from io.Reader) error {
	lines := csv.NewReader(&limitedReader{from: from})
	lines.ReuseRecord = true
	heading, err := lines.Read()
	if err != nil {
		return atLine(1, err)
	}
	at, err := positions(t.columns(), heading)
	if err != nil {
		return atLine(1, err)
	}
	return readRows(t, lines, at)
}

// readRows reads until the end of the file, too many errors, or an error that ends reading.
func readRows(t table, lines *csv.Reader, at []int) error {
	var faults ImportError
	cells := make([]string, len(at))
	for n, line := 0, 1; ; n++ {
		record, err := lines.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return faults.or(t)
		case n == maxRows:
			return errManyRows
		case errors.As(err, &wrong):
			line, err = wrong.Line, wrong.Err
		case err != nil:
			return atLine(line+1, err)
		default:
			line, _ = lines.FieldPos(0)
			if err = choose(cells, record, at); err == nil {
				err = t.take(cells)
			}
		}
		if err != nil && faults.add(line, err) {
			return &faults
		}
	}
}

// positions finds the columns in the header.
func positions(columns, heading []string) ([]int, error) {
	at := make([]int, len(columns))
	for i, column := range columns {
		if at[i] = slices.IndexFunc(heading, func(h string) bool { return strings.TrimPrefix(strings.TrimSpace(h), byteOrderMark) == column }); at[i] < 0 {
			return nil, fmt.Errorf("there is no column %s; a heading with %s is expected", column, strings.Join(columns, ", "))
		}
	}
	return at, nil
}

func choose(cells, record []string, at []int) error {
	for i, position := range at {
		if cells[i] = strings.TrimSpace(record[position]); !utf8.ValidString(cells[i]) {
			return errNotUTF8
		}
	}
	return nil
}

// RowError is an invalid line of a file.
type RowError struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// maxErrors is the number of errors that are reported.
const maxErrors = 20

// ImportError is the error of an import that changed nothing.
type ImportError struct {
	Faults []RowError // the first errors
	More   bool       // reading stopped after these errors
}

// Error names every invalid line.
func (f *ImportError) Error() string {
	var text strings.Builder
	text.WriteString("the file has errors and nothing is imported")
	for _, fault := range f.Faults {
		fmt.Fprintf(&text, "\n  line %d: %s", fault.Line, fault.Message)
	}
	if f.More {
		text.WriteString("\n  and perhaps more")
	}
	return text.String()
}

// add adds an error and reports whether reading should stop.
func (f *ImportError) add(line int, err error) (enough bool) {
	f.Faults = append(f.Faults, RowError{Line: line, Message: err.Error()})
	f.More = len(f.Faults) == maxErrors
	return f.More
}

// or returns the errors if there are any; otherwise the error of an empty table.
func (f *ImportError) or(t table) error {
	switch {
	case len(f.Faults) > 0:
		return f
	case t.rows() == 0:
		return errNoRows
	}
	return nil
}

func atLine(line int, err error) error {
	return &ImportError{Faults: []RowError{{line, err.Error()}}}
}
