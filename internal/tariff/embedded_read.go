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

// embeddedRow is a chapter, heading, subheading or line of the embedded table; lines have measures.
type embeddedRow struct {
	code        string // 2, 4, 6 or 10 digits
	padded      string // with trailing zeros
	description string
	terms       []string // everyday words
	line        Line     // only for ten digits
}

func (r *embeddedRow) declarable() bool { return len(r.code) == commodityDigits }

var (
	embeddedColumns   = []string{"code", "description", "terms", "duty", "vat", "unit"}
	errEmbeddedHeader = fmt.Errorf("the header must be %s", strings.Join(embeddedColumns, ","))
	errEmbeddedCode   = errors.New("must have 2, 4, 6 or 10 digits, and begin with the chapter of its file")
	errEmbeddedWords  = errors.New("must have a description")
	errEmbeddedRates  = errors.New("only a code of ten digits has duty, VAT and unit")
)

// readEmbedded reads the files of all chapters, such as own/61.csv.
func readEmbedded(files fs.FS) (*embeddedTable, error) {
	names, err := fs.Glob(files, "own/*.csv")
	if err != nil {
		return nil, fmt.Errorf("tariff: embedded table: %w", err)
	}
	var rows []embeddedRow
	for _, name := range names {
		more, err := readChapter(files, name)
		if err != nil {
			return nil, fmt.Errorf("tariff: embedded table: %s: %w", name, err)
		}
		rows = append(rows, more...)
	}
	return newEmbedded(rows)
}

func readChapter(files fs.FS, name string) ([]embeddedRow, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := readEmbeddedRows(file)
	if err != nil {
		return nil, err
	}
	chapter := strings.TrimSuffix(path.Base(name), ".csv")
	for _, r := range rows {
		if !strings.HasPrefix(r.code, chapter) {
			return nil, fmt.Errorf("code %q: %w", r.code, errEmbeddedCode)
		}
	}
	return rows, nil
}

func readEmbeddedRows(from io.Reader) ([]embeddedRow, error) {
	records, err := csv.NewReader(from).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 || !slices.Equal(records[0], embeddedColumns) {
		return nil, errEmbeddedHeader
	}
	rows := make([]embeddedRow, 0, len(records))
	for _, record := range records[1:] {
		row, err := parseEmbeddedRow(record)
		if err != nil {
			return nil, fmt.Errorf("code %q: %w", record[0], err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func parseEmbeddedRow(record []string) (embeddedRow, error) {
	r := embeddedRow{code: record[0], description: strings.TrimSpace(record[1])}
	for term := range strings.SplitSeq(record[2], ";") {
		if term = strings.TrimSpace(term); term != "" {
			r.terms = append(r.terms, term)
		}
	}
	digits := strings.Trim(r.code, "0123456789") == ""
	switch {
	case !digits || !slices.Contains([]int{2, 4, 6, commodityDigits}, len(r.code)):
		return r, errEmbeddedCode
	}
	r.padded = padded(r.code)
	switch {
	case r.description == "":
		return r, errEmbeddedWords
	case r.declarable():
		return r, r.parseMeasures(record[3], record[4], record[5])
	case record[3]+record[4]+record[5] != "":
		return r, errEmbeddedRates
	}
	return r, nil
}

func (r *embeddedRow) parseMeasures(duty, vat, unit string) (err error) {
	r.line = Line{Code: r.code, Description: r.description, Unit: unit, AsOf: embeddedAsOf, VATAsOf: embeddedVATAsOf, VATBasis: Curated}
	if r.line.Duty, err = ParseExpression(duty); err != nil {
		return err
	}
	r.line.VATRate, err = strconv.Atoi(vat)
	return err
}
