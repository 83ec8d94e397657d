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

// Difference is how the pieces of one chapter differ in two tables, first and second.
type Difference struct {
	Codes []string           // on which the measures may differ, sorted: those of the rows that only one piece has
	Only  [2]*Table          // the rows that only one piece has
	Held  [2]map[string]bool // the codes with rows
}

// Differ compares the pieces of one chapter in two tables. A piece can be nil.
func Differ(first, second []byte) (*Difference, error) {
	d := &differing{builders: [2]*Builder{NewBuilder(), NewBuilder()}}
	for i, packed := range [][]byte{first, second} {
		d.found.Held[i] = map[string]bool{}
		var err error
		if d.rows[i], err = openRows(packed); err != nil {
			return nil, fmt.Errorf("table: compare pieces: %w", err)
		}
	}
	for d.rows[0].row != nil || d.rows[1].row != nil {
		if err := d.step(); err != nil {
			return nil, fmt.Errorf("table: compare pieces: %w", err)
		}
	}
	slices.Sort(d.found.Codes)
	d.found.Codes = slices.Compact(d.found.Codes)
	for i, b := range d.builders {
		b.flush()
		d.found.Only[i], _ = b.Table()
	}
	return &d.found, nil
}

// differing is a comparison of two pieces.
type differing struct {
	rows     [2]*sortedRows
	builders [2]*Builder
	found    Difference
}

// step takes the lesser of the current rows, or both if they are the same.
func (d *differing) step() error {
	order := d.rows[0].compare(d.rows[1])
	for i, taken := range []bool{order <= 0, order >= 0} {
		if !taken {
			continue
		}
		if err := d.take(i, order == 0); err != nil {
			return err
		}
	}
	return nil
}

// take notes the current row of a piece, and goes on to the next one.
func (d *differing) take(i int, both bool) error {
	r := d.rows[i]
	for code := range strings.FieldsSeq(r.codes()) {
		if !d.found.Held[i][code] {
			d.found.Held[i][strings.Clone(code)] = true
		}
		if !both {
			d.found.Codes = append(d.found.Codes, strings.Clone(code))
		}
	}
	if !both {
		if err := d.builders[i].unpackMeasure(r.row); err != nil {
			return err
		}
	}
	return r.next()
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

// codes are the codes of the current row, with a space between two.
func (r *sortedRows) codes() string { return r.row[len(packedCells)] }
