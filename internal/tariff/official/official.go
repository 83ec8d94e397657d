// Package official imports the tariff that the authorities publish, stores its editions, and
// holds the one in force in memory. An operator imports files, which are recognised by their
// content. An edition comes into force as a whole or not at all, and the former ones are kept
// for a rollback.
package official

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Kind names a table of the tariff.
type Kind string

// Tables of an edition. A missing one is taken from the service's embedded table as a whole.
const (
	Nomenclature     Kind = "nomenclature"
	Duties           Kind = "duties"            // third-country duty
	VAT              Kind = "vat"               // measures of VAT
	VATHints         Kind = "vat-hints"         // likely rates other than the standard one
	Units            Kind = "units"             // supplementary units
	SearchReferences Kind = "search-references" // words with chapters, headings and codes
	ParcelReferences Kind = "parcel-references" // words with codes
	Intercepts       Kind = "intercepts"        // everyday words with codes
	Labelled         Kind = "labelled"          // descriptions with codes that people chose
	Recordings       Kind = "recordings"        // whole answers of the tariff service; each is a piece of its own
)

// Kinds returns all kinds of tables in the order of display.
func Kinds() []Kind {
	all := []Kind{Nomenclature, Duties, VAT, VATHints, Units, SearchReferences, ParcelReferences, Intercepts, Labelled, Recordings}
	lists := []Kind{MeursingAmounts, MeursingCodes, MeasurementUnits}
	return slices.Concat(all, measureKinds(measure.UK), listKinds(measure.UK), measureKinds(measure.XI), listKinds(measure.XI), lists)
}

// byCode are the tables with codes, which require a nomenclature.
var byCode = []Kind{Duties, VAT, VATHints, Units}

// Table describes a table without its rows.
type Table struct {
	Kind    Kind   `json:"kind"`
	Version int64  `json:"version"` // with which it came; 0 if it is new
	AsOf    string `json:"asOf"`    // day of its newest row, unless the operator said otherwise
	Source  string `json:"source"`  // format and publisher
	File    string `json:"file"`
	Rows    int    `json:"rows"`
}

// Edition is a version of the tariff: its own tables, and those that it took over from the
// version before.
type Edition struct {
	Version    int64 // increases with every import; 0 is the service's embedded table
	AsOf       string
	ImportedAt time.Time
	InForce    bool
	Since      time.Time // when it last came into force
	Holds      Holds
	Tables     []Table // in the order of Kinds
}

// Holds is what an edition holds for the duty engine; nil for a service that it does not hold, and in editions of older programs.
type Holds struct {
	UK       *duty.Holding `json:"uk,omitempty"`
	XI       *duty.Holding `json:"xi,omitempty"`
	Measures int           `json:"measures,omitempty"`
}

// Table returns one of its tables.
func (e Edition) Table(k Kind) (Table, bool) {
	at := slices.IndexFunc(e.Tables, func(t Table) bool { return t.Kind == k })
	if at < 0 {
		return Table{}, false
	}
	return e.Tables[at], true
}

// Stamp identifies what is in force; its zero value is the embedded table. A restored database may
// use a version number again, but with another instant.
type Stamp struct {
	Version int64
	Since   time.Time
}

// Store stores the editions for all processes of the service.
type Store interface {
	// TariffStamp returns the stamp of what is in force; it is cheap.
	TariffStamp(ctx context.Context) (Stamp, error)
	// TariffEditions returns the stored editions, the newest first.
	TariffEditions(ctx context.Context) ([]Edition, error)
	// TariffRows returns the packed rows of a table.
	TariffRows(ctx context.Context, k Kind, version int64) ([]byte, error)
	// TariffParts returns the pieces of an edition, by name.
	TariffParts(ctx context.Context, version int64) ([]Part, error)
	// TariffIndex returns the names of the pieces of an edition, each with the version with which its content came.
	TariffIndex(ctx context.Context, version int64) (map[string]int64, error)
	// TariffPart returns the content of a piece that came with a version.
	TariffPart(ctx context.Context, name string, came int64) ([]byte, error)
	// PutTariff stores a new edition with what it adds to the one in force, and puts it in force,
	// if the stamp of what is in force is still was. Otherwise the error is ErrChanged.
	PutTariff(ctx context.Context, was Stamp, e Edition, adds Contents) (Edition, error)
	// SwitchTariff puts a stored edition in force; 0 for the embedded table.
	SwitchTariff(ctx context.Context, was Stamp, version int64) error
}

// ErrChanged is the error if another import has changed what is in force.
var ErrChanged = fmt.Errorf("official: another import has changed the tariff: check the status and try again")
