// Package reference holds published tables that are too large for the program, or change too often: default values
// of embedded emissions, rates of UK CBAM, places of trade and transport, and the tariff codes of excise goods.
// An operator imports them. Without a table, callers apply less precise rules.
package reference

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind names a table.
type Kind string

// The kinds of tables.
const (
	CBAMDefaults Kind = "cbam-defaults"
	CBAMRates    Kind = "cbam-rates"
	UNLOCODE     Kind = "unlocode"
	ExciseCN     Kind = "excise-cn"
)

// Kinds returns the kinds of tables.
func Kinds() []Kind { return []Kind{CBAMDefaults, CBAMRates, ExciseCN, UNLOCODE} }

// ParseKind parses the name of a table.
func ParseKind(text string) (Kind, error) {
	if k := Kind(text); slices.Contains(Kinds(), k) {
		return k, nil
	}
	names := []string{}
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return "", fmt.Errorf("%q is no table: there are %s", text, strings.Join(names, ", "))
}

// Edition describes a table without its rows.
type Edition struct {
	Kind       Kind
	Version    int64     // increases with every import
	Date       time.Time // day of the table: that of its newest row, unless the operator set another
	Publisher  string
	Rows       int
	ImportedAt time.Time
}

// String returns the name and the date of a table, for a finding.
func (e Edition) String() string {
	return titles[e.Kind] + " of " + e.Date.Format("2 January 2006")
}

var titles = map[Kind]string{
	CBAMDefaults: "default values for CBAM",
	CBAMRates:    "rates of UK CBAM",
	UNLOCODE:     "UN/LOCODE list",
	ExciseCN:     "EMCS table E200",
}

// table is the rows of one kind. It is filled once and then only read.
type table interface {
	columns() []string                        // headers of the columns that are read
	take(cells []string) error                // one line of the file, in the order of the columns
	newest() time.Time                        // day of the newest row; zero if the file has none
	rows() int                                // number of rows
	pack(write func(line string) error) error // the rows as compact lines, always in the same order
	unpack(line string) error                 // one compact line
}

// empty returns a table without rows.
func empty(k Kind) (table, error) {
	switch k {
	case CBAMDefaults:
		return newEmissions(), nil
	case CBAMRates:
		return &cbamRates{}, nil
	case UNLOCODE:
		return &places{}, nil
	case ExciseCN:
		return &pairs{}, nil
	}
	return nil, fmt.Errorf("reference: there is no table %q", k)
}

// publishers are the publishers of the tables.
var publishers = map[Kind]string{
	CBAMDefaults: "European Commission",
	CBAMRates:    "HMRC",
	UNLOCODE:     "UNECE",
	ExciseCN:     "European Commission",
}

// dated parses a day as the publishers write it, such as 05-08-2022.
func dated(text string) (time.Time, error) {
	day, err := time.Parse("02-01-2006", text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no day such as 05-08-2022", text)
	}
	return day, nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
