package table

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Differ returns the codes of a chapter on which its pieces in two tables may have different measures, sorted: those of the rows that
// only one of them has. A piece can be nil.
func Differ(a, b []byte) (codes []string, err error) {
	one, err := openRows(a)
	other, failed := openRows(b)
	if err := errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("table: compare pieces: %w", err)
	}
	for one.row != nil || other.row != nil {
		order := one.compare(other)
		if order < 0 {
			codes = append(codes, one.codes()...)
		} else if order > 0 {
			codes = append(codes, other.codes()...)
		}
		if order <= 0 {
			err = one.next()
		}
		if order >= 0 {
			err = errors.Join(err, other.next())
		}
		if err != nil {
			return nil, fmt.Errorf("table: compare pieces: %w", err)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes), nil
}

// sortedRows are the rows of a piece, which are sorted.
type sortedRows struct {
	from *csv.Reader
	row  []string // nil at the end
}

func openRows(packed []byte) (*sortedRows, error) {
	if packed == nil {
		return &sortedRows{}, nil
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	r := &sortedRows{from: csv.NewReader(io.LimitReader(zip, maxUnpacked))}
	r.from.ReuseRecord = true
	return r, r.next()
}

func (r *sortedRows) next() (err error) {
	if r.row, err = r.from.Read(); errors.Is(err, io.EOF) {
		r.row, err = nil, nil
	}
	if r.row != nil && len(r.row) != len(packedCells)+1 {
		err = errPacked
	}
	return err
}

// compare orders the current rows; the end comes last.
func (r *sortedRows) compare(o *sortedRows) int {
	switch {
	case r.row == nil:
		return 1
	case o.row == nil:
		return -1
	}
	return slices.Compare(r.row, o.row)
}

func (r *sortedRows) codes() []string { return strings.Fields(strings.Clone(r.row[len(packedCells)])) }
