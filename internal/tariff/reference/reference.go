// Package reference keeps the tables that others publish and that are too large to
// be part of the program: default values of embedded emissions, places of trade and
// transport, and the tariff codes of excise goods. An operator imports them; whoever
// asks for a table that is not there is told so, and judges more coarsely.
package reference

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind names a table.
type Kind string

// The tables there may be.
const (
	CBAMDefaults Kind = "cbam-defaults"
	UNLOCODE     Kind = "unlocode"
	ExciseCN     Kind = "excise-cn"
)

// Kinds lists the tables there may be.
func Kinds() []Kind { return []Kind{CBAMDefaults, ExciseCN, UNLOCODE} }

// ParseKind reads the name of a table.
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

// Edition is what is known of a table besides its rows.
type Edition struct {
	Kind       Kind
	Version    int64     // rises by one with every import
	Date       time.Time // the day of the table: its newest row's, unless the operator said otherwise
	Publisher  string
	Rows       int
	ImportedAt time.Time
}

// String names a table and its date in a finding.
func (e Edition) String() string {
	return titles[e.Kind] + " of " + e.Date.Format("2 January 2006")
}

var titles = map[Kind]string{
	CBAMDefaults: "default values for CBAM",
	UNLOCODE:     "UN/LOCODE list",
	ExciseCN:     "EMCS table E200",
}

// table is the rows of one kind. It is filled once and then only read.
type table interface {
	columns() []string                        // of the publisher's file that are read, by their headings
	take(cells []string) error                // one line of the file, in the order of the columns
	newest() time.Time                        // day of the newest row; zero where the file has none
	rows() int                                // that the table has
	pack(write func(line string) error) error // the rows as compact lines, always in the same order
	unpack(line string) error                 // one compact line
}

// empty is a table without rows.
func empty(k Kind) (table, error) {
	switch k {
	case CBAMDefaults:
		return newEmissions(), nil
	case UNLOCODE:
		return &places{}, nil
	case ExciseCN:
		return &pairs{}, nil
	}
	return nil, fmt.Errorf("reference: there is no table %q", k)
}

// publishers are who publishes the tables.
var publishers = map[Kind]string{
	CBAMDefaults: "European Commission",
	UNLOCODE:     "UNECE",
	ExciseCN:     "European Commission",
}

// dated reads a day as the publishers write it, such as 05-08-2022.
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
