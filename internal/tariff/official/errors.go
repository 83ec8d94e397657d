package official

import (
	"fmt"
	"slices"
	"strings"
)

// RowError is an invalid row of a file: a line of a table, or an entry of a list counted from
// 1. The row is 0 if the error concerns the whole file.
type RowError struct {
	File    string `json:"file"`
	Row     int    `json:"row"`
	Message string `json:"message"`
}

// maxErrors is the number of errors that are reported.
const maxErrors = 50

// ImportError is the error of an import that changed nothing.
type ImportError struct {
	Faults []RowError
	More   bool // reading stopped after these errors
}

// Error names every invalid row.
func (f *ImportError) Error() string {
	var text strings.Builder
	text.WriteString("nothing is imported")
	for _, fault := range f.Faults {
		fmt.Fprintf(&text, "\n  %s", fault.File)
		if fault.Row > 0 {
			fmt.Fprintf(&text, ", row %d", fault.Row)
		}
		text.WriteString(": " + fault.Message)
	}
	if f.More {
		text.WriteString("\n  and perhaps more")
	}
	return text.String()
}

// of collects the errors of one file.
func (f *ImportError) of(file string) *rowErrors { return &rowErrors{all: f, file: file} }

func (f *ImportError) orNil() error {
	if len(f.Faults) == 0 {
		return nil
	}
	return f
}

type rowErrors struct {
	all  *ImportError
	file string
}

// add adds an error and reports whether reading should stop.
func (f *rowErrors) add(row int, err error) (enough bool) {
	if f.enough() {
		return true
	}
	f.all.Faults = append(f.all.Faults, RowError{f.file, row, err.Error()})
	f.all.More = len(f.all.Faults) == maxErrors
	return f.all.More
}

// addIfEmpty adds the error of a file without rows, unless it has other errors.
func (f *rowErrors) addIfEmpty() {
	if !slices.ContainsFunc(f.all.Faults, func(other RowError) bool { return other.File == f.file }) {
		f.add(0, errNoRows)
	}
}

func (f *rowErrors) enough() bool { return f.all.More }
