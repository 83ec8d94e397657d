// Package importerr is the error of an import of published files: it names every invalid row, and nothing was imported.
package importerr

import (
	"fmt"
	"strings"
)

// Row is an invalid row of a file: a line of a table, or an entry of a list counted from 1. The row is 0 if the error concerns
// the whole file.
type Row struct {
	File    string `json:"file"`
	Row     int    `json:"row"`
	Message string `json:"message"`
}

// maxRows is the number of rows that are reported.
const maxRows = 50

// Error is the error of an import that changed nothing. Its zero value names no row.
type Error struct {
	Faults []Row
	More   bool // reading stopped after these rows
}

// Add adds a row and reports whether reading should stop.
func (e *Error) Add(file string, row int, message string) (enough bool) {
	if !e.More {
		e.Faults = append(e.Faults, Row{file, row, message})
		e.More = len(e.Faults) == maxRows
	}
	return e.More
}

// OrNil returns the error; nil if no row is invalid.
func (e *Error) OrNil() error {
	if len(e.Faults) == 0 {
		return nil
	}
	return e
}

// Error names every invalid row.
func (e *Error) Error() string {
	var text strings.Builder
	text.WriteString("nothing is imported")
	for _, f := range e.Faults {
		fmt.Fprintf(&text, "\n  %s", f.File)
		if f.Row > 0 {
			fmt.Fprintf(&text, ", row %d", f.Row)
		}
		text.WriteString(": " + f.Message)
	}
	if e.More {
		text.WriteString("\n  and perhaps more")
	}
	return text.String()
}
