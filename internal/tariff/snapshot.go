package tariff

import (
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Snapshot is a complete, immutable tariff. A newer one has another Version.
type Snapshot struct {
	Version    int64  // 0 for the embedded table alone
	AsOf       string // day (YYYY-MM-DD) of the nomenclature
	Source     string // publisher of the nomenclature
	ImportedAt time.Time

	Tree   *nomenclature.Tree
	Tariff *Tariff

	References []nomenclature.Text // search terms of the authority with codes
	Labelled   []nomenclature.Text // descriptions with codes that people chose

	VATHints map[string]string // "may be zero-rated" and the like, by code of ten digits
}

// EmbeddedSource is the publisher of the embedded table.
const EmbeddedSource = "Tidewaiter"

var embeddedSnapshot = sync.OnceValue(func() *Snapshot {
	return &Snapshot{AsOf: embeddedNomenclature, Source: EmbeddedSource, Tree: EmbeddedTree(), Tariff: Embedded()}
})

// EmbeddedSnapshot returns the tariff that is in force if nothing is imported.
func EmbeddedSnapshot() *Snapshot { return embeddedSnapshot() }
