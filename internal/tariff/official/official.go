// Package official reads the tariff that the authorities publish, keeps its versions,
// and holds the one in force in memory. An operator imports files, each of which is
// known by its contents; a version is taken up whole or not at all, and the one before
// is kept to go back to.
package official

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Kind names a table of the tariff.
type Kind string

// The tables that a version may have. Where one is missing, the own table of the
// service stands in for it as a whole.
const (
	Nomenclature     Kind = "nomenclature"
	Duties           Kind = "duties"            // third-country duty
	VAT              Kind = "vat"               // measures of VAT
	VATHints         Kind = "vat-hints"         // where a rate is likely that is not the standard one
	Units            Kind = "units"             // supplementary units
	SearchReferences Kind = "search-references" // words to chapters, headings and codes
	ParcelReferences Kind = "parcel-references" // words to codes
	Intercepts       Kind = "intercepts"        // everyday words to codes
	Labelled         Kind = "labelled"          // descriptions that somebody has classified
)

// Kinds lists the tables that there may be, in the order in which they are shown.
func Kinds() []Kind {
	return []Kind{Nomenclature, Duties, VAT, VATHints, Units, SearchReferences, ParcelReferences, Intercepts, Labelled}
}

// byCode are the tables that say something of codes, which takes a nomenclature.
var byCode = []Kind{Duties, VAT, VATHints, Units}

// Table is what is known of a table besides its rows.
type Table struct {
	Kind    Kind   `json:"kind"`
	Version int64  `json:"version"` // with which it came
	AsOf    string `json:"asOf"`    // day of its newest row, unless the operator said otherwise
	Source  string `json:"source"`  // format and publisher
	File    string `json:"file"`
	Rows    int    `json:"rows"`
}

// Edition is a version of the tariff: tables of its own, and those that it took over
// from the version before.
type Edition struct {
	Version    int64 // rises by one with every import; 0 is the service's own table
	AsOf       string
	ImportedAt time.Time
	InForce    bool
	Since      time.Time // when it came into force for the last time
	Tables     []Table   // in the order of Kinds
}

// Table finds one of its tables.
func (e Edition) Table(k Kind) (Table, bool) {
	at := slices.IndexFunc(e.Tables, func(t Table) bool { return t.Kind == k })
	if at < 0 {
		return Table{}, false
	}
	return e.Tables[at], true
}

// Stamp tells one state of what is in force from another; its zero value is that of
// the own table. A database that was restored may count a version twice, but not at
// the same instant.
type Stamp struct {
	Version int64
	Since   time.Time
}

// Shelf keeps the versions, for every process of the service.
type Shelf interface {
	// TariffStamp tells what is in force, cheaply.
	TariffStamp(ctx context.Context) (Stamp, error)
	// TariffEditions are the versions that are kept, the newest first.
	TariffEditions(ctx context.Context) ([]Edition, error)
	// TariffRows are the packed rows of a table.
	TariffRows(ctx context.Context, k Kind, version int64) ([]byte, error)
	// PutTariff makes a new version with the tables of its own that are packed, and
	// puts it in force, if what was in force still is; else it is ErrChanged.
	PutTariff(ctx context.Context, was Stamp, e Edition, packed map[Kind][]byte) (Edition, error)
	// SwitchTariff puts a version that is kept in force, or with 0 none.
	SwitchTariff(ctx context.Context, was Stamp, version int64) error
}

// Kept is how many versions are kept.
const Kept = 3

// ErrChanged is the refusal to overwrite what another import has just put in force.
var ErrChanged = fmt.Errorf("official: the tariff was changed by somebody else meanwhile: look at its status and try again")
