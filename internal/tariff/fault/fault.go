// Package fault names what is invalid in published files that an operator imports. An import with faults changes nothing.
package fault

import (
	"fmt"
	"strings"
)

// Row is an invalid row of a file: a line of a table, or an entry of a list counted from 1. The row is 0 if the fault concerns
// the whole file.
type Row struct {
	File    string `json:"file"`
	Row     int    `json:"row"`
	Message string `json:"message"`
}

// maxRows is the number of faults that are reported.
const maxRows = 50

// Import is the error of an import that changed nothing. Its zero value has no faults.
type Import struct {
	Faults []Row
	More   bool // reading stopped after these faults
}

// Add adds a fault and reports whether reading should stop.
func (i *Import) Add(file string, row int, message string) (enough bool) {
	if !i.More {
		i.Faults = append(i.Faults, Row{file, row, message})
		i.More = len(i.Faults) == maxRows
	}
	return i.More
}

// OrNil returns the error; nil if there are no faults.
func (i *Import) OrNil() error {
	if len(i.Faults) == 0 {
		return nil
	}
	return i
}

// Error names every invalid row.
func (i *Import) Error() string {
	var text strings.Builder
	text.WriteString("nothing is imported")
	for _, f := range i.Faults {
		fmt.Fprintf(&text, "\n  %s", f.File)
		if f.Row > 0 {
			fmt.Fprintf(&text, ", row %d", f.Row)
		}
		text.WriteString(": " + f.Message)
	}
	if i.More {
		text.WriteString("\n  and perhaps more")
	}
	return text.String()
}
