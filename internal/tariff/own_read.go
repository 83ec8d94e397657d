package tariff

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// ownRow is a chapter, heading, subheading or line of the own table; lines have measures.
type ownRow struct {
	code        string // 2, 4, 6 or 10 digits
	padded      string // with trailing zeros
	description string
	terms       []string // everyday words
	line        Line     // only for ten digits
}

func (r *ownRow) declarable() bool { return len(r.code) == commodityDigits }

var (
	ownColumns   = []string{"code", "description", "terms", "duty", "vat", "unit"}
	errOwnHeader = fmt.Errorf("the header must be %s", strings.Join(ownColumns, ","))
	errOwnCode   = errors.New("must have 2, 4, 6 or 10 digits, and begin with the chapter of its file")
	errOwnWords  = errors.New("must have a description")
	errOwnRates  = errors.New("only a code of ten digits has duty, VAT and unit")
)

// readOwn reads the files of all chapters, such as own/61.csv.
func readOwn(files fs.FS) (*ownTable, error) {
	names, err := fs.Glob(files, "own/*.csv")
	if err != nil {
		return nil, fmt.Errorf("tariff: own table: %w", err)
	}
	var rows []ownRow
	for _, name := range names {
		more, err := readChapter(files, name)
		if err != nil {
			return nil, fmt.Errorf("tariff: own table: %s: %w", name, err)
		}
		rows = append(rows, more...)
	}
	return newOwn(rows)
}

func readChapter(files fs.FS, name string) ([]ownRow, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := readOwnRows(file)
	if err != nil {
		return nil, err
	}
	chapter := strings.TrimSuffix(path.Base(name), ".csv")
	for _, r := range rows {
		if !strings.HasPrefix(r.code, chapter) {
			return nil, fmt.Errorf("code %q: %w", r.code, errOwnCode)
		}
	}
	return rows, nil
}

func readOwnRows(from io.Reader) ([]ownRow, error) {
	records, err := csv.NewReader(from).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 || !slices.Equal(records[0], ownColumns) {
		return nil, errOwnHeader
	}
	rows := make([]ownRow, 0, len(records))
	for _, record := range records[1:] {
		row, err := parseOwnRow(record)
		if err != nil {
			return nil, fmt.Errorf("code %q: %w", record[0], err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func parseOwnRow(record []string) (ownRow, error) {
	r := ownRow{code: record[0], description: strings.TrimSpace(record[1])}
	for term := range strings.SplitSeq(record[2], ";") {
		if term = strings.TrimSpace(term); term != "" {
			r.terms = append(r.terms, term)
		}
	}
	digits := strings.Trim(r.code, "0123456789") == ""
	switch {
	case !digits || !slices.Contains([]int{2, 4, 6, commodityDigits}, len(r.code)):
		return r, errOwnCode
	}
	r.padded = padded(r.code)
	switch {
	case r.description == "":
		return r, errOwnWords
	case r.declarable():
		return r, r.parseMeasures(record[3], record[4], record[5])
	case record[3]+record[4]+record[5] != "":
		return r, errOwnRates
	}
	return r, nil
}

func (r *ownRow) parseMeasures(duty, vat, unit string) (err error) {
	r.line = Line{Code: r.code, Description: r.description, Unit: unit, AsOf: ownAsOf, VATAsOf: ownVATAsOf, VATBasis: Curated}
	if r.line.Duty, err = ParseExpression(duty); err != nil {
		return err
	}
	r.line.VATRate, err = strconv.Atoi(vat)
	return err
}
