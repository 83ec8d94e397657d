package tariff

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// ownAsOf is the day on which the UK Global Tariff came into force, with the
// duties that the own table carries.
const ownAsOf = "2021-01-01"

//go:embed own.csv
var ownTable string

var own = sync.OnceValue(func() *Tariff { return mustTariff(readOwn(strings.NewReader(ownTable))) })

// Own is the table that the service ships: goods that are commonly traded, from
// every chapter. Its duties are the published ones of 1 January 2021, without
// preferences, suspensions, quotas and trade remedies; its VAT is the rate that
// applies without a relief, so a medicine bears 20 %, as only prescribed ones are free.
func Own() *Tariff { return own() }

// readOwn reads rows of code, description, duty, VAT rate and supplementary unit after a header.
func readOwn(r io.Reader) (*Tariff, error) {
	rows := csv.NewReader(r)
	rows.FieldsPerRecord = 5
	records, err := rows.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("tariff: reading table: %w", err)
	}
	lines := make([]Line, 0, len(records))
	for _, record := range records[1:] {
		line, err := ownLine(record)
		if err != nil {
			return nil, fmt.Errorf("tariff: reading code %q: %w", record[0], err)
		}
		lines = append(lines, line)
	}
	return New(lines)
}

func ownLine(record []string) (Line, error) {
	duty, err := ParseExpression(record[2])
	if err != nil {
		return Line{}, err
	}
	vat, err := strconv.Atoi(record[3])
	if err != nil {
		return Line{}, err
	}
	return Line{
		Code: record[0], Description: record[1], Duty: duty, VATRate: vat, Unit: record[4], AsOf: ownAsOf,
	}, nil
}

func mustTariff(t *Tariff, err error) *Tariff {
	if err != nil {
		panic(err)
	}
	return t
}
