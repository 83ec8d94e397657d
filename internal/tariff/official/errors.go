package official

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
)

// rowErrors collects the faults of one file.
type rowErrors struct {
	all  *importerr.Error
	file string
}

// of collects the faults of a file.
func of(all *importerr.Error, file string) *rowErrors { return &rowErrors{all: all, file: file} }

// add adds an error and reports whether reading should stop.
func (f *rowErrors) add(row int, err error) (enough bool) {
	return f.all.Add(f.file, row, err.Error())
}

// addIfEmpty adds the error of a file without rows, unless it has other errors.
func (f *rowErrors) addIfEmpty() {
	if !slices.ContainsFunc(f.all.Faults, func(other importerr.Row) bool { return other.File == f.file }) {
		f.add(0, errNoRows)
	}
}

func (f *rowErrors) enough() bool { return f.all.More }
