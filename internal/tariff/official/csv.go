package official

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a file. The publisher's table of all measures is the largest, with more than half
// a million rows.
const (
	maxFile   = 4 << 30
	maxRecord = 1 << 20
	maxRows   = 5_000_000
	maxKept   = 500_000 // rows of a table that are stored
)

var (
	errLongFile   = fmt.Errorf("the file is longer than %d GB", maxFile>>30)
	errLongRecord = fmt.Errorf("a row is longer than %d kB", maxRecord>>10)
	errManyRows   = fmt.Errorf("the file has more than %d rows", maxRows)
	errManyKept   = fmt.Errorf("the table has more than %d rows", maxKept)
	errNoRows     = errors.New("there are no rows to take")
	errNotUTF8    = errors.New("is not UTF-8")
	errHeader     = errors.New("the header is of no table that is known")
)

// byteOrderMark may be at the beginning of a file.
const byteOrderMark = "\uFEFF"

// limitedReader fails if the file or one record is too long.
type limitedReader struct {
	from          io.Reader
	total, record int64
}

func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	l.total += int64(n)
	l.record += int64(n)
	switch {
	case l.total > maxFile:
		return 0, errLongFile
	case l.record > maxRecord:
		return 0, errLongRecord
	}
	return n, err
}

// readCSV reads a table row by row and keeps only the columns of its layout.
func readCSV(from io.Reader, about reading, f *rowErrors) (layout, []read) {
	bounds := &limitedReader{from: from}
	rows := csv.NewReader(bounds)
	rows.ReuseRecord = true
	header, err := rows.Read()
	if err != nil {
		f.add(1, err)
		return layout{}, nil
	}
	header = headings(header)
	l, ok := known(header)
	if !ok {
		if l, err = rawLayout(about, header, about.raw); err != nil {
			f.add(1, err)
			return l, nil
		}
	}
	t := l.taker(about)
	if takeRows(t, rows, bounds, l.positions(header), f); f.enough() {
		return l, nil
	}
	return l, t.tables(f)
}

func headings(header []string) []string {
	named := slices.Clone(header)
	for i, column := range named {
		named[i] = strings.TrimSpace(strings.TrimPrefix(column, byteOrderMark))
	}
	return named
}

// takeRows reads rows until the end of the file, too many errors, or an error that ends
// reading.
func takeRows(t tableReader, rows *csv.Reader, bounds *limitedReader, at []int, f *rowErrors) {
	cells := make([]string, len(at))
	for n, row := 0, 1; ; n++ {
		bounds.record = 0
		record, err := rows.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return
		case n == maxRows:
			f.add(0, errManyRows)
			return
		case errors.As(err, &wrong):
			row, err = wrong.StartLine, wrong.Err
		case err != nil:
			f.add(row+1, err)
			return
		default:
			row, _ = rows.FieldPos(0)
			if err = choose(cells, record, at); err == nil {
				err = t.take(cells, row)
			}
		}
		if err != nil && f.add(row, err) {
			return
		}
	}
}

func choose(cells, record []string, at []int) error {
	for i, position := range at {
		cells[i] = ""
		if position < 0 {
			continue
		}
		if cells[i] = clean(record[position]); !utf8.ValidString(cells[i]) {
			return errNotUTF8
		}
	}
	return nil
}
