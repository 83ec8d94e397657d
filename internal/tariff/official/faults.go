package official

import (
	"fmt"
	"slices"
	"strings"
)

// Fault is one row of a file that cannot be taken: a line of a table, or an entry of
// a list counted from 1. It is 0 where the fault is the whole file's.
type Fault struct {
	File    string `json:"file"`
	Row     int    `json:"row"`
	Message string `json:"message"`
}

// maxFaults are told; there may be more.
const maxFaults = 50

// Faulty is why an import changed nothing.
type Faulty struct {
	Faults []Fault
	More   bool // whether reading was given up after these
}

// Error names every row that was found faulty.
func (f *Faulty) Error() string {
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

// of collects the faults of one file.
func (f *Faulty) of(file string) *faults { return &faults{all: f, file: file} }

func (f *Faulty) orNil() error {
	if len(f.Faults) == 0 {
		return nil
	}
	return f
}

type faults struct {
	all  *Faulty
	file string
}

// add notes a fault and tells whether that is enough.
func (f *faults) add(row int, err error) (enough bool) {
	if f.enough() {
		return true
	}
	f.all.Faults = append(f.all.Faults, Fault{f.file, row, err.Error()})
	f.all.More = len(f.all.Faults) == maxFaults
	return f.all.More
}

// none notes that there was nothing to take, unless something is wrong already.
func (f *faults) none() {
	if !slices.ContainsFunc(f.all.Faults, func(other Fault) bool { return other.File == f.file }) {
		f.add(0, errNoRows)
	}
}

func (f *faults) enough() bool { return f.all.More }
